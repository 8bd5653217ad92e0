//! Refinement, and the results of explorations for others: precision, GIA, invariants.

use crate::analyses::{Anywhere, Asker, Claimant, Ranges, Tracker};
use crate::{component, counting_loop, covered, flag, reason, two_callers, verify};
use tandem::cpa::{Component, End, Exploration, RefinementSelection, Settings};
use tandem::frontend::load_text;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Acceptance, InvariantKind};
use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::BinaryOp;

fn tracker(task: &SharedTask) -> Component {
    component::<Tracker>(task, &[])
}

fn statistic(outcome: &Outcome, name: &str) -> u64 {
    let found = outcome.statistics.iter().find(|(known, _)| known == name);
    found.unwrap_or_else(|| panic!("no statistic {name}")).1.parse().unwrap()
}

#[test]
fn an_infeasible_path_is_refined_away() {
    let task = two_callers();
    let outcome = verify(&task, vec![tracker(&task)]);
    assert_eq!(outcome.verdict, Verdict::True, "{}", outcome.verdict);
    assert_eq!(statistic(&outcome, "refinements"), 1);
    assert_eq!(outcome.precision.as_ref().map(|found| found.len()), Some(1));
    // The learnt precision is used from the start.
    let inputs = Inputs { precision: outcome.precision, ..Inputs::default() };
    let again = tandem::cpa::run(&task, vec![tracker(&task)], Settings::default(), &inputs, &Host::silent()).unwrap();
    assert_eq!((again.verdict.clone(), statistic(&again, "refinements")), (Verdict::True, 0));
}

#[test]
fn whoever_can_refine_does() {
    for selection in [RefinementSelection::First, RefinementSelection::All] {
        let task = two_callers();
        let settings = Settings { refinement: selection, ..Settings::default() };
        let components = vec![component::<Anywhere>(&task, &[]), tracker(&task), tracker(&task)];
        let outcome = tandem::cpa::run(&task, components, settings, &Inputs::default(), &Host::silent()).unwrap();
        assert_eq!(outcome.verdict, Verdict::True);
    }
}

#[test]
fn a_refinement_that_teaches_nothing_ends() {
    let task = two_callers();
    let outcome = verify(&task, vec![component::<Tracker>(&task, &[flag("stubborn")])]);
    assert!(reason(&outcome).contains("a path leads to reach_error at calls.c:"), "{}", reason(&outcome));
    assert_eq!(statistic(&outcome, "refinements"), 2);
    assert_eq!(statistic(&outcome, "refinements from the start"), 1);
}

/// A loop whose head is the entry, and what comes after it: everything is below the pivot, and the pivot below itself.
#[test]
fn loops_are_cut_back_too() {
    let mut builder = ProgramBuilder::new("loop.c");
    let main = builder.function("main");
    let error = builder.declare("reach_error");
    let x = builder.global("x");
    let (entry, exit) = builder.body(main);
    let (place, zero, one, three) = (builder.variable(x), builder.int(0), builder.int(1), builder.int(3));
    let locations: Vec<_> = (0..4).map(|_| builder.location(main)).collect();
    let [head, inside, after, bad] = locations[..] else { panic!() };
    let below = builder.binary(BinaryOp::Lt, place, three);
    let is_three = builder.binary(BinaryOp::Eq, place, three);
    let sum = builder.binary(BinaryOp::Add, place, one);
    builder.edge(entry, head, Op::Assign { target: place, value: zero });
    builder.branch(head, below, inside, after);
    builder.edge(inside, head, Op::Assign { target: place, value: sum });
    builder.branch(after, is_three, exit, bad);
    builder.call(bad, exit, error, &[]);
    let task = testing::task(builder.finish(main));
    let outcome = verify(&task, vec![tracker(&task)]);
    assert_eq!(outcome.verdict, Verdict::True, "{}", outcome.verdict);
    // With an analysis that merges its states, the graph has cycles.
    let both = verify(&task, vec![component::<Anywhere>(&task, &[]), tracker(&task), component::<Ranges>(&task, &[])]);
    assert_eq!(both.verdict, Verdict::True, "{}", both.verdict);
}

const SOURCE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
                      int x = __VERIFIER_nondet_int();\nif (x * 3 == 21) {\nreach_error();\n}\nreturn 0; }\n";

#[test]
fn without_a_solver_a_feasible_path_stays_open() {
    let program = load_text(SOURCE, "p.c", tandem_plugin_api::program::DataModel::Ilp32).unwrap();
    let property = Property::UnreachableCall { function: "reach_error".into() };
    let task = SharedTask::new(&SharedProgram::new(program.into()), property);
    let outcome = verify(&task, vec![tracker(&task)]);
    assert!(reason(&outcome).contains("whether it is feasible is not checked"), "{}", reason(&outcome));
}

/// `if (y != 1) reach_error(); else x = 1;`: one side is explored, the other leads to a target that no analysis
/// excludes.
#[test]
fn explored_subtrees_are_ut_and_targets_candidates() {
    let mut builder = ProgramBuilder::new("sides.c");
    let main = builder.function("main");
    let error = builder.declare("reach_error");
    let (x, y) = (builder.global("x"), builder.global("y"));
    let (entry, exit) = builder.body(main);
    let (bad, good) = (builder.location(main), builder.location(main));
    let (place, other, one) = (builder.variable(x), builder.variable(y), builder.int(1));
    let differs = builder.binary(BinaryOp::Ne, other, one);
    builder.branch(entry, differs, bad, good);
    builder.edge(good, exit, Op::Assign { target: place, value: one });
    builder.call(bad, exit, error, &[]);
    let task = testing::task(builder.finish(main));
    let gia = verify(&task, vec![component::<Ranges>(&task, &[flag("flat")])]).gia.unwrap();
    assert_eq!(covered(&gia, &[0]), []);
    assert_eq!(covered(&gia, &[0, 3]), [Acceptance::Cand]);
    assert_eq!(covered(&gia, &[1]), [Acceptance::Ut]);
    // Two states stand for the paths after an edge: neither may claim that all of them are explored.
    let both = vec![component::<Asker>(&task, &[]), component::<Ranges>(&task, &[flag("flat")])];
    let gia = verify(&task, both).gia.unwrap();
    assert_eq!((covered(&gia, &[0, 3]), covered(&gia, &[1, 2])), (vec![], vec![Acceptance::Ut]));
}

