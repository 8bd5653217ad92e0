//! Builds small programs by hand. Every edge stands on a source line of its own, counted from 1.

use crate::program::{
    BinaryOp, Body, CallSite, CallSiteId, Callee, DataModel, Decision, DecisionId, DecisionKind, Edge, EdgeId, ExprId,
    ExprKind, Exprs, FileId, Function, FunctionId, IntKind, Location, LocationId, Op, Outcome, Program, SourceFile,
    Span, Storage, Type, TypeId, Types, Unsupported, UnsupportedId, VarId, Variable,
};

/// Makes a [`Program`] whose variables are all of type `int`.
///
/// ```
/// use tandem_plugin_api::program::{BinaryOp, Op};
/// use tandem_plugin_api::kit::testing::ProgramBuilder;
///
/// // void main() { while (x < 5) x = x + 1; }
/// let mut builder = ProgramBuilder::new("loop.c");
/// let main = builder.function("main");
/// let (entry, exit) = builder.body(main);
/// let x = builder.global("x");
/// let (place, five, one) = (builder.variable(x), builder.int(5), builder.int(1));
/// let less = builder.binary(BinaryOp::Lt, place, five);
/// let sum = builder.binary(BinaryOp::Add, place, one);
/// let inside = builder.location(main);
/// builder.branch(entry, less, inside, exit);
/// builder.edge(inside, entry, Op::Assign { target: place, value: sum });
/// let program = builder.finish(main);
/// assert!(program.problems().is_empty());
/// assert_eq!(program.loop_heads(main), [entry]);
/// ```
pub struct ProgramBuilder {
    program: Program,
    int: TypeId,
    function_type: TypeId,
}

impl ProgramBuilder {
    pub fn new(name: &str) -> Self {
        let mut types = Types::new(DataModel::Lp64);
        let int = types.int(IntKind::Int);
        let function_type =
            types.intern(Type::Function { result: int, parameters: Vec::new(), variadic: false, prototyped: false });
        let program = Program {
            source_sha256: String::new(),
            name: name.to_string(),
            files: vec![SourceFile { name: name.to_string() }],
            types,
            exprs: Exprs::default(),
            variables: Vec::new(),
            functions: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            call_sites: Vec::new(),
            decisions: Vec::new(),
            loops: Vec::new(),
            unsupported: Vec::new(),
            main: FunctionId(0),
        };
        ProgramBuilder { program, int, function_type }
    }

    /// A function without a body.
    pub fn declare(&mut self, name: &str) -> FunctionId {
        let id = FunctionId::new(self.program.functions.len());
        self.program.functions.push(Function::declared(name, self.function_type));
        id
    }

    /// A function with an entry and an exit location, and nothing between them yet.
    pub fn function(&mut self, name: &str) -> FunctionId {
        let id = self.declare(name);
        let (entry, exit) = (self.location(id), self.location(id));
        self.program.functions[id.index()].body = Some(Body { entry, exit });
        id
    }

    /// Entry and exit of a function that [`function`](Self::function) made.
    pub fn body(&self, function: FunctionId) -> (LocationId, LocationId) {
        match self.program.function(function).body {
            Some(body) => (body.entry, body.exit),
            None => panic!("{function} has no body"),
        }
    }

    pub fn location(&mut self, function: FunctionId) -> LocationId {
        self.program.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
        LocationId::new(self.program.locations.len() - 1)
    }

    pub fn global(&mut self, name: &str) -> VarId {
        self.add_variable(name, name, Storage::Global, None)
    }

    pub fn local(&mut self, function: FunctionId, name: &str) -> VarId {
        let unique = format!("{name}_{}", self.program.function(function).name);
        let id = self.add_variable(name, &unique, Storage::Local, Some(function));
        self.program.functions[function.index()].locals.push(id);
        id
    }

    fn add_variable(&mut self, name: &str, unique: &str, storage: Storage, function: Option<FunctionId>) -> VarId {
        self.program.variables.push(Variable {
            name: name.to_string(),
            unique_name: unique.to_string(),
            ty: self.int,
            storage,
            function,
            span: Span::NOWHERE,
            address_taken: false,
            align: None,
            initializer: Vec::new(),
        });
        VarId::new(self.program.variables.len() - 1)
    }

    pub fn variable(&mut self, variable: VarId) -> ExprId {
        self.program.exprs.intern(ExprKind::Var(variable), self.int)
    }

    pub fn int(&mut self, value: i128) -> ExprId {
        self.program.exprs.intern(ExprKind::Int(value), self.int)
    }

    pub fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        self.program.exprs.intern(ExprKind::Binary { op, lhs, rhs }, self.int)
    }

    pub fn edge(&mut self, from: LocationId, to: LocationId, op: Op) -> EdgeId {
        let id = EdgeId::new(self.program.edges.len());
        let line = self.program.edges.len() as u32 + 1;
        let span = Span { file: FileId(0), line, column: 1, end_line: line, end_column: 2, physical_line: line };
        self.program.edges.push(Edge { from, to, op, span, settles: None });
        self.program.locations[from.index()].leaving.push(id);
        self.program.locations[to.index()].entering.push(id);
        id
    }

    /// Two assume edges that form an `if` of the source.
    pub fn branch(&mut self, from: LocationId, condition: ExprId, then: LocationId, otherwise: LocationId) {
        let decision = DecisionId::new(self.program.decisions.len());
        for (index, to, holds) in [(1, then, true), (0, otherwise, false)] {
            let edge = self.edge(from, to, Op::Assume { condition, holds });
            self.program.edges[edge.index()].settles = Some(Outcome { decision, index });
        }
        let span = self.program.edges[self.program.edges.len() - 2].span;
        let function = self.program.location(from).function;
        self.program.decisions.push(Decision { kind: DecisionKind::If, function, span, outcomes: 2 });
    }

    pub fn input(&mut self, from: LocationId, to: LocationId, function: FunctionId, target: ExprId) -> EdgeId {
        self.edge(from, to, Op::Input { function, target: Some(target) })
    }

    /// A call without a result: enters a function with a body, or stays on one edge for a function without.
    pub fn call(&mut self, from: LocationId, to: LocationId, callee: FunctionId, arguments: &[ExprId]) -> CallSiteId {
        let site = CallSiteId::new(self.program.call_sites.len());
        let (call, resume) = match self.program.function(callee).body {
            Some(body) => {
                let call = self.edge(from, body.entry, Op::Call(site));
                (call, Some(self.edge(body.exit, to, Op::Resume(site))))
            }
            None => (self.edge(from, to, Op::External(site)), None),
        };
        let arguments = arguments.to_vec();
        self.program.call_sites.push(CallSite {
            callee: Callee::Function(callee),
            arguments,
            result: None,
            call,
            resume,
        });
        site
    }

    /// An edge that the front end could not represent.
    pub fn unsupported(&mut self, from: LocationId, to: LocationId, what: &str) -> EdgeId {
        let id = UnsupportedId::new(self.program.unsupported.len());
        let edge = self.edge(from, to, Op::Unsupported(id));
        let span = self.program.edge(edge).span;
        self.program.unsupported.push(Unsupported { what: what.to_string(), span });
        edge
    }

    pub fn finish(mut self, main: FunctionId) -> Program {
        self.program.main = main;
        self.program
    }
}
