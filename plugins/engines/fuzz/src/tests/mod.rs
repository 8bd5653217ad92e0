//! Whole campaigns on small programs, with an interpreter in the place of native code.

mod interpreter;

use super::*;
use interpreter::Interpreting;

use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Acceptance, InputValue};
use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
use tandem_plugin_api::program::BinaryOp;

/// Builds programs in which failing conditions lead to the end.
struct Sketch {
    builder: ProgramBuilder,
    main: FunctionId,
    nondet: FunctionId,
    error: FunctionId,
    at: LocationId,
    end: LocationId,
}

impl Sketch {
    fn new() -> Self {
        let mut builder = ProgramBuilder::new("sketch.c");
        let main = builder.function("main");
        let nondet = builder.declare("__VERIFIER_nondet_int");
        let error = builder.declare("reach_error");
        let (at, end) = builder.body(main);
        Sketch { builder, main, nondet, error, at, end }
    }

    fn variable(&mut self, name: &str) -> ExprId {
        let variable = self.builder.local(self.main, name);
        self.builder.variable(variable)
    }

    fn go(&mut self) -> (LocationId, LocationId) {
        let next = self.builder.location(self.main);
        (std::mem::replace(&mut self.at, next), next)
    }

    fn read(&mut self, name: &str) -> ExprId {
        let place = self.variable(name);
        self.read_into(place);
        place
    }

    fn read_into(&mut self, place: ExprId) {
        let (from, to) = self.go();
        self.builder.input(from, to, self.nondet, place);
    }

    fn require(&mut self, op: BinaryOp, left: ExprId, right: ExprId) {
        let condition = self.builder.binary(op, left, right);
        let (from, to) = self.go();
        self.builder.branch(from, condition, to, self.end);
    }

    fn fail(mut self) -> SharedTask {
        self.builder.call(self.at, self.end, self.error, &[]);
        testing::task(self.builder.finish(self.main))
    }
}

fn fuzz(task: &SharedTask, options: &[(&str, i64)], inputs: &Inputs) -> Outcome {
    let options: Vec<_> = options.iter().map(|&(name, value)| (name, OptionValue::Integer(value))).collect();
    let mut engine = testing::worker::<Fuzz>(task, &options).unwrap();
    engine.run(inputs, &Interpreting::host(task.program())).unwrap()
}

fn values(test: &TestCase) -> Vec<i128> {
    test.values().filter_map(InputValue::as_integer).collect()
}

#[test]
fn describes_itself_without_mistakes() {
    assert_eq!(Fuzz::descriptor().problems(), Vec::<String>::new());
}

#[test]
fn finds_and_shortens_a_test_for_magic_numbers() {
    // x == 123456789, then y - x * 3 == 17: no constant of the program is a value of y.
    let mut sketch = Sketch::new();
    let x = sketch.read("x");
    let noise = sketch.read("noise");
    let y = sketch.read("y");
    let (magic, three, seventeen) = (sketch.builder.int(123_456_789), sketch.builder.int(3), sketch.builder.int(17));
    sketch.require(BinaryOp::Eq, x, magic);
    let product = sketch.builder.binary(BinaryOp::Mul, x, three);
    let difference = sketch.builder.binary(BinaryOp::Sub, y, product);
    sketch.require(BinaryOp::Eq, difference, seventeen);
    let _ = noise;
    let task = sketch.fail();
    let outcome = fuzz(&task, &[("executions", 200_000)], &Inputs::default());
    assert_eq!(outcome.verdict, Verdict::False, "{:?}", outcome.statistics);
    let suite = outcome.tests.unwrap();
    assert_eq!(suite.tests.len(), 1);
    assert_eq!(values(&suite.tests[0]), [123_456_789, 0, i128::from(123_456_789i32.wrapping_mul(3).wrapping_add(17))]);
    assert!(suite.tests[0].covers_error);
    assert_eq!(suite.tests[0].inputs[0].type_name.as_deref(), Some("int"));
    assert!(outcome.gia.unwrap().has(Acceptance::Rt));
}