#[test]
fn what_waits_is_open() {
    let task = counting_loop();
    let mut exploration =
        Exploration::new(task.task(), vec![component::<Ranges>(&task, &[flag("flat")])], Settings::default());
    let host = Host::silent();
    let signal = host.stop_signal().clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(3));
        signal.stop(StopReason::OutOfTime);
    });
    let end = exploration.run(&Inputs::default(), &host).unwrap();
    canceller.join().unwrap();
    assert_eq!(end, End::Stopped(StopReason::OutOfTime));
    let Some(gia) = exploration.outcome(&end).gia else { return };
    // `x < 1000000` holds at first, and its other side is explored.
    assert_eq!(covered(&gia, &[0]), []);
    assert_eq!(covered(&gia, &[1]), [Acceptance::Ut]);
    assert_eq!(covered(&gia, &[0, 2, 1]), [Acceptance::Ut]);
}

#[test]
fn loop_heads_get_invariants() {
    let task = counting_loop();
    let outcome = verify(&task, vec![component::<Ranges>(&task, &[])]);
    let invariants = outcome.invariants.unwrap();
    let [only] = &invariants.iter().collect::<Vec<_>>()[..] else { panic!("{invariants:?}") };
    assert_eq!(only.expression.text(), format!("(x >= 0 && x <= {})", i32::MAX));
    assert_eq!((only.expression.scope(), only.checked), (Some("main"), true));
    assert_eq!((only.origin.as_str(), only.kind), ("ranges", InvariantKind::Location));
    // A state without knowledge has no invariant.
    assert_eq!(verify(&task, crate::anywhere(&task)).invariants, None);
}

/// The path is infeasible, and the components could say so, but they are not asked.
#[test]
fn without_refinement_a_path_to_a_target_is_a_candidate() {
    let task = two_callers();
    let settings = Settings { refinement: RefinementSelection::None, ..Settings::default() };
    let claim = [("claim", OptionValue::Text("infeasible".into()))];
    for components in
        [vec![tracker(&task)], vec![component::<Claimant>(&task, &claim), component::<Anywhere>(&task, &[])]]
    {
        let mut exploration = Exploration::new(task.task(), components, settings);
        let host = Host::silent();
        assert_eq!(exploration.run(&Inputs::default(), &host).unwrap(), End::TargetReached);
        let outcome = exploration.outcome(&End::TargetReached);
        let expected = "a path leads to reach_error at calls.c:";
        assert!(reason(&outcome).starts_with(expected), "{}", reason(&outcome));
        assert!(reason(&outcome).contains("refinement = \"none\""), "{}", reason(&outcome));
        for name in ["refinements", "paths decided by the solver", "infeasible ways to targets"] {
            assert_eq!(statistic(&outcome, name), 0, "{name}");
        }
        assert_eq!(statistic(&outcome, "targets reached"), 1);
        let (edge, node) = exploration.first_target().unwrap();
        let path: Vec<u32> = exploration.arg().path_to(node).iter().map(|edge| edge.0).collect();
        assert_eq!(path.last(), Some(&edge.0));
        assert_eq!(covered(outcome.gia.as_ref().unwrap(), &path), [Acceptance::Cand]);
        // It goes on behind the candidate, which stays one.
        let states = exploration.arg().len();
        assert_eq!(exploration.run(&Inputs::default(), &host).unwrap(), End::Complete);
        assert!(exploration.arg().len() >= states);
        let outcome = exploration.outcome(&End::Complete);
        assert!(reason(&outcome).starts_with(expected), "{}", reason(&outcome));
        assert_eq!(covered(outcome.gia.as_ref().unwrap(), &path), [Acceptance::Cand]);
    }
}

/// Goals that others cover in the meantime are passed over; where none is open, nothing is explored.
#[test]
fn goals_that_others_cover_are_passed_over() {
    let program = two_callers().program().clone();
    let task = SharedTask::new(&SharedProgram::new(program), Property::CoverBranches);
    let goals = task.task().targets.clone();
    let explore = |covered: &[EdgeId]| {
        let mut exploration =
            Exploration::new(task.task(), vec![component::<Anywhere>(&task, &[])], Settings::default());
        assert!(covered.iter().all(|goal| exploration.goals().cover(*goal)));
        let end = exploration.run(&Inputs::default(), &Host::silent()).unwrap();
        (exploration.outcome(&end), end, exploration.arg().len())
    };
    let (outcome, end, _) = explore(&goals[..3]);
    assert_eq!((end, outcome.verdict.name()), (End::Complete, "UNKNOWN"));
    assert!(reason(&outcome).starts_with("4 of 4 goals"), "{}", reason(&outcome));
    let gia = outcome.gia.unwrap();
    assert_eq!(covered(&gia, &[goals[0].0]), [], "covered goals are no candidates");
    let (outcome, end, states) = explore(&goals);
    assert_eq!((end, outcome.verdict, states), (End::TargetReached, Verdict::True, 1));
}
