//! Guards the byte format of everything that crosses the boundary. abi_stable checks the layout of the objects, but not
//! that of the bytes: a library that was built for other types would read nonsense.

use super::codec::encode;
use super::message::{Creation, HostRequest, WorkerReply, WorkerRequest};
use crate::adapter::{Invocation, ToolClaims, ToolExit, ToolFile, ToolRun};
use crate::analysis::Capability;
use crate::artifact::*;
use crate::descriptor::*;
use crate::kit::testing::ProgramBuilder;
use crate::options::Options;
use crate::program::{
    BinaryOp, EdgeId, Expr, ExprId, ExprKind, FunctionId, LocationId, Op, Program, Type, TypeId, VarId,
};
use crate::query::{Answer, Feasibility, Query};
use crate::reducer::{Covered, Residual};
use crate::service::execution::ExecutionOptions;
use crate::service::formulas::*;
use crate::service::horn::*;
use crate::service::{Artifact, Budget, Note, ParsedExpression, Progress, Scope};
use crate::task::{Inputs, Property};
use serde::Serialize;
use std::time::Duration;

/// The sum of all samples below. It changes when a type on the wire changes.
const FINGERPRINT: (ApiVersion, u64) = (ApiVersion { major: 2, minor: 0 }, 3018387610129934483);

#[test]
fn a_changed_format_has_a_new_api_version() {
    let found = (API_VERSION, samples());
    assert_eq!(
        found, FINGERPRINT,
        "a type that crosses the plugin boundary has changed: if a version with the old format was released, raise \
         API_VERSION's major number; then set FINGERPRINT to the value on the left"
    );
}

/// FNV-1a over the bytes of one value of each type, with as many fields and variants in use as possible.
fn samples() -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325;
    add(&mut sum, &descriptor());
    add(&mut sum, &creation());
    add(&mut sum, &program());
    add(&mut sum, &host_requests());
    add(&mut sum, &Budget { time: Some(Duration::from_millis(1500)), memory: Some(1 << 40) });
    add(&mut sum, &worker_requests());
    add(&mut sum, &worker_replies());
    let value = ExprId(3);
    let custom = Query::Custom { topic: "t".into(), data: vec![1, 2] };
    add(&mut sum, &[Query::Value(value), Query::Interval(value), Query::Truth(value), Query::PointsTo(value)]);
    add(&mut sum, &(Query::CallStack, custom, Answer::NoInformation, Answer::Value(-5), Answer::Truth(true)));
    add(&mut sum, &(Answer::Interval { min: -1, max: 1 }, Answer::Variables(vec![VarId(1)]), Answer::Custom(vec![7])));
    let feasible =
        [Feasibility::Inputs(vec![300, 1 << 40]), Feasibility::Infeasible, Feasibility::Undecided("why".into())];
    add(&mut sum, &(Query::Feasibility, feasible.map(Answer::Feasibility)));
    add(
        &mut sum,
        &ExecutionOptions {
            targets: vec![EdgeId(300)],
            coverage: true,
            decisions: false,
            comparisons: true,
            junk: true,
        },
    );
    let (invariants, tests) = (Invariants::default(), tests().tests);
    add(&mut sum, &ToolClaims { violation: true, invariants, tests, notes: vec!["note".into()] });
    add(&mut sum, &formula_requests());
    add(&mut sum, &formula_replies());
    sum
}

fn formula_requests() -> Vec<FormulaRequest> {
    let (formula, text) = (Formula(300), StateExpression::Text("x".into(), LocationId(4)));
    let parsed = ParsedExpression { types: Vec::new(), nodes: Vec::new(), root: ExprId(5) };
    vec![
        FormulaRequest::Initial,
        FormulaRequest::Post(1, EdgeId(2)),
        FormulaRequest::Join(vec![3, 4]),
        FormulaRequest::Restrict(5, formula),
        FormulaRequest::Effects(vec![EdgeId(6)]),
        FormulaRequest::Forget(7, Effects(8)),
        FormulaRequest::Release(vec![9]),
        FormulaRequest::Extend(vec![Type::Void], vec![Expr { kind: ExprKind::Int(-5), ty: TypeId(2) }]),
        FormulaRequest::Condition(10, StateExpression::Own(ExprId(11))),
        FormulaRequest::Condition(12, StateExpression::Parsed(parsed)),
        FormulaRequest::Condition(13, text),
        FormulaRequest::Hazards,
        FormulaRequest::Not(formula),
        FormulaRequest::And(vec![formula]),
        FormulaRequest::Or(vec![formula]),
        FormulaRequest::Check(vec![formula], Some(Duration::from_millis(14))),
        FormulaRequest::Inputs(15),
        FormulaRequest::Conventions,
        FormulaRequest::Statistics,
        FormulaRequest::Horn(horn_problem(), None),
        FormulaRequest::Generalize(16, Effects(17)),
        FormulaRequest::Implied(vec![formula], vec![Formula(18)], None),
        FormulaRequest::Cubes(vec![formula], vec![Formula(19)], 20, None),
        FormulaRequest::Express(21, vec![formula], FunctionId(22)),
        FormulaRequest::Atoms(vec![formula]),
        FormulaRequest::Constant(23, ExprId(24)),
    ]
}

