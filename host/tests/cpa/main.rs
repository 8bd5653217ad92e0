//! The CPA algorithm on programs built by hand, with small analyses that go through the whole plugin boundary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analyses;
mod refinement;
mod resume;

use analyses::{Anywhere, Asker, Claimant, Fragile, Ranges, STACK_SEEN};
use std::time::{Duration, Instant};
use tandem::cpa::{self, Component, End, Exploration, Openness, Order, Settings};
use tandem_plugin_api::abi::plugin_side::ExportedKind;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::Acceptance;
use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::BinaryOp;

const ORDERS: [Order; 7] = [
    Order::BreadthFirst,
    Order::DepthFirst,
    Order::ReversePostorder,
    Order::RandomPath,
    Order::Coverage,
    Order::LoopIterations,
    Order::Interleaved,
];

fn component<P: Plugin>(task: &SharedTask, options: &[(&str, OptionValue)]) -> Component
where
    P::Kind: ExportedKind<P>,
{
    Component { name: P::descriptor().name, instance: testing::analysis::<P>(task, options).unwrap() }
}

fn anywhere(task: &SharedTask) -> Vec<Component> {
    vec![component::<Anywhere>(task, &[])]
}

fn flag(name: &str) -> (&str, OptionValue) {
    (name, OptionValue::Bool(true))
}

fn verify(task: &SharedTask, components: Vec<Component>) -> Outcome {
    cpa::run(task, components, Settings::default(), &Inputs::default(), &Host::silent()).unwrap()
}

fn covered(gia: &Gia, path: &[u32]) -> Vec<Acceptance> {
    let path: Vec<EdgeId> = path.iter().copied().map(EdgeId).collect();
    gia.covers(&path, &mut |_, _| true).iter().collect()
}

fn reason(outcome: &Outcome) -> &str {
    match &outcome.verdict {
        Verdict::Unknown { reason } => reason,
        other => panic!("expected UNKNOWN, found {other}"),
    }
}

#[test]
fn an_error_that_the_graph_reaches_is_unknown_with_its_line() {
    let task = testing::two_inputs();
    let outcome = verify(&task, anywhere(&task));
    assert!(reason(&outcome).contains("reach_error at two_inputs.c:3"), "{}", reason(&outcome));
    let gia = outcome.gia.unwrap();
    assert_eq!(covered(&gia, &[0, 1, 2]), [Acceptance::Cand]);
    assert_eq!(covered(&gia, &[0, 1]), []);
}

/// `foo(); abort(); reach_error();`
#[test]
fn what_comes_after_abort_is_not_reached() {
    let mut builder = ProgramBuilder::new("a.c");
    let main = builder.function("main");
    let (entry, exit) = builder.body(main);
    let (foo, abort, error) = (builder.declare("foo"), builder.declare("abort"), builder.declare("reach_error"));
    let (second, third) = (builder.location(main), builder.location(main));
    builder.call(entry, second, foo, &[]);
    builder.call(second, third, abort, &[]);
    builder.call(third, exit, error, &[]);
    let task = testing::task(builder.finish(main));
    let outcome = verify(&task, anywhere(&task));
    assert_eq!(outcome.verdict, Verdict::True);
    assert_eq!(outcome.gia, Some(Gia::all_ut()));
    assert_eq!(outcome.soundness.convention_texts(), ["function without a body: foo"]);
    assert!(outcome.reported_verdict(true).is_unknown(), "not when conventions are forbidden");
}

#[test]
fn no_proof_passes_over_what_is_unsupported() {
    let mut builder = ProgramBuilder::new("u.c");
    let main = builder.function("main");
    let (entry, exit) = builder.body(main);
    builder.unsupported(entry, exit, "computed goto");
    let task = testing::task(builder.finish(main));
    let outcome = verify(&task, anywhere(&task));
    assert_eq!(reason(&outcome), "unsupported: computed goto (u.c:1)");
    assert_eq!(covered(&outcome.gia.unwrap(), &[0]), [], "what was cut off is open");
}

