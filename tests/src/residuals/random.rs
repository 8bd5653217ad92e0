//! Random conditions: trees of the first decisions of runs, some of whose nodes count as proven. Whether they really
//! are proven does not matter to a reducer.

use super::path_of;
use crate::random_c::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;
use tandem::exec::{Executable, Runner};
use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder, StateId};
use tandem_plugin_api::program::{EdgeId, Op, Program};
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, RunLimits, WhenInputsEnd};

/// How many decisions a condition looks at.
const DEPTH: usize = 14;

pub fn condition(program: &Arc<Program>, seed: u64) -> Result<Gia, String> {
    let mut rng = Rng::new(seed);
    let options = ExecutionOptions { decisions: true, ..ExecutionOptions::default() };
    let compiled = Executable::compile(Arc::clone(program), &options).map_err(|error| error.to_string())?;
    let mut runner = Runner::new(compiled).map_err(|error| error.to_string())?;
    let is_branch = |edge: &EdgeId| matches!(program.edge(*edge).op, Op::Assume { .. });
    let others = EdgeSet::of(program.edge_ids().filter(|edge| !is_branch(edge)));
    let mut builder = GiaBuilder::new();
    let start = builder.state("0", Acceptance::None);
    let proven = builder.sink("proven", Acceptance::Ut);
    builder.transition(start, others.clone(), Condition::always(), start);
    let mut children: BTreeMap<(StateId, EdgeId), StateId> = BTreeMap::new();
    for _ in 0..6 {
        runner.run(&[], &RunLimits { steps: 2_000, when_inputs_end: WhenInputsEnd::Random(rng.below(1 << 40)) });
        let path = path_of(program, runner.decisions());
        let mut at = start;
        for edge in path.into_iter().filter(is_branch).take(1 + rng.below(DEPTH as u64) as usize) {
            at = *children.entry((at, edge)).or_insert_with(|| {
                let next = builder.state(builder.len().to_string(), Acceptance::None);
                builder.transition(next, others.clone(), Condition::always(), next);
                builder.transition(at, edge, Condition::always(), next);
                next
            });
        }
        // The other way than the run went, or the way it went.
        let ways: Vec<EdgeId> = program.edge_ids().filter(is_branch).collect();
        if !ways.is_empty() {
            builder.transition(at, ways[rng.below(ways.len() as u64) as usize], Condition::always(), proven);
            let both: Vec<EdgeId> = (0..4).map(|_| ways[rng.below(ways.len() as u64) as usize]).collect();
            builder.transition(at, EdgeSet::of(both), Condition::always(), proven);
        }
    }
    builder.build(start).map_err(|error| error.to_string())
}