fn horn_problem() -> HornProblem {
    let (zero, one, list) = (HornTerm(0), HornTerm(1), vec![HornTerm(0)]);
    let nodes = vec![
        HornNode::Truth(true),
        HornNode::Integer(-300),
        HornNode::Variable(300),
        HornNode::Add(list.clone()),
        HornNode::Mul(zero, one),
        HornNode::Div(zero, one),
        HornNode::Mod(zero, one),
        HornNode::Le(zero, one),
        HornNode::Equal(zero, one),
        HornNode::Not(zero),
        HornNode::And(list.clone()),
        HornNode::Or(list.clone()),
        HornNode::Ite(zero, one, zero),
    ];
    let atom = HornAtom { relation: 2, arguments: list };
    let rules = vec![HornRule { body: vec![atom.clone()], constraint: one, head: Some(atom) }];
    HornProblem { relations: vec![3], nodes, rules }
}

fn formula_replies() -> Vec<FormulaReply> {
    let (condition, edge) = (Formula(300), EdgeId(1));
    vec![
        FormulaReply::Done,
        FormulaReply::State(1, condition, Formula(2), Formula(3)),
        FormulaReply::Formula(condition),
        FormulaReply::Effects(Effects(3)),
        FormulaReply::Hazards(vec![Hazard { condition, edge, what: "what".into() }]),
        FormulaReply::Satisfiability(Satisfiability::Satisfiable),
        FormulaReply::Satisfiability(Satisfiability::Unsatisfiable(vec![4])),
        FormulaReply::Satisfiability(Satisfiability::Unknown("why".into())),
        FormulaReply::Inputs(vec![ModelInput { function: FunctionId(5), edge, bits: 6 }]),
        FormulaReply::Conventions(vec![Convention::Allocation]),
        FormulaReply::Statistics(vec![("name".into(), "value".into())]),
        FormulaReply::Horn(HornAnswer::Unreachable {
            nodes: vec![HornNode::Truth(false)],
            meanings: vec![vec![HornTerm(7)]],
        }),
        FormulaReply::Horn(HornAnswer::Reachable),
        FormulaReply::Horn(HornAnswer::Unknown("why".into())),
        FormulaReply::General(7, condition, 8),
        FormulaReply::Implied(vec![9]),
        FormulaReply::Cubes(Some(vec![vec![true, false]])),
        FormulaReply::Expressions(vec![Some(ParsedExpression {
            types: Vec::new(),
            nodes: Vec::new(),
            root: ExprId(10),
        })]),
        FormulaReply::Formulas(vec![condition]),
        FormulaReply::Constant(Some(-1)),
    ]
}

