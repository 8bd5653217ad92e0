//! The events of a run, for its report: which actor worked when, and what was passed on. Nothing is recorded unless
//! asked for.

use crate::cpa::{Arg, NodeId, Openness};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::{Acceptance, Gia, Outcome};
use tandem_plugin_api::program::{EdgeId, LocationId, Program};
use tandem_plugin_api::service::Artifact;
use tandem_plugin_api::task::Inputs;

/// Larger reachability graphs are cut.
pub const MOST_NODES: usize = 10_000;

/// Notes what happens while actors run, from any thread.
pub struct Recorder {
    started: Instant,
    record: Mutex<Record>,
}

#[derive(Clone, Default)]
pub struct Record {
    /// In the order in which they began.
    pub works: Vec<Work>,
    pub passes: Vec<Pass>,
}

/// An actor, or a reducer, at work.
#[derive(Clone)]
pub struct Work {
    pub actor: String,
    /// The plugins that it is made of.
    pub plugins: String,
    pub start: Duration,
    /// `None` while it works.
    pub end: Option<Duration>,
    /// The result, in a word or a line.
    pub result: String,
    pub statistics: Vec<(String, String)>,
    pub graph: Option<ReachedGraph>,
    /// On a residual program, whose locations are not those of the source.
    pub residual: bool,
}

/// Something that one actor got from another.
#[derive(Clone)]
pub struct Pass {
    pub at: Duration,
    pub from: String,
    /// Empty for all actors that run at that time.
    pub to: String,
    pub what: Vec<String>,
    pub gia: Option<Gia>,
}

/// An abstract reachability graph at the end of its actor's work.
#[derive(Clone)]
pub struct ReachedGraph {
    pub program: Arc<Program>,
    pub nodes: Vec<ReachedNode>,
    pub edges: Vec<(u32, u32, EdgeId)>,
    /// Covered nodes and those that stand for them.
    pub covered_by: Vec<(u32, u32)>,
    /// How many nodes there were.
    pub total: usize,
    /// Edges that some state passed, and locations that wait, of the whole graph.
    pub passed: Vec<EdgeId>,
    pub waiting: Vec<LocationId>,
}

#[derive(Clone, Copy)]
pub struct ReachedNode {
    pub location: LocationId,
    pub openness: Openness,
    pub is_target: bool,
}

/// Names a work that goes on.
#[derive(Clone, Copy)]
pub struct WorkId(usize);

impl Default for Recorder {
    fn default() -> Self {
        Recorder { started: Instant::now(), record: Mutex::default() }
    }
}

impl Recorder {
    /// The record so far.
    pub fn record(&self) -> Record {
        self.lock().clone()
    }

    /// How long the run took until now.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self, actor: &str, plugins: String, residual: bool) -> WorkId {
        let (start, mut record) = (self.started.elapsed(), self.lock());
        record.works.push(Work {
            actor: actor.to_string(),
            plugins,
            start,
            end: None,
            result: String::new(),
            statistics: Vec::new(),
            graph: None,
            residual,
        });
        WorkId(record.works.len() - 1)
    }

    fn change(&self, id: WorkId, change: impl FnOnce(&mut Work)) {
        if let Some(work) = self.lock().works.get_mut(id.0) {
            change(work);
        }
    }

    pub(super) fn end(&self, id: WorkId, outcome: &Outcome) {
        let now = self.started.elapsed();
        self.change(id, |work| {
            work.end = Some(now);
            work.result = outcome.reported_verdict(false).to_string();
            work.statistics = outcome.statistics.clone();
        });
    }

    pub(super) fn end_with(&self, id: WorkId, result: String) {
        let now = self.started.elapsed();
        self.change(id, |work| (work.end, work.result) = (Some(now), result));
    }

    pub(super) fn graph(&self, id: WorkId, program: &Arc<Program>, arg: &Arg) {
        let graph = ReachedGraph::of(program, arg);
        self.change(id, |work| work.graph = Some(graph));
    }

    pub(super) fn published(&self, from: &str, artifact: &Artifact, residual: bool) {
        let gia = match artifact {
            Artifact::Gia(gia) if !residual => Some(gia.clone()),
            _ => None,
        };
        self.pass(from, "", vec![artifact_text(artifact)], gia);
    }

    /// Notes what the next actor of a sequence starts with.
    pub(super) fn handed_on(&self, from: &str, to: &str, inputs: &Inputs, residual: bool) {
        let mut what = Vec::new();
        let known = inputs.gia != Gia::nothing_known();
        if known {
            what.push(gia_text(&inputs.gia));
        }
        what.extend(inputs.tests.iter().map(|tests| counted(tests.tests.len(), "test")));
        what.extend(inputs.invariants.iter().map(|list| counted(list.len(), "invariant")));
        what.extend(
            inputs.precision.iter().map(|precision| format!("a precision of {}", counted(precision.len(), "item"))),
        );
        self.pass(from, to, what, (known && !residual).then(|| inputs.gia.clone()));
    }

    fn pass(&self, from: &str, to: &str, what: Vec<String>, gia: Option<Gia>) {
        let at = self.started.elapsed();
        self.lock().passes.push(Pass { at, from: from.to_string(), to: to.to_string(), what, gia });
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn artifact_text(artifact: &Artifact) -> String {
    match artifact {
        Artifact::Gia(gia) => gia_text(gia),
        Artifact::Tests(tests) => counted(tests.tests.len(), "test"),
        Artifact::Invariants(list) => counted(list.len(), "invariant"),
        Artifact::Precision(precision) => format!("a precision of {}", counted(precision.len(), "item")),
        Artifact::Range(_) => "a range of paths".to_string(),
    }
}

/// How large a GIA is, and what it has.
pub fn gia_text(gia: &Gia) -> String {
    let count = |wanted| gia.states().iter().filter(|state| state.acceptance == wanted).count();
    let kinds = [Acceptance::Ut, Acceptance::Rt, Acceptance::Cand].map(|kind| (count(kind), kind.name()));
    let kinds: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(n, name)| format!("{n} {name}")).collect();
    let accepting = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    let (states, transitions) = (counted(gia.states().len(), "state"), counted(gia.transitions().len(), "transition"));
    format!("a GIA of {states}{accepting} and {transitions}")
}

