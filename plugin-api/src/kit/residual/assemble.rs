//! Writes the graph of a residual program down as a [`Program`]: clones of functions with variables of their own, and
//! an `exit(0)` where everything that would follow is covered already.

use super::ending::{add_ending, ending_function};
use super::graph::{CloneId, Graph, Node, NodeId, Target, Way};
use crate::program::{
    Body, CallSite, CallSiteId, Callee, Edge, EdgeId, ExprId, ExprKind, Function, FunctionId, Location, LocationId,
    Loop, Op, Outcome, Program, Span, VarId,
};
use crate::reducer::Residual;
use crate::service::formulas::Expressions;
use rustc_hash::{FxHashMap, FxHashSet};

pub fn assemble(original: &Program, expressions: Expressions, graph: &Graph) -> Residual {
    let Expressions { types, exprs } = expressions;
    let mut program = Program { types, exprs, ..original.clone() };
    program.source_sha256.clear();
    program.locations.clear();
    program.edges.clear();
    program.call_sites.clear();
    program.loops.clear();
    let end = ending_function(&mut program);
    let mut writer = Writer {
        original,
        graph,
        program,
        origin: Vec::new(),
        end,
        clones: Vec::new(),
        places: Vec::new(),
        heads: original.loops.iter().map(|known| (known.head, known.keyword)).collect(),
    };
    writer.declare_clones();
    for (number, node) in graph.nodes.iter().enumerate() {
        if let Some(from) = writer.places[number] {
            writer.node(node, from);
        }
    }
    writer.stubs();
    Residual { program: writer.program, origin: writer.origin }
}

/// A clone under construction.
struct Written {
    function: FunctionId,
    exit: LocationId,
    /// The location where the program ends; made when it is needed.
    sink: Option<LocationId>,
    /// Empty for the first clone, which has the original's variables.
    variables: FxHashMap<VarId, VarId>,
    exprs: FxHashMap<ExprId, ExprId>,
}

struct Writer<'a> {
    original: &'a Program,
    graph: &'a Graph,
    program: Program,
    origin: Vec<Option<EdgeId>>,
    end: FunctionId,
    clones: Vec<Written>,
    /// By node; `None` for nodes that nothing leads to.
    places: Vec<Option<LocationId>>,
    heads: FxHashMap<LocationId, Span>,
}

