//! Puts checks into a program: each location gets branches before the edges that leave it, which lead to a call that must not
//! happen where none of the states that the analysis has there allows what is the case.

use super::claims::Claims;
use crate::frontend::parse_expression;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::Scope;
use tandem_plugin_api::service::formulas::Expressions;

/// What is checked at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub location: LocationId,
    pub function: String,
    pub line: u32,
    /// One of these must hold; none if the location must not be reached.
    pub invariants: Vec<String>,
    /// The part of the only one that is checked here.
    pub part: Option<ExprId>,
}

/// Programs with more checks take long to compile: beyond these, only some locations get theirs.
const MOST_PARTS: usize = 5_000;

/// A program with checks.
pub struct Instrumented {
    pub program: Arc<Program>,
    /// By the edge that is taken where a check fails.
    pub checks: BTreeMap<EdgeId, Check>,
    /// Edges that leave a location with a check: these are passed once for each state that was checked.
    pub behind: Vec<EdgeId>,
    /// Conditions that were put in.
    pub parts: usize,
    /// Locations that must not be reached.
    pub forbidden: usize,
    /// Claims that no code can be made for.
    pub left_out: usize,
    /// Where values were asked for: the edges that compare them.
    pub probes: Vec<(EdgeId, ExprId)>,
    /// Where the new locations of a check begin, and what it is about; ascending.
    owners: Vec<(LocationId, LocationId)>,
}

/// A claim that is no expression over the variables of its place.
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

    /// At one location, also the values of all that its claims mention are compared, for whoever records that.
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
                // An analysis may leave out what leads to no error.
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

    /// What a failed check says.
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
    program: Program,
    expressions: Expressions,
    /// The function that is called where a check fails.
    failed: Option<FunctionId>,
    out: Parts,
}

#[derive(Default)]
struct Parts {
    checks: BTreeMap<EdgeId, Check>,
    behind: Vec<EdgeId>,
    parts: usize,
    forbidden: usize,
    left_out: usize,
    probes: Vec<(EdgeId, ExprId)>,
    owners: Vec<(LocationId, LocationId)>,
}

impl Builder {
    fn new(original: &Program) -> Self {
        let (program, expressions) = (original.clone(), Expressions::of(original));
        Builder { program, expressions, failed: None, out: Parts::default() }
    }

    fn finish(mut self) -> Instrumented {
        let Parts { checks, behind, parts, forbidden, left_out, probes, owners } = self.out;
        self.program.types = self.expressions.types;
        self.program.exprs = self.expressions.exprs;
        let program = Arc::new(self.program);
        Instrumented { program, checks, behind, parts, forbidden, left_out, probes, owners }
    }

    fn location(&mut self, function: FunctionId) -> LocationId {
        self.program.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
        LocationId::new(self.program.locations.len() - 1)
    }

    fn edge(&mut self, from: LocationId, to: LocationId, op: Op) -> EdgeId {
        let id = EdgeId::new(self.program.edges.len());
        self.program.edges.push(Edge { from, to, op, span: Span::NOWHERE, settles: None });
        self.program.locations[from.index()].leaving.push(id);
        self.program.locations[to.index()].entering.push(id);
        id
    }

