//! Hand-made programs and random automata for the tests of this crate.

use super::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder, StateId, Transition, gia::State};
use crate::program::*;
use proptest::prelude::*;

/// Builds small programs edge by edge. Every expression is the constant 1.
pub struct ProgramBuilder {
    program: Program,
    one: ExprId,
    function_type: TypeId,
}

impl ProgramBuilder {
    pub fn new(name: &str) -> Self {
        let mut types = Types::new(DataModel::Lp64);
        let int = types.int(IntKind::Int);
        let function_type =
            types.intern(Type::Function { result: int, parameters: Vec::new(), variadic: false, prototyped: true });
        let mut exprs = Exprs::default();
        let one = exprs.intern(ExprKind::Int(1), int);
        let program = Program {
            source_sha256: String::new(),
            name: name.into(),
            files: vec![SourceFile { name: name.into() }],
            types,
            exprs,
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
        ProgramBuilder { program, one, function_type }
    }

    pub fn file(&mut self, name: &str) -> FileId {
        self.program.files.push(SourceFile { name: name.into() });
        FileId::new(self.program.files.len() - 1)
    }

    /// A function with an entry and an exit location, or without a body.
    pub fn function(&mut self, name: &str, with_body: bool) -> FunctionId {
        let id = FunctionId::new(self.program.functions.len());
        let body = with_body.then(|| Body { entry: self.location_of(id), exit: self.location_of(id) });
        self.program.functions.push(Function {
            name: name.into(),
            ty: self.function_type,
            parameters: Vec::new(),
            locals: Vec::new(),
            result: None,
            body,
            labels: Vec::new(),
            span: at(1, 1),
            address_taken: false,
        });
        id
    }

    pub fn variable(&mut self, name: &str, unique_name: &str, function: Option<FunctionId>) -> VarId {
        let ty = self.program.types.int(IntKind::Int);
        self.program.variables.push(Variable {
            name: name.into(),
            unique_name: unique_name.into(),
            ty,
            storage: if function.is_some() { Storage::Local } else { Storage::Global },
            function,
            span: Span::NOWHERE,
            address_taken: false,
            align: None,
            initializer: Vec::new(),
        });
        VarId::new(self.program.variables.len() - 1)
    }

    pub fn location_of(&mut self, function: FunctionId) -> LocationId {
        self.program.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
        LocationId::new(self.program.locations.len() - 1)
    }

    pub fn body(&self, function: FunctionId) -> Body {
        self.program.function(function).body.unwrap()
    }

    pub fn edge(&mut self, from: LocationId, to: LocationId, op: Op, span: Span) -> EdgeId {
        let id = EdgeId::new(self.program.edges.len());
        self.program.edges.push(Edge { from, to, op, span, settles: None });
        self.program.locations[from.index()].leaving.push(id);
        self.program.locations[to.index()].entering.push(id);
        id
    }

    pub fn assume(&mut self, from: LocationId, to: LocationId, holds: bool, span: Span) -> EdgeId {
        let condition = self.one;
        self.edge(from, to, Op::Assume { condition, holds }, span)
    }

    /// Adds the call and the resume edge.
    pub fn call(&mut self, from: LocationId, to: LocationId, callee: FunctionId, span: Span) -> (EdgeId, EdgeId) {
        let site = CallSiteId::new(self.program.call_sites.len());
        let body = self.body(callee);
        let call = self.edge(from, body.entry, Op::Call(site), span);
        let resume = self.edge(body.exit, to, Op::Resume(site), span);
        self.program.call_sites.push(CallSite {
            callee: Callee::Function(callee),
            arguments: Vec::new(),
            result: None,
            call,
            resume: Some(resume),
        });
        (call, resume)
    }

    pub fn external(&mut self, from: LocationId, to: LocationId, callee: Option<FunctionId>, span: Span) -> EdgeId {
        let site = CallSiteId::new(self.program.call_sites.len());
        let call = self.edge(from, to, Op::External(site), span);
        let callee = callee.map_or(Callee::Pointer(self.one), Callee::Function);
        self.program.call_sites.push(CallSite { callee, arguments: Vec::new(), result: None, call, resume: None });
        call
    }

    pub fn finish(self) -> Program {
        self.program
    }
}

pub fn at(line: u32, column: u32) -> Span {
    Span { file: FileId(0), line, column, end_line: line, end_column: column + 1, physical_line: line }
}

/// Two functions, calls, branches, several edges at one place, an edge from an included file: 17 edges.
pub fn sample_program() -> Program {
    let mut b = ProgramBuilder::new("dir/sample.c");
    let header = b.file("/usr/include/macros.h");
    let (main, helper) = (b.function("main", true), b.function("helper", true));
    let (input, error) = (b.function("__VERIFIER_nondet_int", false), b.function("reach_error", false));
    let g = b.variable("g", "g", None);
    b.variable("x", "x", Some(main));
    b.variable("x", "x_1", Some(main));
    b.variable("x", "x_2", Some(helper));
    b.variable("hidden", "hidden", None);
    b.variable("hidden", "hidden_1", Some(main));
    let Body { entry, exit } = b.body(main);
    let l: Vec<LocationId> = (0..9).map(|_| b.location_of(main)).collect();
    b.edge(entry, l[0], Op::Declare(g), at(4, 7));
    b.edge(l[0], l[1], Op::Input { function: input, target: None }, at(4, 11));
    b.assume(l[1], l[2], true, at(5, 7));
    b.assume(l[1], l[3], false, at(5, 7));
    b.call(l[2], l[4], helper, at(6, 5));
    b.call(l[3], l[4], helper, at(8, 5));
    // A macro: the same place for all that it expands to.
    b.assume(l[4], l[5], true, at(9, 3));
    b.assume(l[4], l[6], false, at(9, 3));
    b.assume(l[5], l[7], true, at(9, 3));
    b.assume(l[5], l[6], false, at(9, 3));
    b.edge(l[6], exit, Op::Return(None), Span { file: header, ..at(9, 3) });
    b.external(l[7], l[8], Some(error), at(10, 3));
    b.external(l[7], l[6], None, at(11, 3));
    let Body { entry, exit } = b.body(helper);
    b.edge(entry, exit, Op::Skip, Span::NOWHERE);
    b.edge(entry, exit, Op::Skip, at(2, 1));
    b.finish()
}

fn a_condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        3 => Just(Condition::always()),
        1 => (0..3).prop_map(|n| Condition::global(format!("g == {n}"))),
        1 => (0..3).prop_map(|n| Condition::in_function("main", format!("x < {n} && \"\\n\u{e9}\"[0]"))),
    ]
}