impl Writer<'_> {
    fn declare_clones(&mut self) {
        let mut names: FxHashSet<String> = self.original.functions.iter().map(|f| f.name.clone()).collect();
        let mut seen: FxHashMap<FunctionId, u32> = FxHashMap::default();
        for function in &mut self.program.functions {
            function.body = None;
            function.labels.clear();
        }
        for clone in &self.graph.clones {
            let count = seen.entry(clone.function).or_default();
            *count += 1;
            let first = *count == 1;
            let id = if first { clone.function } else { FunctionId::new(self.program.functions.len()) };
            let mut variables = FxHashMap::default();
            if !first {
                let copy = self.copy_of(clone.function, id, *count, &mut names, &mut variables);
                self.program.functions.push(copy);
            }
            let exit = self.place(id);
            self.clones.push(Written { function: id, exit, sink: None, variables, exprs: FxHashMap::default() });
        }
        let live = self.graph.live();
        for (node, live) in self.graph.nodes.iter().zip(live) {
            let clone = &self.clones[node.clone.0 as usize];
            let (function, exit) = (clone.function, clone.exit);
            if !live {
                self.places.push(None);
                continue;
            }
            let at = if self.is_exit(node) { exit } else { self.place(function) };
            self.places.push(Some(at));
            if let Some(&keyword) = self.heads.get(&node.location) {
                self.program.loops.push(Loop { function, head: at, keyword });
            }
        }
        for (clone, written) in self.graph.clones.iter().zip(&self.clones) {
            if let Some(entry) = self.places[clone.entry.0 as usize] {
                self.program.functions[written.function.index()].body = Some(Body { entry, exit: written.exit });
            }
        }
    }

    fn is_exit(&self, node: &Node) -> bool {
        let function = self.original.location(node.location).function;
        self.original.function(function).body.is_some_and(|body| body.exit == node.location)
    }

    /// The same function under another name, with variables of its own.
    fn copy_of(
        &mut self,
        function: FunctionId,
        id: FunctionId,
        number: u32,
        names: &mut FxHashSet<String>,
        variables: &mut FxHashMap<VarId, VarId>,
    ) -> Function {
        let mut copy = self.original.function(function).clone();
        let mut name = format!("{}__{number}", copy.name);
        while !names.insert(name.clone()) {
            name.push('_');
        }
        for list in [&mut copy.parameters, &mut copy.locals] {
            for variable in list.iter_mut() {
                *variable = self.copy_variable(*variable, id, &name, variables);
            }
        }
        copy.result = copy.result.map(|result| self.copy_variable(result, id, &name, variables));
        copy.name = name;
        copy.labels.clear();
        copy.body = None;
        copy.address_taken = false;
        copy
    }

    fn copy_variable(
        &mut self,
        variable: VarId,
        function: FunctionId,
        name: &str,
        variables: &mut FxHashMap<VarId, VarId>,
    ) -> VarId {
        let original = self.original.variable(variable);
        if !original.is_local() {
            return variable;
        }
        let mut copy = original.clone();
        // Two underscores and the name of the clone, which is new: nothing else ends like this.
        copy.unique_name = format!("{}__{name}", original.unique_name);
        copy.function = Some(function);
        let id = VarId::new(self.program.variables.len());
        self.program.variables.push(copy);
        variables.insert(variable, id);
        id
    }

    fn place(&mut self, function: FunctionId) -> LocationId {
        self.program.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
        LocationId::new(self.program.locations.len() - 1)
    }

    fn edge(&mut self, from: LocationId, to: LocationId, op: Op, span: Span, origin: Option<EdgeId>) -> EdgeId {
        let settles: Option<Outcome> = origin.and_then(|edge| self.original.edge(edge).settles);
        let id = EdgeId::new(self.program.edges.len());
        self.program.edges.push(Edge { from, to, op, span, settles });
        self.program.locations[from.index()].leaving.push(id);
        self.program.locations[to.index()].entering.push(id);
        self.origin.push(origin);
        id
    }

    fn node(&mut self, node: &Node, from: LocationId) {
        for (edge, way) in &node.ways {
            let original = self.original.edge(*edge);
            let (op, span) = (original.op.clone(), original.span);
            match way {
                // An edge that is not a branch need not even begin: the covered edge may be the target itself.
                Way::Step(Target::Stop) if !matches!(op, Op::Assume { .. }) => {
                    let sink = self.sink(node.clone);
                    self.edge(from, sink, Op::Skip, span, None);
                }
                Way::Step(target) => {
                    let to = self.target(node.clone, target, span);
                    self.step(node.clone, from, to, *edge, op, span);
                }
                Way::Call { callee, after } => self.call(node.clone, from, *edge, *callee, after, span),
            }
        }
    }

    /// The location that a `Target` leads to.
    fn target(&mut self, clone: CloneId, target: &Target, span: Span) -> LocationId {
        match target {
            Target::Stop => self.sink(clone),
            // All that a live node leads to is live.
            Target::Node(NodeId(node)) => self.places[*node as usize].unwrap_or_else(|| self.sink(clone)),
            Target::Split { condition, yes, no } => {
                let function = self.clones[clone.0 as usize].function;
                let at = self.place(function);
                let condition = self.expr(clone, *condition);
                for (holds, side) in [(true, yes), (false, no)] {
                    let to = self.target(clone, side, span);
                    self.edge(at, to, Op::Assume { condition, holds }, span, None);
                }
                at
            }
        }
    }

    /// An edge inside of a function, with the clone's variables.
    fn step(&mut self, clone: CloneId, from: LocationId, to: LocationId, origin: EdgeId, op: Op, span: Span) {
        let op = match op {
            Op::Assume { condition, holds } => Op::Assume { condition: self.expr(clone, condition), holds },
            Op::Assign { target, value } => {
                Op::Assign { target: self.expr(clone, target), value: self.expr(clone, value) }
            }
            Op::Declare(variable) => Op::Declare(self.variable(clone, variable)),
            Op::Input { function, target } => {
                Op::Input { function, target: target.map(|target| self.expr(clone, target)) }
            }
            Op::Havoc { target } => Op::Havoc { target: self.expr(clone, target) },
            Op::Return(value) => Op::Return(value.map(|value| self.expr(clone, value))),
            Op::External(site) => {
                let original = self.original.call_site(site);
                let callee = match original.callee {
                    Callee::Pointer(pointer) => Callee::Pointer(self.expr(clone, pointer)),
                    function => function,
                };
                let call = EdgeId::new(self.program.edges.len());
                Op::External(self.site(clone, site, callee, call, None))
            }
            plain @ (Op::Skip | Op::Unsupported(_) | Op::Call(_) | Op::Resume(_)) => plain,
        };
        self.edge(from, to, op, span, Some(origin));
    }

    fn site(
        &mut self,
        clone: CloneId,
        original: CallSiteId,
        callee: Callee,
        call: EdgeId,
        resume: Option<EdgeId>,
    ) -> CallSiteId {
        let CallSite { arguments, result, .. } = self.original.call_site(original).clone();
        let arguments = arguments.into_iter().map(|argument| self.expr(clone, argument)).collect();
        let result = result.map(|result| self.expr(clone, result));
        self.program.call_sites.push(CallSite { callee, arguments, result, call, resume });
        CallSiteId::new(self.program.call_sites.len() - 1)
    }

    fn call(&mut self, clone: CloneId, from: LocationId, origin: EdgeId, callee: CloneId, after: &Target, span: Span) {
        let Op::Call(site) = self.original.edge(origin).op else { return };
        let after = self.target(clone, after, span);
        let (function, exit) = {
            let called = &self.clones[callee.0 as usize];
            (called.function, called.exit)
        };
        let Some(entry) = self.places[self.graph.clones[callee.0 as usize].entry.0 as usize] else { return };
        let (call, resume) = (EdgeId::new(self.program.edges.len()), EdgeId::new(self.program.edges.len() + 1));
        let new = self.site(clone, site, Callee::Function(function), call, Some(resume));
        self.edge(from, entry, Op::Call(new), span, Some(origin));
        let back = self.original.call_site(site).resume;
        let back_span = back.map_or(span, |edge| self.original.edge(edge).span);
        self.edge(exit, after, Op::Resume(new), back_span, back);
    }

    /// Where the program ends, in this function.
    fn sink(&mut self, clone: CloneId) -> LocationId {
        if let Some(known) = self.clones[clone.0 as usize].sink {
            return known;
        }
        let (function, exit) = (self.clones[clone.0 as usize].function, self.clones[clone.0 as usize].exit);
        let sink = self.ending(function, exit);
        self.clones[clone.0 as usize].sink = Some(sink);
        sink
    }

    /// A location at which the program ends.
    fn ending(&mut self, function: FunctionId, exit: LocationId) -> LocationId {
        add_ending(&mut self.program, &mut self.origin, self.end, function, exit)
    }

    fn variable(&self, clone: CloneId, variable: VarId) -> VarId {
        self.clones[clone.0 as usize].variables.get(&variable).copied().unwrap_or(variable)
    }

    /// The expression over the clone's variables.
    fn expr(&mut self, clone: CloneId, id: ExprId) -> ExprId {
        let written = &self.clones[clone.0 as usize];
        if written.variables.is_empty() {
            return id;
        }
        if let Some(&known) = written.exprs.get(&id) {
            return known;
        }
        let expr = self.program.exprs.get(id);
        let kind = match expr.kind {
            ExprKind::Var(variable) => ExprKind::Var(self.variable(clone, variable)),
            kind => kind.map(&mut |operand| Some(self.expr(clone, operand))).unwrap_or(kind),
        };
        let new = self.program.exprs.intern(kind, expr.ty);
        self.clones[clone.0 as usize].exprs.insert(id, new);
        new
    }

    /// Gives functions that are not called any more, but whose addresses may still be compared, a body that ends the
    /// program; also `main` where everything is covered.
    fn stubs(&mut self) {
        for index in 0..self.original.functions.len() {
            let id = FunctionId::new(index);
            let original = self.original.function(id);
            let needed = original.address_taken || id == self.program.main;
            if original.body.is_none() || !needed || self.program.function(id).body.is_some() {
                continue;
            }
            let exit = self.place(id);
            let entry = self.ending(id, exit);
            self.program.functions[index].body = Some(Body { entry, exit });
        }
    }
}