    /// Moves what leaves a location behind a new one.
    fn split(&mut self, location: LocationId) -> LocationId {
        let function = self.program.location(location).function;
        let behind = self.location(function);
        let leaving = std::mem::take(&mut self.program.locations[location.index()].leaving);
        for &edge in &leaving {
            self.program.edges[edge.index()].from = behind;
        }
        self.program.locations[behind.index()].leaving = leaving;
        behind
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
            let root = self.expressions.add(original, &parsed).map_err(|error| unreadable(error.message))?;
            roots.push(root);
        }
        if !roots.iter().all(|&root| self.can_branch(root)) {
            self.out.left_out += 1;
            return Ok(());
        }
        self.out.owners.push((LocationId::new(self.program.locations.len()), location));
        let behind = self.split(location);
        let mut at = location;
        if probed {
            at = self.probe(at, &roots);
        }
        let invariants: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        let function = self.program.location(location).function;
        match roots.as_slice() {
            [only] => {
                let conjuncts = self.conjuncts(*only);
                let last = conjuncts.len().saturating_sub(1);
                for (number, part) in conjuncts.into_iter().enumerate() {
                    let next = if number == last { behind } else { self.location(function) };
                    let failure = self.location(function);
                    self.branch(at, part, next, failure);
                    self.fail(location, failure, behind, invariants.clone(), Some(part));
                    at = next;
                }
            }
            several => {
                for &root in several {
                    let next = self.location(function);
                    self.branch(at, root, behind, next);
                    at = next;
                }
                self.fail(location, at, behind, invariants, None);
            }
        }
        Ok(())
    }

    /// Compares all places that expressions mention with zero, one after the other.
    fn probe(&mut self, mut at: LocationId, roots: &[ExprId]) -> LocationId {
        let mut places = BTreeSet::new();
        for &root in roots {
            self.expressions.exprs.walk(root, &mut |id| {
                let ty = self.expressions.exprs.ty(id);
                let is_word = self.expressions.types.is_integer(ty) || self.expressions.types.is_pointer(ty);
                if is_word && self.is_fixed_place(id) {
                    places.insert(id);
                }
            });
        }
        let function = self.program.location(at).function;
        let int = self.expressions.types.int(IntKind::Int);
        for place in places {
            let zero = self.expressions.exprs.intern(ExprKind::Int(0), self.expressions.exprs.ty(place));
            let differs = ExprKind::Binary { op: BinaryOp::Ne, lhs: place, rhs: zero };
            let condition = self.expressions.exprs.intern(differs, int);
            let next = self.location(function);
            for holds in [true, false] {
                let edge = self.edge(at, next, Op::Assume { condition, holds });
                self.out.probes.push((edge, place));
            }
            at = next;
        }
        at
    }

    /// A place that can be read without fear.
    fn is_fixed_place(&self, id: ExprId) -> bool {
        match self.expressions.exprs.kind(id) {
            ExprKind::Var(_) => true,
            ExprKind::Field { base, .. } => self.is_fixed_place(base),
            ExprKind::Index { base, index } => {
                self.is_fixed_place(base) && self.expressions.exprs.as_int(index).is_some()
            }
            _ => false,
        }
    }

    fn conjuncts(&self, root: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            match self.expressions.exprs.kind(id) {
                ExprKind::And { lhs, rhs } => work.extend([rhs, lhs]),
                _ => found.push(id),
            }
        }
        found
    }

    /// Whether code can be made for a condition: `&&`, `||` and `?:` become branches, and have none inside of other operators.
    fn can_branch(&self, id: ExprId) -> bool {
        match self.expressions.exprs.kind(id) {
            ExprKind::And { lhs, rhs } | ExprKind::Or { lhs, rhs } => self.can_branch(lhs) && self.can_branch(rhs),
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|part| self.can_branch(part))
            }
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => self.can_branch(operand),
            _ => {
                let mut plain = true;
                self.expressions.exprs.walk(id, &mut |part| {
                    let kind = self.expressions.exprs.kind(part);
                    plain &= !matches!(
                        kind,
                        ExprKind::And { .. } | ExprKind::Or { .. } | ExprKind::Conditional { .. } | ExprKind::Zeroed
                    );
                });
                plain
            }
        }
    }

    fn branch(&mut self, at: LocationId, id: ExprId, yes: LocationId, no: LocationId) {
        let function = self.program.location(at).function;
        match self.expressions.exprs.kind(id) {
            ExprKind::And { lhs, rhs } => {
                let middle = self.location(function);
                self.branch(at, lhs, middle, no);
                self.branch(middle, rhs, yes, no);
            }
            ExprKind::Or { lhs, rhs } => {
                let middle = self.location(function);
                self.branch(at, lhs, yes, middle);
                self.branch(middle, rhs, yes, no);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (first, second) = (self.location(function), self.location(function));
                self.branch(at, condition, first, second);
                self.branch(first, then, yes, no);
                self.branch(second, otherwise, yes, no);
            }
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => self.branch(at, operand, no, yes),
            _ => {
                self.out.parts += 1;
                self.edge(at, yes, Op::Assume { condition: id, holds: true });
                self.edge(at, no, Op::Assume { condition: id, holds: false });
            }
        }
    }

    fn forbid(&mut self, location: LocationId) {
        let behind = self.split(location);
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
        let callee = self.failure_function();
        let site = CallSiteId::new(self.program.call_sites.len());
        let call = self.edge(from, to, Op::External(site));
        let callee = Callee::Function(callee);
        self.program.call_sites.push(CallSite { callee, arguments: Vec::new(), result: None, call, resume: None });
        let behind = self.program.locations[to.index()].leaving.first();
        let line = behind.map_or(0, |&edge| self.program.edge(edge).span.line);
        let function = self.program.function(self.program.location(about).function).name.clone();
        self.out.checks.insert(call, Check { location: about, function, line, invariants, part });
    }

    fn failure_function(&mut self) -> FunctionId {
        if let Some(known) = self.failed {
            return known;
        }
        let void = self.expressions.types.intern(Type::Void);
        let kind = Type::Function { result: void, parameters: Vec::new(), variadic: false, prototyped: true };
        let ty = self.expressions.types.intern(kind);
        let id = FunctionId::new(self.program.functions.len());
        self.program.functions.push(Function {
            name: "__tandem_check_failed".into(),
            ty,
            parameters: Vec::new(),
            locals: Vec::new(),
            result: None,
            body: None,
            labels: Vec::new(),
            span: Span::NOWHERE,
            address_taken: false,
        });
        self.failed = Some(id);
        id
    }
}