#[test]
fn assumptions_that_bind_many_inputs_are_solved_together() {
    // 100 < x0 < x1 < ... < x15 < 117: one solution, and no constant of the program is part of it.
    let mut sketch = Sketch::new();
    let inputs: Vec<ExprId> = (0..16).map(|at| sketch.read(&format!("x{at}"))).collect();
    let (low, high) = (sketch.builder.int(100), sketch.builder.int(117));
    sketch.require(BinaryOp::Lt, low, inputs[0]);
    for pair in inputs.windows(2) {
        sketch.require(BinaryOp::Lt, pair[0], pair[1]);
    }
    sketch.require(BinaryOp::Lt, inputs[15], high);
    let outcome = fuzz(&sketch.fail(), &[("executions", 20_000)], &Inputs::default());
    assert_eq!(outcome.verdict, Verdict::False, "{:?}", outcome.statistics);
    assert_eq!(values(&outcome.tests.unwrap().tests[0]), (101..117).collect::<Vec<i128>>());
}

/// `s = 0; while (1) { x = input(); if (x == word[s]) s++; else s = 0; if (s == n) error }` without arrays.
fn automaton(word: &[i128]) -> SharedTask {
    let mut sketch = Sketch::new();
    let (state, x) = (sketch.variable("s"), sketch.variable("x"));
    let head = sketch.at;
    sketch.read_into(x);
    let mut test = sketch.at;
    for (at, &letter) in word.iter().enumerate() {
        let b = &mut sketch.builder;
        let (here, letter, after) = (b.int(at as i128), b.int(letter), b.int(at as i128 + 1));
        let (in_state, right) = (b.binary(BinaryOp::Eq, state, here), b.binary(BinaryOp::Eq, x, letter));
        let zero = b.int(0);
        let [then, advance, fall, next] = [(); 4].map(|()| b.location(sketch.main));
        b.branch(test, in_state, then, next);
        b.branch(then, right, advance, fall);
        b.edge(fall, head, Op::Assign { target: state, value: zero });
        if at + 1 == word.len() {
            sketch.at = advance;
        } else {
            b.edge(advance, head, Op::Assign { target: state, value: after });
        }
        test = next;
    }
    let end = sketch.end;
    sketch.builder.edge(test, end, Op::Skip);
    sketch.fail()
}

#[test]
fn finds_the_word_that_a_state_machine_accepts() {
    let word = [5, 3, 1, 4, 2, 6, 5, 1];
    let outcome = fuzz(&automaton(&word), &[("executions", 300_000)], &Inputs::default());
    assert_eq!(outcome.verdict, Verdict::False, "{:?}", outcome.statistics);
    assert_eq!(values(&outcome.tests.unwrap().tests[0]), word);
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    let task = automaton(&[2, 7, 1, 8, 2, 8]);
    let run = |seed| {
        let outcome = fuzz(&task, &[("executions", 2_000), ("seed", seed), ("steps", 500)], &Inputs::default());
        let steady = outcome.statistics.iter().filter(|(name, _)| name != "executions per second").cloned();
        (outcome.verdict.clone(), outcome.tests.clone(), outcome.gia.clone(), steady.collect::<Vec<_>>())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).3, run(2).3);
}

#[test]
fn branch_coverage_gives_few_tests_and_a_gia() {
    let mut sketch = Sketch::new();
    let x = sketch.read("x");
    let (ten, magic) = (sketch.builder.int(10), sketch.builder.int(-777));
    sketch.require(BinaryOp::Lt, x, ten);
    sketch.require(BinaryOp::Eq, x, magic);
    let program = sketch.fail().program().clone();
    let task = SharedTask::new(&SharedProgram::new(program.clone()), Property::CoverBranches);
    let outcome = fuzz(&task, &[("executions", 50_000)], &Inputs::default());
    assert_eq!(outcome.verdict, Verdict::True);
    let tests = outcome.tests.unwrap().tests;
    assert_eq!(tests.len(), 3, "{tests:?}");
    assert!(tests.iter().any(|test| values(test) == [-777]) && tests.iter().all(|test| !test.covers_error));
    // A covered goal is not a goal of the next round.
    let inputs = Inputs { gia: outcome.gia.unwrap(), ..Inputs::default() };
    let again = fuzz(&task, &[("executions", 50_000)], &inputs);
    assert_eq!((again.verdict, again.tests.unwrap().tests.len()), (Verdict::True, 0));
}