fn an_acceptance() -> impl Strategy<Value = Acceptance> {
    prop_oneof![
        3 => Just(Acceptance::None),
        1 => Just(Acceptance::Ut),
        1 => Just(Acceptance::Rt),
        1 => Just(Acceptance::Cand),
    ]
}

fn an_edge_set(edges: u32) -> impl Strategy<Value = EdgeSet> {
    prop_oneof![
        1 => Just(EdgeSet::any()),
        4 => prop::collection::vec((0..edges).prop_map(EdgeId), 0..4).prop_map(EdgeSet::of),
    ]
}

/// The parts of an automaton over edges `0..edges` that may break every rule.
pub fn any_parts(edges: u32) -> impl Strategy<Value = (Vec<State>, StateId, Vec<Transition>)> {
    (1..6u32).prop_flat_map(move |count| {
        let states = prop::collection::vec((a_condition(), an_acceptance()), count as usize).prop_map(|list| {
            let state = |(index, (invariant, acceptance))| State {
                name: format!("q{index} \"é").into(),
                invariant,
                acceptance,
            };
            list.into_iter().enumerate().map(state).collect()
        });
        let transition =
            (0..count, an_edge_set(edges), a_condition(), 0..count).prop_map(|(source, edges, condition, target)| {
                Transition { source: StateId(source), edges, condition, target: StateId(target) }
            });
        (states, (0..count).prop_map(StateId), prop::collection::vec(transition, 0..14))
    })
}

/// Repairs what breaks a rule, and gives parts that make a GIA.
pub fn well_formed_parts(edges: u32) -> impl Strategy<Value = (Vec<State>, StateId, Vec<Transition>)> {
    any_parts(edges).prop_map(|(mut states, initial, mut transitions)| {
        states[initial.index()].invariant = Condition::always();
        let acceptance = |id: StateId| states[id.index()].acceptance;
        transitions.retain(|t| match acceptance(t.source) {
            Acceptance::Ut | Acceptance::Rt => acceptance(t.target) == acceptance(t.source),
            _ => true,
        });
        for id in (0..states.len() as u32).map(StateId).filter(|&id| acceptance(id) == Acceptance::Cand) {
            transitions.push(Transition {
                source: id,
                edges: EdgeSet::any(),
                condition: Condition::always(),
                target: id,
            });
        }
        (states, initial, transitions)
    })
}

pub fn build(parts: (Vec<State>, StateId, Vec<Transition>)) -> Result<Gia, super::GiaError> {
    let (states, initial, transitions) = parts;
    let mut builder = GiaBuilder::new();
    for state in states {
        builder.state_with_invariant(state.name, state.invariant, state.acceptance);
    }
    for t in transitions {
        builder.transition(t.source, t.edges, t.condition, t.target);
    }
    builder.build(initial)
}

pub fn any_gia(edges: u32) -> impl Strategy<Value = Gia> {
    well_formed_parts(edges).prop_map(|parts| build(parts).expect("the parts were repaired"))
}