#[test]
fn unsupported_code_that_is_not_reached_does_no_harm() {
    let mut builder = ProgramBuilder::new("u.c");
    let main = builder.function("main");
    let other = builder.function("never_called");
    let (entry, exit) = builder.body(main);
    let (inside, end) = builder.body(other);
    builder.unsupported(inside, end, "computed goto");
    builder.edge(entry, exit, Op::Skip);
    let task = testing::task(builder.finish(main));
    assert_eq!(verify(&task, anywhere(&task)).verdict, Verdict::True);
}

#[test]
fn threads_are_never_proven() {
    let mut builder = ProgramBuilder::new("t.c");
    let main = builder.function("main");
    let create = builder.declare("pthread_create");
    let (entry, exit) = builder.body(main);
    builder.call(entry, exit, create, &[]);
    let task = testing::task(builder.finish(main));
    assert!(reason(&verify(&task, anywhere(&task))).contains("pthread_create"));
}

#[test]
fn a_program_without_main_is_not_proven() {
    let mut builder = ProgramBuilder::new("m.c");
    let main = builder.declare("main");
    let task = testing::task(builder.finish(main));
    assert_eq!(reason(&verify(&task, anywhere(&task))), "the program has no body for `main`");
}

/// `x = 0; while (x < 1000000) x = x + 1; if (x < 5) reach_error();`
fn counting_loop() -> SharedTask {
    let mut builder = ProgramBuilder::new("loop.c");
    let main = builder.function("main");
    let error = builder.declare("reach_error");
    let x = builder.global("x");
    let (entry, exit) = builder.body(main);
    let (place, one, five) = (builder.variable(x), builder.int(1), builder.int(5));
    let million = builder.int(1_000_000);
    let (inside, after, bad) = (builder.location(main), builder.location(main), builder.location(main));
    let below = builder.binary(BinaryOp::Lt, place, million);
    let small = builder.binary(BinaryOp::Lt, place, five);
    let sum = builder.binary(BinaryOp::Add, place, one);
    builder.branch(entry, below, inside, after);
    builder.edge(inside, entry, Op::Assign { target: place, value: sum });
    builder.branch(after, small, bad, exit);
    builder.call(bad, exit, error, &[]);
    testing::task(builder.finish(main))
}

#[test]
fn merging_and_widening_end_a_long_loop() {
    for order in ORDERS {
        let task = counting_loop();
        let settings = Settings { order, ..Settings::default() };
        let components = vec![component::<Ranges>(&task, &[])];
        let mut exploration = Exploration::new(task.task(), components, settings);
        assert_eq!(exploration.run(&Inputs::default(), &Host::silent()).unwrap(), End::Complete);
        assert_eq!(exploration.outcome(&End::Complete).verdict, Verdict::True, "{order:?}");
        assert!(exploration.arg().len() < 20, "{} states", exploration.arg().len());
        assert_eq!(exploration.waiting(), 0);
        let (_, head) = exploration.arg().nodes().next().unwrap();
        assert_eq!(exploration.product().describe(&head.parts).unwrap(), format!("[0, {}]", i32::MAX));
        let invariant = exploration.product().invariant(&head.parts, head.location).unwrap();
        assert_eq!(invariant.unwrap(), format!("(x >= 0 && x <= {})", i32::MAX));
    }
}

