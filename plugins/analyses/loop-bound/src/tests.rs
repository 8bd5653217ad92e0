//! The analysis through the whole boundary.

use super::*;
use tandem_plugin_api::abi::AnalysisInstance;
use tandem_plugin_api::abi::host_side::Next;
use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
use tandem_plugin_api::program::BinaryOp;

#[test]
fn describes_itself_without_mistakes() {
    assert_eq!(LoopBound::descriptor().problems(), Vec::<String>::new());
}

/// Passes edges as far as possible; returns how many were passed.
fn passed(analysis: &AnalysisInstance, edges: &[EdgeId]) -> usize {
    testing::states_along(analysis, edges).unwrap().len() - 1
}

/// `while (x) while (y) f();`, and the edges by what they do.
#[test]
fn rounds_are_counted_from_where_a_loop_is_entered() {
    let mut builder = ProgramBuilder::new("f.c");
    let main = builder.function("main");
    let (entry, exit) = builder.body(main);
    let x = builder.global("x");
    let (place, zero) = (builder.variable(x), builder.int(0));
    let condition = builder.binary(BinaryOp::Ne, place, zero);
    let inner = builder.location(main);
    let body = builder.location(main);
    builder.branch(entry, condition, inner, exit);
    builder.branch(inner, condition, body, entry);
    builder.edge(body, inner, Op::Skip);
    let task = testing::task(builder.finish(main));
    let options = [("bound", OptionValue::Integer(2))];
    let analysis = testing::analysis::<LoopBound>(&task, &options).unwrap();
    let (into, into_inner, leave_inner, back) = (EdgeId(0), EdgeId(2), EdgeId(3), EdgeId(4));
    // Two rounds of the inner loop, not three.
    assert_eq!(passed(&analysis, &[into, into_inner, back, into_inner, back, into_inner, back]), 6);
    // When the loop is entered again, its rounds are counted from the start.
    let two = [into_inner, back, into_inner, back];
    let path = [&[into][..], &two, &[leave_inner, into], &two, &[leave_inner, into], &two].concat();
    assert_eq!(passed(&analysis, &path), path.len());
    // Three rounds of the outer loop.
    assert_eq!(passed(&analysis, &[into, leave_inner, into, leave_inner, into, leave_inner]), 5);
    let counts = testing::states_along(&analysis, &[into, into_inner, back]).unwrap();
    assert_eq!(analysis.describe(&counts[3]).unwrap(), "rounds 0, 1");
    assert!(!analysis.less_or_equal(&counts[3], &counts[1]).unwrap());
}

#[test]
fn recursion_is_bounded_and_loops_of_callers_go_on() {
    let mut builder = ProgramBuilder::new("f.c");
    let main = builder.function("main");
    let recursive = builder.function("recursive");
    let (entry, _) = builder.body(main);
    let (start, end) = builder.body(recursive);
    let after = builder.location(main);
    builder.call(entry, after, recursive, &[]);
    builder.edge(after, entry, Op::Skip);
    builder.edge(start, end, Op::Skip);
    builder.call(start, end, recursive, &[]);
    let program = builder.finish(main);
    let edge = |wanted: fn(&Op) -> bool, nth: usize| {
        program.edge_ids().filter(|e| wanted(&program.edge(*e).op)).nth(nth).unwrap()
    };
    let (call, again) = (edge(|op| matches!(op, Op::Call(_)), 0), edge(|op| matches!(op, Op::Call(_)), 1));
    let (resume, inner_resume) = (edge(|op| matches!(op, Op::Resume(_)), 0), edge(|op| matches!(op, Op::Resume(_)), 1));
    let (back, down) = (edge(|op| *op == Op::Skip, 0), edge(|op| *op == Op::Skip, 1));
    let task = testing::task(program);
    let options = [("recursion", OptionValue::Integer(2)), ("bound", OptionValue::Integer(1))];
    let analysis = testing::analysis::<LoopBound>(&task, &options).unwrap();
    assert_eq!(passed(&analysis, &[call, again, again]), 2);
    let round = [call, again, down, inner_resume, resume, back];
    // The rounds of main's loop are still known when the call is over.
    assert_eq!(passed(&analysis, &[round, round].concat()), 11);
}

#[test]
fn the_exploration_may_end_instead() {
    let mut builder = ProgramBuilder::new("f.c");
    let main = builder.function("main");
    let (entry, _) = builder.body(main);
    builder.edge(entry, entry, Op::Skip);
    let task = testing::task(builder.finish(main));
    let options = [("bound", OptionValue::Integer(0)), ("at-bound", OptionValue::Text("end-exploration".into()))];
    let analysis = testing::analysis::<LoopBound>(&task, &options).unwrap();
    let precision = analysis.initial_precision().unwrap();
    let first = analysis.initial().unwrap();
    let Next::One(beyond) = analysis.successors(&first, EdgeId(0), &precision).unwrap() else { panic!("no state") };
    assert!(!analysis.adjust(&first, entry, &precision).unwrap().stop_here);
    assert!(analysis.adjust(&beyond, entry, &precision).unwrap().stop_here);
}
