//! Finds whose names the expressions of an automaton use if they do not say so: those of the function of the edge.

use crate::artifact::condition_automaton::normal::tokens;
use crate::artifact::condition_automaton::parse::Expression;
use crate::diagnostic::{Diagnostic, did_you_mean};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use tandem_plugin_api::artifact::{Condition, EdgeSet};
use tandem_plugin_api::program::{EdgeId, FunctionId, Program};

const SCOPE_HELP: &str = "say whose names are meant: `SCOPE function{…}`";

pub(in crate::artifact::condition_automaton) struct Scopes<'p> {
    program: &'p Program,
    /// By function: the names that stand for something of its own there.
    local: Vec<FxHashSet<&'p str>>,
}

impl<'p> Scopes<'p> {
    pub fn of(program: &'p Program) -> Self {
        let mut local = vec![FxHashSet::default(); program.functions.len()];
        for variable in &program.variables {
            if let Some(function) = variable.function {
                local[function.index()].extend([variable.name.as_str(), variable.unique_name.as_str()]);
            }
        }
        Scopes { program, local }
    }

    /// Whether the text names something that only this function sees.
    pub fn is_local(&self, text: &str, function: FunctionId) -> bool {
        tokens(text).iter().any(|word| self.local[function.index()].contains(word))
    }

    /// The conjunction of the expressions, by edges; edges where it is false are left out.
    pub fn bind(&self, edges: &EdgeSet, all: &[Expression]) -> Result<Vec<(EdgeSet, Condition)>, Diagnostic> {
        let Some(first) = all.first() else { return Ok(vec![(edges.clone(), Condition::always())]) };
        let Some(text) = conjunction(all) else { return Ok(Vec::new()) };
        if let Some(scope) = self.scope(all)? {
            return Ok(vec![(edges.clone(), Condition::in_function(scope, text))]);
        }
        let functions = || (0..self.program.functions.len()).map(FunctionId::new);
        if !functions().any(|function| self.is_local(&text, function)) {
            return Ok(vec![(edges.clone(), Condition::global(text))]);
        }
        let mut groups: BTreeMap<Option<FunctionId>, Vec<EdgeId>> = BTreeMap::new();
        let mut add = |edge: EdgeId| {
            let (from, to) = (self.program.edge(edge).from, self.program.edge(edge).to);
            let function = self.program.location(to).function;
            let local = self.is_local(&text, function);
            if self.program.location(from).function != function
                && (local || self.is_local(&text, self.program.location(from).function))
            {
                let message = format!("it is not clear whose names `{text}` uses on a call or return");
                return Err(first.place.problem(message).help(SCOPE_HELP));
            }
            groups.entry(local.then_some(function)).or_default().push(edge);
            Ok(())
        };
        match edges.edges() {
            Some(edges) => edges.iter().try_for_each(|edge| add(*edge))?,
            None => self.program.edge_ids().try_for_each(add)?,
        }
        let condition = |function: Option<FunctionId>| {
            Condition::new(function.map(|function| self.program.function(function).name.clone()), text.clone())
        };
        Ok(groups.into_iter().map(|(function, edges)| (EdgeSet::of(edges), condition(function))).collect())
    }

    /// The invariant of a state that these edges enter, from its expressions.
    pub fn invariant<'e>(
        &self,
        all: &[Expression],
        entering: impl Iterator<Item = &'e EdgeSet>,
    ) -> Result<Condition, Diagnostic> {
        let Some(text) = conjunction(all) else { return Ok(Condition::global("0")) };
        if let Some(scope) = self.scope(all)? {
            return Ok(Condition::in_function(scope, text));
        }
        let named: Vec<FunctionId> = (0..self.program.functions.len())
            .map(FunctionId::new)
            .filter(|function| self.is_local(&text, *function))
            .collect();
        let mut entered: Vec<FunctionId> = entering
            .flat_map(|edges| edges.edges().unwrap_or_default())
            .map(|edge| self.program.location(self.program.edge(*edge).to).function)
            .collect();
        entered.sort_unstable();
        entered.dedup();
        let function = match (named.as_slice(), entered.as_slice()) {
            ([], _) => return Ok(Condition::global(text)),
            ([only], _) => *only,
            (_, [only]) => *only,
            _ => {
                let place = &all[0].place;
                let message = format!("it is not clear whose names the invariant `{text}` uses");
                return Err(place.problem(message).help(SCOPE_HELP));
            }
        };
        Ok(Condition::in_function(self.program.function(function).name.clone(), text))
    }

    fn scope(&self, all: &[Expression]) -> Result<Option<String>, Diagnostic> {
        let mut found: Option<&str> = None;
        for expression in all {
            let Some(scope) = expression.scope.as_deref() else { continue };
            if self.program.function_named(scope).is_none() {
                let functions = self.program.functions.iter().map(|function| function.name.as_str());
                let near = did_you_mean(scope, functions);
                let help = near.map_or("check the name".to_string(), |near| format!("did you mean `{near}`?"));
                let message = format!("the program has no function `{scope}`");
                return Err(expression.place.problem(message).help(help));
            }
            if found.is_some_and(|other| other != scope) {
                let problem = expression.place.problem("one transition uses the names of two functions");
                return Err(problem.help("use one SCOPE per transition"));
            }
            found = Some(scope);
        }
        Ok(found.map(str::to_string))
    }
}

/// All expressions, and all their parts between semicolons, as one; `None` if one of them is false.
fn conjunction(all: &[Expression]) -> Option<String> {
    let parts: Vec<&str> = all.iter().flat_map(|expression| split(&expression.text)).collect();
    if parts.iter().any(|part| ["false", "0", "FALSE"].contains(part)) {
        return None;
    }
    let parts: Vec<&str> = parts.into_iter().filter(|part| !["true", "1", "TRUE"].contains(part)).collect();
    Some(match parts.as_slice() {
        [] => "true".to_string(),
        [only] => (*only).to_string(),
        several => several.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" && "),
    })
}

/// At semicolons outside of literals.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut cuts = vec![0];
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, ';') => cuts.extend([at, at + 1]),
            _ => {}
        }
    }
    cuts.push(text.len());
    let pieces: Vec<&str> = cuts.chunks(2).map(|cut| text[cut[0]..cut[1]].trim()).collect();
    pieces.into_iter().filter(|piece| !piece.is_empty())
}
