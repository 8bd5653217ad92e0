//! Puts checks into a program: each location gets a chain of branches before the edges that leave it.

use super::Claims;
use super::expression::conjuncts;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use tandem_plugin_api::program::*;

/// A claim about a location.
#[derive(Clone, Debug)]
pub struct Check {
    pub location: LocationId,
    pub function: String,
    pub line: u32,
    /// None if the location must not be reached.
    pub conjunct: Option<String>,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Check { location, function, line, conjunct } = self;
        match conjunct {
            Some(text) => write!(f, "`{text}` does not hold at {location} in {function}, line {line}"),
            None => write!(f, "{location} in {function}, line {line}, is reached"),
        }
    }
}

/// Programs with more checks take long to compile: beyond these, only some locations get theirs.
const MOST_CONJUNCTS: usize = 10_000;

/// A program with checks.
pub struct Instrumented {
    pub program: Arc<Program>,
    /// By the edge that is taken where a check fails.
    pub checks: BTreeMap<EdgeId, Check>,
    pub conjuncts: usize,
    pub unreached: usize,
}

impl Instrumented {
    pub fn new(original: &Program, claims: &Claims) -> Result<Self, String> {
        let mut this = Builder { program: original.clone(), checks: BTreeMap::new(), failed: None, conjuncts: 0 };
        let mut unreached = 0;
        let all: usize = claims.values().flatten().flatten().map(|claim| claim.matches(" && ").count() + 1).sum();
        // A prime step comes to places of all kinds.
        let step = [1, 7, 31, 127, 509, 2039].into_iter().find(|step| all / step <= MOST_CONJUNCTS).unwrap_or(8191);
        for index in 0..original.locations.len() {
            let location = LocationId::new(index);
            let function = original.location(location).function;
            let is_exit = original.function(function).body.is_some_and(|body| body.exit == location);
            if is_exit || original.location(location).leaving.is_empty() {
                continue;
            }
            match claims.get(&location).map(Vec::as_slice) {
                None => {
                    unreached += 1;
                    this.forbid(location);
                }
                Some([Some(claim)]) if index.is_multiple_of(step) => this.check(location, function, claim)?,
                // Several states of one location are alternatives; they are not looked at.
                Some(_) => {}
            }
        }
        let problems = this.program.problems();
        if let Some(problem) = problems.first() {
            return Err(format!("the program with checks is broken: {problem}"));
        }
        Ok(Instrumented { program: Arc::new(this.program), checks: this.checks, conjuncts: this.conjuncts, unreached })
    }
}

struct Builder {
    program: Program,
    checks: BTreeMap<EdgeId, Check>,
    /// The function that is called where a check fails.
    failed: Option<FunctionId>,
    conjuncts: usize,
}

impl Builder {
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

    fn check(&mut self, location: LocationId, function: FunctionId, claim: &str) -> Result<(), String> {
        let parts = conjuncts(&mut self.program, function, claim)?;
        let behind = self.split(location);
        let mut at = location;
        let count = parts.len();
        for (number, (condition, text)) in parts.into_iter().enumerate() {
            let next = if number + 1 == count { behind } else { self.location(function) };
            let failure = self.location(function);
            self.edge(at, next, Op::Assume { condition, holds: true });
            self.edge(at, failure, Op::Assume { condition, holds: false });
            self.fail(location, failure, behind, Some(text));
            at = next;
            self.conjuncts += 1;
        }
        Ok(())
    }

    fn forbid(&mut self, location: LocationId) {
        let behind = self.split(location);
        self.fail(location, location, behind, None);
    }

    /// An edge that must not be taken.
    fn fail(&mut self, about: LocationId, from: LocationId, to: LocationId, conjunct: Option<String>) {
        let callee = self.failure_function();
        let site = CallSiteId::new(self.program.call_sites.len());
        let call = self.edge(from, to, Op::External(site));
        let callee = Callee::Function(callee);
        self.program.call_sites.push(CallSite { callee, arguments: Vec::new(), result: None, call, resume: None });
        let behind = self.program.locations[to.index()].leaving.first();
        let line = behind.map_or(0, |&edge| self.program.edge(edge).span.line);
        let function = self.program.function(self.program.location(about).function).name.clone();
        self.checks.insert(call, Check { location: about, function, line, conjunct });
    }

    fn failure_function(&mut self) -> FunctionId {
        if let Some(known) = self.failed {
            return known;
        }
        let void = self.program.types.intern(Type::Void);
        let kind = Type::Function { result: void, parameters: Vec::new(), variadic: false, prototyped: true };
        let ty = self.program.types.intern(kind);
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
