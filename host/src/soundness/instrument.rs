//! Puts checks into a program: each location gets branches before the edges that leave it, and these lead to a call
//! that must not happen if none of the analysis's states there allows the concrete state.

use super::claims::Claims;
use crate::frontend::parse_expression;
use crate::instrument::{Editor, FAILED};
use std::collections::BTreeMap;
use std::sync::Arc;
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::Scope;

/// The check of a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub location: LocationId,
    pub function: String,
    pub line: u32,
    /// One of these must hold; empty if the location must not be reached.
    pub invariants: Vec<String>,
    /// For a location with a single state: the part of its invariant that is checked here.
    pub part: Option<ExprId>,
}

/// Programs with more checks take long to compile: beyond this number, only some locations get theirs.
const MOST_PARTS: usize = 5_000;

/// A program with checks.
pub struct Instrumented {
    pub program: Arc<Program>,
    /// By the edge that is taken where a check fails.
    pub checks: BTreeMap<EdgeId, Check>,
    /// Edges that leave a location with a check: these are passed once for each state that was checked.
    pub behind: Vec<EdgeId>,
    /// Conditions that were inserted.
    pub parts: usize,
    /// Locations that must not be reached.
    pub forbidden: usize,
    /// Claims for which no code can be made.
    pub left_out: usize,
    /// The edges that compare values, if values are asked for.
    pub probes: Vec<(EdgeId, ExprId)>,
    /// Where the new locations of a check begin, and the location that it checks; ascending.
    owners: Vec<(LocationId, LocationId)>,
}

/// A claim that is not an expression over the variables of its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub location: LocationId,
    pub claim: String,
    pub why: String,
}

impl Instrumented {
    pub fn new(original: &Program, claims: &Claims, targets: &[EdgeId]) -> Result<Self, Unreadable> {
        Self::with_probes(original, claims, targets, None)
    }

    /// At one location, also compares the values of all places that its claims mention, so that comparisons record
    /// them.
    pub fn with_probes(
        original: &Program,
        claims: &Claims,
        targets: &[EdgeId],
        probed: Option<LocationId>,
    ) -> Result<Self, Unreadable> {
        let mut builder = Builder::new(original);
        let all: usize = claims.at.values().flatten().flatten().map(|claim| claim.matches("&&").count() + 1).sum();
        // A prime step comes to places of all kinds.
        let step = [1, 7, 31, 127, 509, 2039].into_iter().find(|step| all / step <= MOST_PARTS).unwrap_or(8191);
        for (index, matters) in leads_to(original, targets).into_iter().enumerate() {
            let location = LocationId::new(index);
            let function = original.location(location).function;
            let is_exit = original.function(function).body.is_some_and(|body| body.exit == location);
            if is_exit || original.location(location).leaving.is_empty() {
                continue;
            }
            match claims.at.get(&location).map(Vec::as_slice) {
                // An analysis may leave out locations that lead to no error.
                None if !matters => {}
                None => builder.forbid(location),
                Some(texts) if index.is_multiple_of(step) && !texts.contains(&None) => {
                    let texts: Vec<&String> = texts.iter().flatten().collect();
                    builder.check(original, location, &texts, probed == Some(location))?;
                }
                Some(_) => {}
            }
            builder.out.behind.extend(&original.location(location).leaving);
        }
        Ok(builder.finish())
    }

    /// A check at the location whose checks have this edge.
    pub fn check_with(&self, edge: EdgeId) -> Option<&Check> {
        let from = self.program.edge(edge).from;
        let before = self.owners.iter().rev().find(|(first, _)| *first <= from);
        let about = before.map_or(from, |(_, about)| *about);
        self.checks.values().find(|check| check.location == about)
    }

    /// What a failed check means, for messages.
    pub fn describe(&self, check: &Check) -> String {
        match (check.part, check.invariants.as_slice()) {
            (_, []) => "an execution comes here, but the analysis has no state for this location".into(),
            (Some(part), _) => {
                format!("`{}` does not hold, which the only state here claims", self.program.expr_to_c(part))
            }
            (None, all) => format!("none of the {} states here holds:\n    {}", all.len(), all.join("\n    ")),
        }
    }
}