#[test]
fn says_what_stood_in_the_way() {
    // x * x == 3 has no solution modulo 2^32.
    let mut sketch = Sketch::new();
    let x = sketch.read("x");
    let three = sketch.builder.int(3);
    let square = sketch.builder.binary(BinaryOp::Mul, x, x);
    sketch.require(BinaryOp::Eq, square, three);
    let outcome = fuzz(&sketch.fail(), &[("executions", 5_000)], &Inputs::default());
    let reason = outcome.verdict.to_string();
    assert!(reason.contains("no execution reached the error in 50"), "{reason}");
    assert!(reason.contains("1 branch was never taken, the nearest [x * x == 3] in line 2"), "{reason}");
    assert!(outcome.gia.unwrap().has(Acceptance::Cand));
}

#[test]
fn a_program_without_inputs_runs_once_and_to_the_end() {
    // for (i = 0; i < 300000; i++); error
    let mut sketch = Sketch::new();
    let i = sketch.variable("i");
    let (one, bound) = (sketch.builder.int(1), sketch.builder.int(300_000));
    let (head, body, after) = (sketch.at, sketch.builder.location(sketch.main), sketch.builder.location(sketch.main));
    let less = sketch.builder.binary(BinaryOp::Lt, i, bound);
    sketch.builder.branch(head, less, body, after);
    let next = sketch.builder.binary(BinaryOp::Add, i, one);
    sketch.builder.edge(body, head, Op::Assign { target: i, value: next });
    sketch.at = after;
    let task = sketch.fail();
    let outcome = fuzz(&task, &[], &Inputs::default());
    assert_eq!(outcome.verdict, Verdict::False);
    let suite = outcome.tests.unwrap();
    assert!(suite.tests.len() == 1 && suite.tests[0].inputs.is_empty());

    let mut quiet = Sketch::new();
    let x = quiet.variable("x");
    let one = quiet.builder.int(1);
    quiet.require(BinaryOp::Eq, x, one);
    let reason = fuzz(&quiet.fail(), &[], &Inputs::default()).verdict.to_string();
    assert!(reason.contains("reads no inputs, and its only run ends without it: main returned 0"), "{reason}");
}

#[test]
fn tests_of_others_are_seeds_and_knowledge_survives_rounds() {
    let word = [11, 22, 33, 44];
    let task = automaton(&word);
    let suite = TestSuite { tests: vec![TestCase::of(word.map(|value| InputValue::integer(32, true, value)))] };
    let inputs = Inputs { tests: Some(suite), ..Inputs::default() };
    let outcome = fuzz(&task, &[("executions", 10)], &inputs);
    assert_eq!(outcome.verdict, Verdict::False);

    let options = [("executions", OptionValue::Integer(400))];
    let mut engine = testing::worker::<Fuzz>(&automaton(&[9, 8, 7, 6, 5, 4, 3, 2, 1]), &options).unwrap();
    let task = automaton(&[9, 8, 7, 6, 5, 4, 3, 2, 1]);
    let mut corpus = Vec::new();
    for _ in 0..2 {
        let outcome = engine.run(&Inputs::default(), &Interpreting::host(task.program())).unwrap();
        let size = outcome.statistics.iter().find(|(name, _)| name == "corpus").unwrap().1.clone();
        corpus.push(size.parse::<u32>().unwrap());
    }
    assert!(corpus[1] >= corpus[0] && corpus[0] > 1, "{corpus:?}");
}

#[test]
fn a_stop_ends_the_campaign_with_what_was_found() {
    let task = automaton(&[1; 40]);
    let host = Interpreting::host(task.program());
    let signal = host.stop_signal().clone();
    let mut engine = testing::worker::<Fuzz>(&task, &[]).unwrap();
    let running = std::thread::spawn(move || engine.run(&Inputs::default(), &host));
    std::thread::sleep(std::time::Duration::from_millis(100));
    signal.stop(StopReason::OutOfTime);
    let outcome = running.join().unwrap().unwrap();
    assert!(outcome.verdict.is_unknown() || outcome.verdict == Verdict::False);
    assert!(outcome.gia.is_some());
}

#[test]
fn a_host_without_execution_is_an_error_that_says_so() {
    let mut engine = testing::worker::<Fuzz>(&testing::two_inputs(), &[]).unwrap();
    let error = engine.run(&Inputs::default(), &Host::silent()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable);
}
