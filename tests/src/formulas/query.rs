//! The queries of the comparison: values under the inputs of a run, and models.

use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;
use tandem::exec::Executable;
use tandem::smt::encode::Encoder;
use tandem::smt::solver::{Answer, Limits, Queries, Solver};
use tandem::smt::state::{Input, State};
use tandem::smt::term::{Assignment, Node, Symbol, Term, Terms, Value};
use tandem_plugin_api::program::VarId;

/// A valuation, with what was computed under it.
#[derive(Default)]
pub struct Valuation {
    pub assignment: Assignment,
    known: FxHashMap<Term, Option<Value>>,
}

impl Valuation {
    pub fn of(assignment: Assignment) -> Self {
        Valuation { assignment, known: FxHashMap::default() }
    }

    pub fn value(&mut self, terms: &Terms, term: Term) -> Option<Value> {
        terms.evaluate(term, &self.assignment, &mut self.known)
    }

    pub fn truth(&mut self, terms: &Terms, term: Term) -> Option<bool> {
        self.value(terms, term).and_then(|value| value.as_bool())
    }

    pub fn set(&mut self, symbol: Symbol, value: Value) {
        // Computed values stay right unless they were unknown for lack of this value.
        self.known.retain(|_, value| value.is_some());
        self.assignment.values.insert(symbol, value);
    }

    /// Gives an input the bits that a run read.
    pub fn set_input(&mut self, terms: &Terms, input: &Input, bits: u64) {
        if let Some(symbol) = input_symbol(terms, input.value) {
            let value = match terms.symbol_sort(symbol) {
                tandem::smt::term::Sort::Bool => Value::Bool(bits & 1 != 0),
                _ => Value::Bits(bits.into()),
            };
            self.set(symbol, value);
        }
    }

    /// Puts the globals where execution has them.
    pub fn place_globals(&mut self, encoder: &Encoder, state: &State, executable: &Executable) {
        for id in 0..encoder.program.variables.len() {
            let id = VarId::new(id);
            if let (Some(base), Some(address)) = (encoder.address_of_variable(state, id), executable.address(id))
                && let Node::Symbol(symbol) = encoder.terms.node(base)
            {
                self.set(symbol, Value::Bits(address.into()));
            }
        }
    }
}

/// The symbol that an input's value is made of.
pub fn input_symbol(terms: &Terms, value: Term) -> Option<Symbol> {
    match terms.node(value) {
        Node::Symbol(symbol) => Some(symbol),
        _ => terms.operands(value).find_map(|operand| input_symbol(terms, operand)),
    }
}

/// The inputs of a state in the order in which they are read.
pub fn inputs(state: &State) -> Vec<Input> {
    let mut list = state.inputs.entries();
    list.sort_by_key(|input| input.order);
    list
}

/// Asks with what is known of addresses.
pub fn check(encoder: &mut Encoder, solver: &mut Queries, conditions: &[Term], time: Duration) -> Answer {
    let (bases, _) = reachable(encoder, conditions);
    let mut all = conditions.to_vec();
    all.extend(encoder.address_facts(&bases));
    solver.check(&encoder.terms, &all, &Limits::time(time))
}

/// The addresses and the other terms that conditions are made of.
pub fn reachable(encoder: &Encoder, conditions: &[Term]) -> (Vec<Term>, Vec<Term>) {
    let mut seen = FxHashSet::default();
    let (mut bases, mut others) = (Vec::new(), Vec::new());
    let mut work = conditions.to_vec();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        if encoder.is_base(term) {
            bases.push(term);
        } else {
            others.push(term);
        }
        work.extend(encoder.terms.operands(term));
    }
    bases.sort_unstable();
    others.sort_unstable();
    (bases, others)
}

/// What a term that has no value under a valuation depends on, beside inputs.
pub fn dependence(encoder: &Encoder, valuation: &mut Valuation, term: Term) -> Option<&'static str> {
    let terms = &encoder.terms;
    let mut seen = FxHashSet::default();
    let mut work = vec![term];
    let mut cause = None;
    while let Some(term) = work.pop() {
        // A term with a value needs no reason.
        if !seen.insert(term) || valuation.value(terms, term).is_some() {
            continue;
        }
        let found = match terms.node(term) {
            Node::Symbol(_) if encoder.is_base(term) => Some("addresses"),
            Node::Symbol(symbol) => Some(match terms.symbol_name(symbol) {
                "any" | "result" => "results of functions without a body",
                "either zero" => "the sign of a zero",
                _ => "memory without a value",
            }),
            Node::FloatToBits(_) => Some("bits of a NaN"),
            Node::FloatToInt { .. } => Some("floats that do not fit into an integer"),
            Node::FloatUnary(..) | Node::FloatTest(..) => Some("floats that are not evaluated"),
            _ => None,
        };
        let operands_lack = terms.operands(term).any(|operand| valuation.value(terms, operand).is_none());
        if found.is_some() && (!operands_lack || matches!(terms.node(term), Node::Symbol(_))) {
            cause = cause.or(found);
        }
        work.extend(terms.operands(term));
    }
    cause
}