/// By location: whether some way of the graph leads from it to one of the edges.
fn leads_to(program: &Program, edges: &[EdgeId]) -> Vec<bool> {
    let mut leads = vec![false; program.locations.len()];
    let mut work: Vec<LocationId> = edges.iter().map(|&edge| program.edge(edge).from).collect();
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut leads[at.index()], true) {
            work.extend(program.location(at).entering.iter().map(|&edge| program.edge(edge).from));
        }
    }
    leads
}

struct Builder {
    editor: Editor,
    out: Parts,
}

#[derive(Default)]
struct Parts {
    checks: BTreeMap<EdgeId, Check>,
    behind: Vec<EdgeId>,
    forbidden: usize,
    left_out: usize,
    probes: Vec<(EdgeId, ExprId)>,
    owners: Vec<(LocationId, LocationId)>,
}

impl Builder {
    fn new(original: &Program) -> Self {
        Builder { editor: Editor::new(original, FAILED), out: Parts::default() }
    }

    fn finish(self) -> Instrumented {
        let Parts { checks, behind, forbidden, left_out, probes, owners } = self.out;
        let parts = self.editor.parts;
        let program = Arc::new(self.editor.finish());
        Instrumented { program, checks, behind, parts, forbidden, left_out, probes, owners }
    }

    fn check(
        &mut self,
        original: &Program,
        location: LocationId,
        texts: &[&String],
        probed: bool,
    ) -> Result<(), Unreadable> {
        let mut roots = Vec::new();
        for claim in texts {
            let unreadable = |why: String| Unreadable { location, claim: claim.to_string(), why };
            let parsed = parse_expression(original, claim, Scope::Location(location));
            let parsed = parsed.map_err(|error| unreadable(error.message))?;
            let root = self.editor.expressions.add(original, &parsed).map_err(|error| unreadable(error.message))?;
            roots.push(root);
        }
        if !roots.iter().all(|&root| self.editor.can_branch(root)) {
            self.out.left_out += 1;
            return Ok(());
        }
        self.out.owners.push((LocationId::new(self.editor.program.locations.len()), location));
        let behind = self.editor.split(location);
        let mut at = location;
        if probed {
            at = self.editor.probe(at, &roots, &mut self.out.probes);
        }
        let invariants: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        let function = self.editor.program.location(location).function;
        match roots.as_slice() {
            [only] => {
                let conjuncts = self.editor.conjuncts(*only);
                let last = conjuncts.len().saturating_sub(1);
                for (number, part) in conjuncts.into_iter().enumerate() {
                    let next = if number == last { behind } else { self.editor.location(function) };
                    let failure = self.editor.location(function);
                    self.editor.branch(at, part, next, failure);
                    self.fail(location, failure, behind, invariants.clone(), Some(part));
                    at = next;
                }
            }
            several => {
                for &root in several {
                    let next = self.editor.location(function);
                    self.editor.branch(at, root, behind, next);
                    at = next;
                }
                self.fail(location, at, behind, invariants, None);
            }
        }
        Ok(())
    }

    fn forbid(&mut self, location: LocationId) {
        let behind = self.editor.split(location);
        self.out.forbidden += 1;
        self.fail(location, location, behind, Vec::new(), None);
    }

    /// An edge that must not be taken.
    fn fail(
        &mut self,
        about: LocationId,
        from: LocationId,
        to: LocationId,
        invariants: Vec<String>,
        part: Option<ExprId>,
    ) {
        let call = self.editor.fail(from, to);
        let program = &self.editor.program;
        let behind = program.locations[to.index()].leaving.first();
        let line = behind.map_or(0, |&edge| program.edge(edge).span.line);
        let function = program.function(program.location(about).function).name.clone();
        self.out.checks.insert(call, Check { location: about, function, line, invariants, part });
    }
}