fn add(sum: &mut u64, value: &impl Serialize) {
    for byte in encode(value).unwrap() {
        *sum = (*sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

fn options() -> Vec<OptionSpec> {
    let option = |name: &str, ty, default| OptionSpec { name: name.into(), about: "about".into(), ty, default };
    let list = vec!["a".to_string(), "b".to_string()];
    vec![
        option("bool", OptionType::Bool, OptionValue::Bool(true)),
        option("integer", OptionType::Integer { min: -1, max: 300 }, OptionValue::Integer(200)),
        option("float", OptionType::Float, OptionValue::Float(0.5)),
        option("text", OptionType::Text, OptionValue::Text("text".into())),
        option("choice", OptionType::Choice(list.clone()), OptionValue::Text("a".into())),
        option("duration", OptionType::Duration, OptionValue::Duration(Duration::from_millis(20_500))),
        option("list", OptionType::TextList, OptionValue::TextList(list)),
    ]
}

fn descriptor() -> Descriptor {
    use ArtifactKind::*;
    Descriptor {
        name: "name".into(),
        kind: PluginKind::Adapter,
        version: "1.0.0".into(),
        about: "about".into(),
        details: "details".into(),
        options: options(),
        needs: vec![Gia, Condition, Precision, Tests],
        gives: vec![Ranges, Invariants, Program],
        capabilities: Capability::ALL.to_vec(),
        api: ApiVersion { major: 300, minor: 400 },
    }
}

fn creation() -> Creation {
    let options = Options::fill(&options(), []).unwrap();
    Creation { instance: 1000, program: 2000, property: Property::CoverCall { function: "f".into() }, options }
}

fn program() -> Program {
    let mut builder = ProgramBuilder::new("sample.c");
    let (main, helper) = (builder.function("main"), builder.function("helper"));
    let (nondet, error) = (builder.declare("__VERIFIER_nondet_int"), builder.declare("reach_error"));
    let (global, local) = (builder.global("g"), builder.local(main, "l"));
    let (place, other, minus) = (builder.variable(global), builder.variable(local), builder.int(-300));
    let less = builder.binary(BinaryOp::Lt, place, minus);
    let (entry, exit) = builder.body(main);
    let (inside, leaves) = builder.body(helper);
    let places: Vec<_> = (0..5).map(|_| builder.location(main)).collect();
    builder.edge(entry, places[0], Op::Declare(local));
    builder.input(places[0], places[1], nondet, other);
    builder.branch(places[1], less, places[2], exit);
    builder.edge(places[2], places[3], Op::Assign { target: place, value: other });
    builder.edge(places[2], places[3], Op::Havoc { target: place });
    builder.call(places[3], places[4], helper, &[minus]);
    builder.call(places[4], exit, error, &[]);
    builder.edge(inside, leaves, Op::Return(Some(minus)));
    builder.edge(inside, leaves, Op::Skip);
    builder.unsupported(places[4], exit, "something");
    builder.finish(main)
}

fn gia() -> Gia {
    let mut builder = GiaBuilder::new();
    let start = builder.state("start", Acceptance::None);
    let done = builder.state_with_invariant("done", Condition::global("g > 0"), Acceptance::Ut);
    builder.transition(start, crate::program::EdgeId(3), Condition::in_function("main", "l < 5"), done);
    builder.transition(done, EdgeSet::any(), Condition::always(), done);
    builder.build(start).unwrap()
}

fn tests() -> TestSuite {
    let input = |value| TestInput { value, type_name: Some("int".into()), variable: Some("x".into()) };
    let value = InputValue::Int { width: 32, signed: true, bits: 0xffff_ff00 };
    TestSuite { tests: vec![TestCase { inputs: vec![input(value), input(InputValue::Any)], covers_error: true }] }
}

fn inputs() -> Inputs {
    let bound = Bound::Decisions(Decisions(vec![true, false]));
    Inputs {
        gia: gia(),
        precision: Some(Precision::default()),
        tests: Some(tests()),
        invariants: Some(Invariants::default()),
        range: Some(PathRange { lower: Some(Bound::Test(tests().tests[0].clone())), upper: Some(bound) }),
        seed: 77,
    }
}

fn outcome() -> Outcome {
    let mut outcome = Outcome::unknown("reason");
    outcome.gia = Some(gia());
    outcome.tests = Some(tests());
    outcome.precision = Some(Precision::default());
    outcome.invariants = Some(Invariants::default());
    outcome.soundness.unsound("a step");
    outcome.soundness.convention("a convention");
    outcome.soundness.convention(Convention::NoBody { function: "f".into() });
    outcome.soundness.convention(Convention::NoBodyByPointer { place: Some("x.c:1".into()) });
    outcome.soundness.convention(Convention::Assembly { place: None });
    outcome.soundness.convention(Convention::Allocation);
    outcome.passed = Some([EdgeId(300)].into());
    outcome.answered_by = Some("actor".into());
    outcome.statistic("name", "value");
    outcome
}

fn host_requests() -> Vec<HostRequest> {
    let progress = Progress { phase: "phase".into(), done: 1, total: Some(2), unit: "unit".into() };
    vec![
        HostRequest::Budget,
        HostRequest::Progress(progress),
        HostRequest::Incoming { seen: 300 },
        HostRequest::Publish(Artifact::Range(PathRange::default())),
        HostRequest::Note(Note::Convention("note".into())),
        HostRequest::ParseExpression { text: "x".into(), scope: Scope::Location(crate::program::LocationId(9)) },
        HostRequest::Source,
        HostRequest::ReadClaims {
            given: Some("text".into()),
            file: ToolFile { path: "w.yml".into(), content: vec![1, 2] },
        },
    ]
}

fn tool_run() -> ToolRun {
    let mut run = ToolRun::of(ToolExit::NotStarted("missing".into()));
    run.standard_output = vec![1, 2, 3];
    run.wall_time = Duration::from_millis(1);
    run
}

fn worker_requests() -> Vec<WorkerRequest> {
    vec![
        WorkerRequest::Run(inputs()),
        WorkerRequest::Split { inputs: Inputs::default(), parts: 3 },
        WorkerRequest::Reduce { known: gia(), done: Covered::Rt },
        WorkerRequest::Prepare(Inputs::default()),
        WorkerRequest::Interpret(tool_run()),
    ]
}

fn worker_replies() -> Vec<WorkerReply> {
    let invocation = Invocation::new("tool").argument("-x").file("a.c", "text").collect("out");
    vec![
        WorkerReply::Outcome(Box::new(outcome())),
        WorkerReply::Bounds(vec![Bound::Decisions(Decisions(vec![true]))]),
        WorkerReply::Residual(Box::new(Residual::same(&program()))),
        WorkerReply::Invocation(invocation),
    ]
}
