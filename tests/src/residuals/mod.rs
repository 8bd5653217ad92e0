//! Whether residual programs are right: executed with the same inputs, the residual program goes the original's way at
//! least as far as the condition does not cover it (the residual condition, Def. 2.3 of the ICSE paper), and gcc
//! compiles it.

mod path;
pub mod random;
mod readers;

pub use path::path_of;
pub use readers::unread;

use std::collections::HashSet;
use std::sync::Arc;
use tandem::exec::{Executable, Runner};
use tandem::plugins::Registry;
use tandem::services::HostServices;
use tandem::soundness::small_inputs;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::Gia;
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::kit::residual::{Follower, Next, SetId};
use tandem_plugin_api::options::Options;
use tandem_plugin_api::program::{EdgeId, LocationId, Op, Program};
use tandem_plugin_api::reducer::{Covered, Residual};
use tandem_plugin_api::service::Host;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};

/// All reducers.
pub const REDUCERS: [&str; 7] =
    ["identity", "product", "fold-cfa", "fold-loop", "fold-loop-bound", "fold-except-loops", "slice"];

/// Runs a reducer with its default options.
pub fn reduce(registry: &Registry, reducer: &str, task: &SharedTask, known: &Gia) -> Result<Residual, String> {
    let plugin = registry.get(PluginKind::Reducer, reducer).map_err(|error| error.to_string())?;
    let options = Options::fill(&plugin.descriptor.options, []).map_err(|problems| format!("{problems:?}"))?;
    let host = Host::new(Arc::new(HostServices::of(task.program())));
    let mut instance = plugin.worker(task, &options, &host).map_err(|error| error.to_string())?;
    instance.reduce(known, Covered::Ut, &host).map_err(|error| error.to_string())
}

/// The result of comparing two programs.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub runs: usize,
    /// Runs that the condition covers at some point.
    pub covered: usize,
    /// Runs that the residual program ended before the original did.
    pub shortened: usize,
    /// Runs that depend on values that C leaves open.
    pub indeterminate: usize,
    pub violations: Vec<String>,
}

/// Executes both programs on the same random inputs.
pub struct Comparer<'a> {
    task: &'a SharedTask,
    known: &'a Gia,
    original: Runner,
    /// With other junk in uninitialised variables in each run.
    shaken: Option<Runner>,
    steps: u64,
}

fn runner(program: &Arc<Program>, targets: &[EdgeId], junk: bool) -> Result<Runner, String> {
    let options = ExecutionOptions { targets: targets.to_vec(), decisions: true, junk, ..ExecutionOptions::default() };
    let compiled = Executable::compile(Arc::clone(program), &options).map_err(|error| error.to_string())?;
    Runner::new(compiled).map_err(|error| error.to_string())
}

impl<'a> Comparer<'a> {
    pub fn new(task: &'a SharedTask, known: &'a Gia, steps: u64) -> Result<Self, String> {
        let targets = &task.task().targets;
        let original = runner(task.program(), targets, false)?;
        Ok(Comparer { task, known, original, shaken: runner(task.program(), targets, true).ok(), steps })
    }

    /// `only_to_targets`: the residual program may end where no target is left.
    pub fn compare(&mut self, residual: &Residual, only_to_targets: bool, seeds: u64) -> Result<Comparison, String> {
        let program = Arc::new(residual.program.clone());
        let targets = self.task.task().property.targets(&program);
        let mut other = runner(&program, &targets, false)?;
        let kept: HashSet<EdgeId> = residual.origin.iter().flatten().copied().collect();
        let mut found = Comparison::default();
        for seed in 0..seeds {
            let inputs = small_inputs(seed);
            let limits = RunLimits { steps: self.steps, when_inputs_end: WhenInputsEnd::Random(seed) };
            let (first, second) = (self.original.run(&inputs, &limits), other.run(&inputs, &limits));
            let ours = path_of(self.task.program(), self.original.decisions());
            let theirs: Vec<EdgeId> = path_of(&program, other.decisions())
                .into_iter()
                .filter_map(|edge| residual.origin[edge.index()])
                .collect();
            found.runs += 1;
            let must = self.uncovered(&ours);
            found.covered += usize::from(must < ours.len());
            found.shortened += usize::from(theirs.len() < ours.len());
            let reached = |exit: Exit| matches!(exit, Exit::Target(_));
            // A limit that one of them met does not count against the other.
            let cut = matches!(first, Exit::StepLimit(_)) || matches!(second, Exit::StepLimit(_));
            // A slice lacks edges without relevant effects: only the branches that it has are compared.
            let counts = |edge: &&EdgeId| !only_to_targets || (self.is_branch(edge) && kept.contains(edge));
            let agrees = ours.iter().filter(counts).zip(theirs.iter().filter(counts)).all(|(a, b)| a == b);
            let far_enough = if only_to_targets {
                !reached(first) || must < ours.len() || reached(second)
            } else {
                theirs.len() >= self.branches_before(&ours, must)
            };
            let invents = reached(second) && !reached(first);
            if cut || (agrees && far_enough && !invents) {
                continue;
            }
            if self.is_indeterminate(&inputs, &limits) {
                found.indeterminate += 1;
                continue;
            }
            found.violations.push(format!(
                "seed {seed}: the original takes {} edges ({first}), of which {must} are not covered; the residual program {} ({second})",
                ours.len(),
                theirs.len()
            ));
        }
        Ok(found)
    }

    /// The locations that executions of up to this many steps reach before the condition covers them. A residual
    /// program that keeps every run which is not covered has all of them, however it is made.
    pub fn open_locations(&mut self, seeds: u64, steps: u64) -> HashSet<LocationId> {
        let mut seen = HashSet::new();
        for seed in 0..seeds {
            let limits = RunLimits { steps, when_inputs_end: WhenInputsEnd::Random(seed) };
            self.original.run(&small_inputs(seed), &limits);
            let program = self.task.program();
            let path = path_of(program, self.original.decisions());
            seen.extend(path[..self.uncovered(&path)].iter().map(|edge| program.edge(*edge).to));
        }
        seen
    }

    /// How many edges of the path come before it is covered.
    fn uncovered(&self, path: &[EdgeId]) -> usize {
        let mut follower = Follower::new(Arc::new(self.known.without_candidates()), Covered::Ut);
        let Next::At(mut set) = follower.start() else { return 0 };
        for (index, &edge) in path.iter().enumerate() {
            match follower.next(set, edge) {
                Next::Done => return index,
                Next::At(SetId::NONE) => break,
                Next::At(next) => set = next,
            }
        }
        path.len()
    }

    /// How long the path is up to its last branch within the first `length` edges: only branches are recorded.
    fn branches_before(&self, path: &[EdgeId], length: usize) -> usize {
        path[..length].iter().rposition(|edge| self.is_branch(edge)).map_or(0, |at| at + 1)
    }

    fn is_branch(&self, edge: &EdgeId) -> bool {
        matches!(self.task.program().edge(*edge).op, Op::Assume { .. })
    }

    /// Whether the original itself goes another way with other junk in memory.
    fn is_indeterminate(&mut self, inputs: &[u64], limits: &RunLimits) -> bool {
        let Some(shaken) = &mut self.shaken else { return false };
        let mut seen: Option<Vec<u8>> = None;
        (0..4).any(|_| {
            shaken.run(inputs, limits);
            let now = shaken.decisions().to_vec();
            seen.replace(now.clone()).is_some_and(|before| before != now)
        })
    }
}
