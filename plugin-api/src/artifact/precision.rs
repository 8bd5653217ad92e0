//! Precision increments: which variables and predicates an analysis should track, and where.
//! Actors reuse their own and take over those of others (reuse-precision and transform-precision of CoVeriTest).

use super::Condition;
use crate::program::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where an item is tracked. By name, so that it means the same in residual programs and after a restart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PrecisionScope {
    Global,
    /// Everywhere in this function.
    Function(Arc<str>),
    /// At one location, named as [`LocationNames`](crate::program::LocationNames) does.
    Location(Arc<str>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PrecisionItem {
    /// A variable, by its name that is unique in the program.
    Variable(Arc<str>),
    /// A C expression, with the function whose names it uses.
    Predicate(Condition),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PrecisionEntry {
    pub scope: PrecisionScope,
    pub item: PrecisionItem,
}

/// A set of items with their scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Precision {
    entries: BTreeSet<PrecisionEntry>,
}

impl Precision {
    /// Tracks nothing: the coarsest abstraction.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Whether the item is new. The predicate `true` says nothing, and is not kept.
    pub fn insert(&mut self, scope: PrecisionScope, item: PrecisionItem) -> bool {
        match &item {
            PrecisionItem::Predicate(predicate) if predicate.is_true() || predicate.is_blank() => false,
            _ => self.entries.insert(PrecisionEntry { scope, item }),
        }
    }

    /// Takes over all items of `other`; whether some were new.
    pub fn merge(&mut self, other: &Precision) -> bool {
        let before = self.entries.len();
        self.entries.extend(other.entries.iter().cloned());
        self.entries.len() > before
    }

    /// By scope: global, then functions, then locations.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &PrecisionEntry> {
        self.entries.iter()
    }

    /// The items to track at a location of a function, those of wider scopes first. An item may come more than once.
    pub fn items_at<'a>(&'a self, function: &'a str, location: &'a str) -> impl Iterator<Item = &'a PrecisionItem> {
        let applies = move |scope: &PrecisionScope| match scope {
            PrecisionScope::Global => true,
            PrecisionScope::Function(name) => &**name == function,
            PrecisionScope::Location(name) => &**name == location,
        };
        self.entries.iter().filter(move |entry| applies(&entry.scope)).map(|entry| &entry.item)
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The variables to track instead of the predicates: those that occur in them (CoVeriTest, 3.2). Variables that are
    /// tracked stay. A name that several variables of the function have stands for all of them.
    pub fn as_variables(&self, program: &Program) -> Precision {
        let mut result = Precision::empty();
        for entry in &self.entries {
            match &entry.item {
                PrecisionItem::Variable(_) => {
                    result.entries.insert(entry.clone());
                }
                PrecisionItem::Predicate(predicate) => {
                    for variable in variables_named(program, predicate) {
                        result.insert(entry.scope.clone(), PrecisionItem::Variable(variable.into()));
                    }
                }
            }
        }
        result
    }
}

/// Unique names of the variables that occur in a predicate.
fn variables_named<'a>(program: &'a Program, predicate: &Condition) -> BTreeSet<&'a str> {
    let function = predicate.scope().and_then(|name| program.function_named(name));
    let mut found = BTreeSet::new();
    for name in identifiers(predicate.text()) {
        let named = |in_function: bool| {
            program.variables.iter().filter(move |variable| {
                (variable.name == name || variable.unique_name == name)
                    && if in_function {
                        variable.function.is_some() && variable.function == function
                    } else {
                        variable.function.is_none()
                    }
            })
        };
        let before = found.len();
        found.extend(named(true).map(|variable| variable.unique_name.as_str()));
        if found.len() == before {
            // Not hidden by a variable of the function.
            found.extend(named(false).map(|variable| variable.unique_name.as_str()));
        }
    }
    found
}

/// Identifiers of a C expression that may name variables: not members, nor parts of numbers, characters or strings.
fn identifiers(text: &str) -> BTreeSet<&str> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let mut found = BTreeSet::new();
    let mut at = 0;
    let mut after_member_operator = false;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if is_word(byte) => {
                while at < bytes.len() && (is_word(bytes[at]) || byte.is_ascii_digit() && bytes[at] == b'.') {
                    at += 1;
                }
                if !byte.is_ascii_digit() && !after_member_operator {
                    found.insert(&text[start..at]);
                }
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            _ => at += 1,
        }
        let blank = bytes[start].is_ascii_whitespace();
        after_member_operator = blank && after_member_operator
            || bytes[start] == b'.'
            || bytes[start] == b'>' && start > 0 && bytes[start - 1] == b'-';
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::test_support::sample_program;

    fn predicate(function: &str, text: &str) -> PrecisionItem {
        PrecisionItem::Predicate(Condition::in_function(function, text))
    }

    #[test]
    fn merges_as_a_set() {
        let main = PrecisionScope::Function("main".into());
        let mut left = Precision::empty();
        assert!(left.insert(main.clone(), PrecisionItem::Variable("x".into())));
        assert!(!left.insert(main.clone(), PrecisionItem::Variable("x".into())));
        assert!(!left.insert(main, predicate("main", " 1 ")));
        let mut right = Precision::empty();
        right.insert(PrecisionScope::Location("before main:5:7:T".into()), predicate("main", "x < 3"));
        right.insert(PrecisionScope::Global, PrecisionItem::Variable("g".into()));
        let (mut one, mut other) = (left.clone(), right.clone());
        assert!(one.merge(&right) && other.merge(&left) && !one.merge(&left));
        assert_eq!(one, other);
        assert_eq!(one.items_at("main", "before main:5:7:T").count(), 3);
        assert_eq!(one.items_at("main", "main:entry").count(), 2);
        assert_eq!(one.items_at("helper", "helper:entry").count(), 1);
        let bytes = postcard::to_stdvec(&one).unwrap();
        assert_eq!(postcard::from_bytes::<Precision>(&bytes).unwrap(), one);
        assert_eq!(serde_json::from_str::<Precision>(&serde_json::to_string(&one).unwrap()).unwrap(), one);
    }

    #[test]
    fn predicates_become_their_variables() {
        let program = sample_program();
        let variables = |function, text| {
            let mut precision = Precision::empty();
            precision.insert(PrecisionScope::Function("main".into()), predicate(function, text));
            let result = precision.as_variables(&program);
            result.iter().map(|entry| format!("{:?}", entry.item)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(variables("main", "g > 0x1F && g < 10UL"), "Variable(\"g\")");
        // Two variables of main are named x; the global is hidden.
        assert_eq!(variables("main", "x == hidden"), "Variable(\"hidden_1\") Variable(\"x\") Variable(\"x_1\")");
        assert_eq!(variables("helper", "(int)x + hidden"), "Variable(\"hidden\") Variable(\"x_2\")");
        assert_eq!(variables("main", "s.x == p -> g || \"x\"[0] == 'x' || 1.e5x > .5g"), "");
        assert_eq!(variables("main", "'\\'' + g"), "Variable(\"g\")");
        assert_eq!(variables("main", "\"g"), "");
    }
}