#[test]
fn cancellation_leaves_a_graph_to_go_on_with() {
    let task = counting_loop();
    let components = vec![component::<Ranges>(&task, &[flag("flat")])];
    let mut exploration = Exploration::new(task.task(), components, Settings::default());
    let host = Host::silent();
    let signal = host.stop_signal().clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        signal.stop(StopReason::OutOfTime);
    });
    let started = Instant::now();
    let end = exploration.run(&Inputs::default(), &host).unwrap();
    canceller.join().unwrap();
    assert_eq!(end, End::Stopped(StopReason::OutOfTime));
    assert!(started.elapsed() < Duration::from_secs(5));
    let outcome = exploration.outcome(&end);
    assert!(reason(&outcome).starts_with("out of time, with "), "{}", reason(&outcome));
    let states = exploration.arg().len();
    assert!(states > 10 && exploration.waiting() >= 1);

    exploration.run(&Inputs::default(), &host).unwrap();
    assert_eq!(exploration.arg().len(), states, "a run that is stopped at once changes nothing");
    let other = exploration.run(&Inputs::default(), &Host::silent()).unwrap_err();
    assert!(other.to_string().contains("the host that it began with"), "{other}");
}

/// `if (y != 1) { x = 1; f(); if (x == 2) reach_error(); } else { x = 2; f(); }`
fn two_callers() -> SharedTask {
    let mut builder = ProgramBuilder::new("calls.c");
    let main = builder.function("main");
    let callee = builder.function("f");
    let error = builder.declare("reach_error");
    let (x, y) = (builder.global("x"), builder.global("y"));
    let (entry, exit) = builder.body(main);
    let (inside, leaves) = builder.body(callee);
    builder.edge(inside, leaves, Op::Skip);
    let (place, other) = (builder.variable(x), builder.variable(y));
    let (one, two) = (builder.int(1), builder.int(2));
    let locations: Vec<_> = (0..6).map(|_| builder.location(main)).collect();
    let [left, right, left_ready, right_ready, back, bad] = locations[..] else { panic!() };
    let (first, second) = (builder.binary(BinaryOp::Ne, other, one), builder.binary(BinaryOp::Eq, place, two));
    builder.branch(entry, first, left, right);
    builder.edge(left, left_ready, Op::Assign { target: place, value: one });
    builder.edge(right, right_ready, Op::Assign { target: place, value: two });
    builder.call(left_ready, back, callee, &[]);
    builder.call(right_ready, exit, callee, &[]);
    builder.branch(back, second, bad, exit);
    builder.call(bad, exit, error, &[]);
    testing::task(builder.finish(main))
}

#[test]
fn calls_return_to_their_callers() {
    let task = two_callers();
    let exact = verify(&task, vec![component::<Ranges>(&task, &[flag("flat")])]);
    assert_eq!(exact.verdict, Verdict::True);
    // Without call stacks the state of the second call returns behind the first one, too.
    let merged = verify(&task, vec![component::<Ranges>(&task, &[flag("flat"), flag("ignore-calls")])]);
    assert!(reason(&merged).contains("reach_error"));
    // One analysis that needs call stacks is enough to keep them.
    let both = vec![component::<Anywhere>(&task, &[]), component::<Ranges>(&task, &[flag("flat")])];
    assert_eq!(verify(&task, both).verdict, Verdict::True);
}

/// A function that is never called calls `f` as well, and then the error.
#[test]
fn calls_never_return_to_where_nobody_called() {
    let mut builder = ProgramBuilder::new("dead.c");
    let main = builder.function("main");
    let (callee, dead) = (builder.function("f"), builder.function("dead"));
    let error = builder.declare("reach_error");
    let (entry, exit) = builder.body(main);
    let (inside, leaves) = builder.body(callee);
    let (start, end) = builder.body(dead);
    let behind = builder.location(dead);
    builder.edge(inside, leaves, Op::Skip);
    builder.call(entry, exit, callee, &[]);
    builder.call(start, behind, callee, &[]);
    builder.call(behind, end, error, &[]);
    let task = testing::task(builder.finish(main));
    assert_eq!(verify(&task, anywhere(&task)).verdict, Verdict::True);
    assert_eq!(verify(&task, vec![component::<Ranges>(&task, &[])]).verdict, Verdict::True);
}