impl ReachedGraph {
    fn of(program: &Arc<Program>, arg: &Arg) -> Self {
        let mut graph = ReachedGraph {
            program: program.clone(),
            nodes: Vec::new(),
            edges: Vec::new(),
            covered_by: Vec::new(),
            total: arg.len(),
            passed: Vec::new(),
            waiting: Vec::new(),
        };
        for (_, node) in arg.nodes() {
            graph.passed.extend(node.children.iter().map(|(edge, _)| *edge));
            if matches!(node.openness, Openness::Waiting | Openness::Cut) {
                graph.waiting.push(node.location);
            }
        }
        graph.passed.sort_unstable();
        graph.passed.dedup();
        graph.waiting.sort_unstable();
        graph.waiting.dedup();
        graph.take_first(arg);
        graph
    }

    /// The nodes next to the initial one, breadth first.
    fn take_first(&mut self, arg: &Arg) {
        let Some((root, _)) = arg.nodes().next() else { return };
        let mut number = std::collections::BTreeMap::from([(root, 0u32)]);
        let mut queue = VecDeque::from([root]);
        let mut covered: Vec<(u32, NodeId)> = Vec::new();
        while let Some(id) = queue.pop_front() {
            let (node, own) = (arg.node(id), number.get(&id).copied().unwrap_or(0));
            self.nodes.push(ReachedNode {
                location: node.location,
                openness: node.openness,
                is_target: node.target.is_some(),
            });
            if let Openness::Covered(by) = node.openness {
                covered.push((own, by));
            }
            for &(edge, child) in &node.children {
                if !number.contains_key(&child) {
                    if number.len() >= MOST_NODES {
                        continue;
                    }
                    number.insert(child, number.len() as u32);
                    queue.push_back(child);
                }
                self.edges.extend(number.get(&child).map(|child| (own, *child, edge)));
            }
        }
        self.covered_by = covered.iter().filter_map(|(own, by)| Some((*own, *number.get(by)?))).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::{TestSuite, Verdict};

    #[test]
    fn works_and_passes_are_told_in_order() {
        let recorder = Recorder::default();
        let first = recorder.begin("a", "engine bmc".into(), false);
        let second = recorder.begin("b", "analyses value".into(), false);
        recorder.published("a", &Artifact::Tests(TestSuite::new()), false);
        recorder.end(second, &Outcome::new(Verdict::True));
        let record = recorder.record();
        assert_eq!(record.works.iter().map(|work| work.end.is_some()).collect::<Vec<_>>(), [false, true]);
        assert_eq!((record.works[1].result.as_str(), record.passes[0].what[0].as_str()), ("TRUE", "0 tests"));
        recorder.end_with(first, "gave up".into());
        recorder.handed_on("a", "b", &Inputs { gia: Gia::all_ut(), ..Inputs::default() }, false);
        let record = recorder.record();
        assert_eq!(record.works[0].result, "gave up");
        assert!(record.passes[1].gia.is_some() && record.passes[1].what[0].starts_with("a GIA of 1 state (1 ut)"));
    }
}
