//! Turns invariants that other actors claim into candidates. No claim is believed: each is checked like the engine's
//! own candidates. Also turns checked candidates into invariants for others.

use super::{Candidates, Unrolling};
use crate::artifact::{Condition, Gia, Invariant, InvariantKind, Invariants};
use crate::error::Result;
use crate::program::print_c::{Names, expression};
use crate::program::{EdgeNames, ExprId, ExprKind, LocationId, LocationNames, Program};
use crate::service::formulas::Expressions;
use crate::service::{Artifact, Host, Scope};
use crate::task::Inputs;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Collects claims about loop heads; every claim is looked at once.
pub struct Hints {
    program: Arc<Program>,
    names: LocationNames,
    heads: BTreeSet<LocationId>,
    seen: BTreeSet<(LocationId, Condition)>,
    /// Claims that were not turned into candidates yet.
    new: Vec<(LocationId, Condition)>,
}

impl Hints {
    pub fn new(program: &Arc<Program>) -> Self {
        let mut unrolling = Unrolling::new(Arc::clone(program));
        let locations = (0..program.locations.len()).map(LocationId::new);
        let heads = locations.filter(|&at| unrolling.order(program.location(at).function).is_head(at)).collect();
        let names = LocationNames::new(program, &EdgeNames::new(program));
        Hints { program: Arc::clone(program), names, heads, seen: BTreeSet::new(), new: Vec::new() }
    }

    /// Takes the claims that the actor got when it started.
    pub fn take_inputs(&mut self, inputs: &Inputs) {
        if let Some(invariants) = &inputs.invariants {
            self.take_invariants(invariants);
        }
        self.take_gia(&inputs.gia);
    }

    /// Takes the claims that others published since the last time.
    pub fn take_incoming(&mut self, host: &Host) -> Result<()> {
        for artifact in host.incoming()? {
            match artifact {
                Artifact::Invariants(invariants) => self.take_invariants(&invariants),
                Artifact::Gia(gia) => self.take_gia(&gia),
                _ => {}
            }
        }
        Ok(())
    }

    fn take_invariants(&mut self, invariants: &Invariants) {
        for invariant in invariants.iter() {
            if let Some(location) = self.names.location(&invariant.location) {
                self.take(location, &invariant.expression);
            }
        }
    }

    /// An invariant of a state is claimed wherever an edge leads into the state.
    fn take_gia(&mut self, gia: &Gia) {
        for transition in gia.transitions() {
            let invariant = &gia.state(transition.target).invariant;
            for edge in transition.edges.edges().unwrap_or_default() {
                if edge.index() < self.program.edges.len() {
                    self.take(self.program.edge(*edge).to, invariant);
                }
            }
        }
    }

    /// The claims that were not turned into candidates yet.
    pub fn into_claims(self) -> Vec<(LocationId, Condition)> {
        self.new
    }

    fn take(&mut self, location: LocationId, claim: &Condition) {
        let says_nothing = claim.is_true() || claim.is_blank();
        if !says_nothing && self.heads.contains(&location) && self.seen.insert((location, claim.clone())) {
            self.new.push((location, claim.clone()));
        }
    }

    /// Adds the new claims to the candidates, conjunct by conjunct, and their expressions to the pool. Returns how many
    /// candidates are new. Text that cannot be read as an expression here is skipped with a debug message.
    pub fn add_to(&mut self, candidates: &mut Candidates, pool: &mut Expressions, host: &Host) -> usize {
        let mut added = 0;
        for (location, claim) in std::mem::take(&mut self.new) {
            let scope = match claim.scope() {
                Some(name) if self.program.function_named(name) != Some(self.program.location(location).function) => {
                    host.debug(&format!("`{}` is about another function than its place", claim.text()));
                    continue;
                }
                _ => Scope::Location(location),
            };
            let read = host.parse_expression(claim.text(), scope);
            let root = read.and_then(|parsed| pool.add(&self.program, &parsed));
            match root {
                Ok(root) => {
                    let list = candidates.entry(location).or_default();
                    for part in conjuncts(pool, root) {
                        if !list.contains(&part) {
                            list.push(part);
                            added += 1;
                        }
                    }
                }
                Err(error) => host.debug(&format!("`{}` cannot be used as an invariant: {error}", claim.text())),
            }
        }
        added
    }
}

/// The parts of a conjunction.
fn conjuncts(pool: &Expressions, root: ExprId) -> Vec<ExprId> {
    let (mut open, mut parts) = (vec![root], Vec::new());
    while let Some(expr) = open.pop() {
        match pool.exprs.kind(expr) {
            ExprKind::And { lhs, rhs } => open.extend([rhs, lhs]),
            _ => parts.push(expr),
        }
    }
    parts
}

/// Candidates as invariants for others. `checked` says that they hold at every visit of their places.
pub fn as_invariants(
    program: &Program,
    pool: &Expressions,
    candidates: &Candidates,
    origin: &str,
    checked: bool,
) -> Invariants {
    let program = pool.with(program);
    let names = LocationNames::new(&program, &EdgeNames::new(&program));
    let mut heads: Vec<LocationId> = candidates.keys().copied().collect();
    heads.sort_unstable();
    let mut invariants = Invariants::new();
    for head in heads {
        let function = program.function(program.location(head).function);
        for &candidate in candidates.get(&head).into_iter().flatten() {
            invariants.insert(Invariant {
                location: Arc::clone(names.name(head)),
                kind: InvariantKind::Loop,
                expression: Condition::in_function(
                    function.name.as_str(),
                    expression(&program, candidate, Names::Source),
                ),
                origin: origin.to_string(),
                checked,
            });
        }
    }
    invariants
}