/// `f(); f(); reach_error();`
fn late_call() -> SharedTask {
    let mut builder = ProgramBuilder::new("late.c");
    let main = builder.function("main");
    let callee = builder.function("f");
    let error = builder.declare("reach_error");
    let (entry, exit) = builder.body(main);
    let (inside, leaves) = builder.body(callee);
    let (middle, behind) = (builder.location(main), builder.location(main));
    builder.edge(inside, leaves, Op::Skip);
    builder.call(entry, middle, callee, &[]);
    builder.call(middle, behind, callee, &[]);
    builder.call(behind, exit, error, &[]);
    testing::task(builder.finish(main))
}

/// The second call of `f` is found after `f` was explored for the first one.
#[test]
fn a_call_found_late_gets_its_return() {
    let task = late_call();
    for order in ORDERS {
        let settings = Settings { order, ..Settings::default() };
        let outcome = cpa::run(&task, anywhere(&task), settings, &Inputs::default(), &Host::silent()).unwrap();
        assert!(reason(&outcome).contains("late.c:6"), "{order:?}: {}", reason(&outcome));
    }
}

/// Level `i` calls level `i + 1` twice: 2^40 call stacks.
#[test]
fn call_trees_do_not_explode_where_no_analysis_needs_stacks() {
    let mut builder = ProgramBuilder::new("tree.c");
    let functions: Vec<_> = (0..40).map(|level| builder.function(&format!("level{level}"))).collect();
    for (level, &function) in functions.iter().enumerate() {
        let (entry, exit) = builder.body(function);
        match functions.get(level + 1) {
            Some(&next) => {
                let middle = builder.location(function);
                builder.call(entry, middle, next, &[]);
                builder.call(middle, exit, next, &[]);
            }
            None => {
                builder.edge(entry, exit, Op::Skip);
            }
        }
    }
    let task = testing::task(builder.finish(functions[0]));
    let mut exploration = Exploration::new(task.task(), anywhere(&task), Settings::default());
    let end = exploration.run(&Inputs::default(), &Host::silent()).unwrap();
    assert_eq!(exploration.outcome(&end).verdict, Verdict::True);
    assert!(exploration.arg().len() <= task.program().locations.len());
}

/// `void f() { if (…) f(); }  main() { f(); }`
#[test]
fn recursion_is_cut_off_and_then_nothing_is_proven() {
    let mut builder = ProgramBuilder::new("rec.c");
    let main = builder.function("main");
    let callee = builder.function("f");
    let (entry, exit) = builder.body(main);
    let (inside, leaves) = builder.body(callee);
    builder.call(entry, exit, callee, &[]);
    builder.call(inside, leaves, callee, &[]);
    builder.edge(inside, leaves, Op::Skip);
    let task = testing::task(builder.finish(main));
    let outcome = verify(&task, vec![component::<Ranges>(&task, &[])]);
    assert_eq!(reason(&outcome), "calls nested deeper than 100 are not followed (rec.c:3)");
    assert_eq!(verify(&task, anywhere(&task)).verdict, Verdict::True, "no stacks, nothing to cut off");
}

#[test]
fn components_strengthen_each_other() {
    let task = two_callers();
    let components = vec![component::<Asker>(&task, &[]), component::<Ranges>(&task, &[flag("flat")])];
    let mut exploration = Exploration::new(task.task(), components, Settings::default());
    let end = exploration.run(&Inputs::default(), &Host::silent()).unwrap();
    assert_eq!(exploration.outcome(&end).verdict, Verdict::True);
    let mut texts: Vec<_> =
        exploration.arg().nodes().map(|(_, node)| exploration.product().describe(&node.parts).unwrap()).collect();
    texts.sort();
    texts.dedup();
    assert!(texts.contains(&"asker 3; [1, 1]".to_string()), "{texts:?}");
    assert!(!texts.contains(&"asker 2; [1, 1]".to_string()), "{texts:?}");
    assert_eq!(*STACK_SEEN.lock().unwrap(), 1, "inside f there is one call under way");
}

