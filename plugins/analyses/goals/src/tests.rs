//! The analysis through the whole boundary.

use super::*;
use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, GiaBuilder};
use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
use tandem_plugin_api::program::BinaryOp;

#[test]
fn describes_itself_without_mistakes() {
    assert_eq!(Goals::descriptor().problems(), Vec::<String>::new());
}

/// `if (x) { a: reach_error(); b: ; } else { c: ; d: ; }`, with these edges in this order.
fn branching() -> Program {
    let mut builder = ProgramBuilder::new("f.c");
    let main = builder.function("main");
    let error = builder.declare("reach_error");
    let (entry, exit) = builder.body(main);
    let x = builder.global("x");
    let (place, zero) = (builder.variable(x), builder.int(0));
    let condition = builder.binary(BinaryOp::Ne, place, zero);
    let (then, otherwise, after, end) =
        (builder.location(main), builder.location(main), builder.location(main), builder.location(main));
    builder.branch(entry, condition, then, otherwise);
    builder.call(then, after, error, &[]);
    builder.edge(after, exit, Op::Skip);
    builder.edge(otherwise, end, Op::Skip);
    builder.edge(end, exit, Op::Skip);
    builder.finish(main)
}

fn length(analysis: &tandem_plugin_api::abi::AnalysisInstance, edges: &[u32]) -> usize {
    let edges: Vec<EdgeId> = edges.iter().map(|&edge| EdgeId(edge)).collect();
    testing::states_along(analysis, &edges).unwrap().len() - 1
}

#[test]
fn paths_end_where_no_goal_can_be_reached() {
    let analysis = testing::analysis::<Goals>(&testing::task(branching()), &[]).unwrap();
    // The call itself is passed; behind it there is no other goal.
    assert_eq!(length(&analysis, &[0, 2, 3]), 2);
    assert_eq!(length(&analysis, &[1, 4]), 0);
}

#[test]
fn goals_that_others_covered_are_dropped() {
    use tandem_plugin_api::abi::{SharedProgram, SharedTask};
    let program = SharedProgram::new(Arc::new(branching()));
    let task = SharedTask::new(&program, Property::CoverBranches);
    let mut analysis = testing::analysis::<Goals>(&task, &[]).unwrap();
    assert_eq!((length(&analysis, &[0]), length(&analysis, &[1])), (1, 1));
    let mut builder = GiaBuilder::new();
    let start = builder.state("start", Acceptance::None);
    let covered = builder.sink("covered", Acceptance::Rt);
    builder.transition(start, EdgeSet::one(EdgeId(0)), Condition::always(), covered);
    let inputs = Inputs { gia: builder.build(start).unwrap(), ..Inputs::default() };
    analysis.start(&inputs, &Host::silent()).unwrap();
    assert_eq!((length(&analysis, &[0]), length(&analysis, &[1])), (0, 1));
}

#[test]
fn a_covered_error_call_stays_open_for_a_proof() {
    let mut analysis = testing::analysis::<Goals>(&testing::task(branching()), &[]).unwrap();
    let mut builder = GiaBuilder::new();
    let start = builder.state("start", Acceptance::None);
    let covered = builder.sink("covered", Acceptance::Rt);
    builder.transition(start, EdgeSet::one(EdgeId(2)), Condition::always(), covered);
    let inputs = Inputs { gia: builder.build(start).unwrap(), ..Inputs::default() };
    analysis.start(&inputs, &Host::silent()).unwrap();
    assert_eq!(length(&analysis, &[0, 2]), 2);
}
