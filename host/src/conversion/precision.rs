//! The usable part of a given precision: the items whose names the program has.

use crate::frontend::parse_expression;
use tandem_plugin_api::artifact::{Precision, PrecisionEntry, PrecisionItem, PrecisionScope};
use tandem_plugin_api::program::{EdgeNames, LocationNames, Program};
use tandem_plugin_api::service::Scope;

/// The items of a precision for this program, and how many other items there are: they may be about another program.
pub fn meant_for(precision: &Precision, program: &Program) -> (Precision, usize) {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let mut known = Precision::empty();
    let mut others = 0;
    for PrecisionEntry { scope, item } in precision.iter() {
        if is_known(scope, item, program, &names) {
            known.insert(scope.clone(), item.clone());
        } else {
            others += 1;
        }
    }
    (known, others)
}

fn is_known(scope: &PrecisionScope, item: &PrecisionItem, program: &Program, names: &LocationNames) -> bool {
    let location = match scope {
        PrecisionScope::Global => None,
        PrecisionScope::Function(name) if program.function_named(name).is_none() => return false,
        PrecisionScope::Function(_) => None,
        PrecisionScope::Location(name) => match names.location(name) {
            None => return false,
            found => found,
        },
    };
    match item {
        PrecisionItem::Variable(name) => program.variables.iter().any(|variable| variable.unique_name == **name),
        PrecisionItem::Predicate(predicate) => {
            let function = predicate.scope().map(|name| program.function_named(name));
            let viewpoint = match (location, function) {
                (_, Some(None)) => return false,
                (Some(location), _) => Scope::Location(location),
                (None, Some(Some(function))) => Scope::Function(function),
                (None, None) => Scope::Global,
            };
            parse_expression(program, predicate.text(), viewpoint).is_ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::artifact::Condition;
    use tandem_plugin_api::program::DataModel;

    fn sample() -> Precision {
        let mut precision = Precision::empty();
        precision.insert(PrecisionScope::Global, PrecisionItem::Variable("x".into()));
        let predicate = PrecisionItem::Predicate(Condition::in_function("main", "y < 3"));
        precision.insert(PrecisionScope::Function("main".into()), predicate.clone());
        precision.insert(PrecisionScope::Location("main:entry".into()), predicate);
        precision.insert(PrecisionScope::Global, PrecisionItem::Predicate(Condition::global("x == 1")));
        precision
    }

    #[test]
    fn what_other_programs_have_is_counted() {
        let text = "int x; int main(void) { int y = 0; while (y < 3) y++; return x; }";
        let program = load_text(text, "p.c", DataModel::Ilp32).unwrap();
        let (known, others) = meant_for(&sample(), &program);
        assert_eq!((known.len(), others), (4, 0));
        let other = load_text("int main(void) { return 0; }", "p.c", DataModel::Ilp32).unwrap();
        let (known, others) = meant_for(&sample(), &other);
        assert_eq!((known.len(), others), (0, 4));
    }
}