#[test]
fn the_failure_of_a_component_is_told_by_its_name() {
    let task = counting_loop();
    for (option, kind, text) in [("fail", ErrorKind::Failed, "cannot pass"), ("panic", ErrorKind::Panicked, "doom")] {
        let fragile = component::<Fragile>(&task, &[(option, OptionValue::Integer(0))]);
        let components = vec![component::<Anywhere>(&task, &[]), fragile];
        let error = cpa::run(&task, components, Settings::default(), &Inputs::default(), &Host::silent()).unwrap_err();
        assert_eq!((error.component.as_str(), error.error.kind), ("fragile", kind));
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn the_same_input_gives_the_same_graph() {
    let shape = |order| {
        let task = two_callers();
        let settings = Settings { order, ..Settings::default() };
        let components = vec![component::<Ranges>(&task, &[flag("flat")]), component::<Anywhere>(&task, &[])];
        let mut exploration = Exploration::new(task.task(), components, settings);
        exploration.run(&Inputs::default(), &Host::silent()).unwrap();
        let product = exploration.product();
        let line = |node: &tandem::cpa::Node| {
            format!("{} {} {:?}", node.location, product.describe(&node.parts).unwrap(), node.parents)
        };
        exploration.arg().nodes().map(|(_, node)| line(node)).collect::<Vec<_>>()
    };
    for order in ORDERS {
        assert_eq!(shape(order), shape(order));
    }
}

#[test]
fn coverage_goes_on_behind_its_goals() {
    let program = two_callers().program().clone();
    let task = SharedTask::new(&SharedProgram::new(program), Property::CoverBranches);
    let outcome = verify(&task, anywhere(&task));
    assert_eq!(reason(&outcome), "4 of 4 goals may be reachable, and no tests were made");
    let narrower = verify(&task, vec![component::<Ranges>(&task, &[flag("flat")])]);
    assert_eq!(reason(&narrower), "3 of 4 goals may be reachable, and no tests were made");
}

#[test]
fn paths_to_targets_start_at_the_entry() {
    let task = two_callers();
    let mut exploration = Exploration::new(task.task(), anywhere(&task), Settings::default());
    assert_eq!(exploration.run(&Inputs::default(), &Host::silent()).unwrap(), End::Complete);
    let (edge, node) = exploration.first_target().unwrap();
    assert_eq!(exploration.arg().node(node).openness, Openness::Target);
    let path = exploration.arg().path_to(node);
    let program = task.program();
    assert_eq!(program.edge(path[0]).from, program.entry().unwrap());
    assert_eq!(*path.last().unwrap(), edge);
    assert!(path.windows(2).all(|pair| program.edge(pair[0]).to == program.edge(pair[1]).from));
}

#[test]
fn an_exploration_can_move_to_another_thread() {
    let task = counting_loop();
    let mut exploration = Exploration::new(task.task(), vec![component::<Ranges>(&task, &[])], Settings::default());
    let end = std::thread::spawn(move || exploration.run(&Inputs::default(), &Host::silent()).unwrap());
    assert_eq!(end.join().unwrap(), End::Complete);
}

#[test]
fn what_an_analysis_claims_of_a_target_is_executed_or_passed_over() {
    let task = testing::two_inputs();
    let claim = |claim: &str| {
        let options = [("claim", OptionValue::Text(claim.into()))];
        verify(&task, vec![component::<Claimant>(&task, &options), component::<Anywhere>(&task, &[])])
    };
    let infeasible = claim("infeasible");
    assert_eq!(infeasible.verdict, Verdict::True);
    let complete = ("complete".to_string(), "true".to_string());
    assert!(infeasible.statistics.contains(&complete), "{:?}", infeasible.statistics);
    assert!(reason(&claim("undecided")).contains("not decided: too hard"));
    // This host executes nothing, so that no target is confirmed.
    let unconfirmed = claim("inputs");
    assert!(reason(&unconfirmed).contains("nothing can be executed"), "{}", reason(&unconfirmed));
    assert!(unconfirmed.tests.is_none());
}
