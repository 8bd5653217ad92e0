//! The CPA algorithm: takes states from the waitlist, computes successors, adjusts, merges, and keeps those that are
//! new.
//!
//! Where no analysis needs call stacks they are dropped: a call then returns to every place whose call was reached.
//! That is an over-approximation of the program's paths, and keeps the graph as small as the program.

use super::arg::{Arg, Node, NodeId, Openness};
use super::calls::{CallStacks, StackId};
use super::cegar::{Cegar, RefinementSelection};
use super::library_functions::{Meaning, meaning, place};
use super::product::{Component, ComponentError, Product};
use super::reached::Reached;
use super::target::Tests;
use super::trail::Trails;
use super::waitlist::{Order, Ticket, Waitlist};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tandem_plugin_api::artifact::{Precision, Soundness};
use tandem_plugin_api::error::ErrorKind;
use tandem_plugin_api::program::{CallSiteId, EdgeId, LocationId, Op, Program};
use tandem_plugin_api::service::{Host, Progress, StopReason};
use tandem_plugin_api::task::{Inputs, Task};

pub(super) type Result<T> = std::result::Result<T, ComponentError>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub order: Order,
    /// Calls that are nested deeper are not followed, and noted as unsound.
    pub max_call_depth: u32,
    pub refinement: RefinementSelection,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { order: Order::default(), max_call_depth: 100, refinement: RefinementSelection::default() }
    }
}

/// Why an exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to explore.
    Complete,
    /// A target was reached, and the task asks for only one.
    TargetReached,
    /// An analysis asked to stop at one of its states.
    AnalysisBroke,
    Stopped(StopReason),
}

/// Counts for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub expanded: u64,
    pub merged: u64,
    pub covered: u64,
}

/// A run of the algorithm, with everything that is needed to continue it: partial results stay usable.
pub struct Exploration {
    pub(super) task: Arc<Task>,
    pub(super) product: Product,
    pub(super) settings: Settings,
    pub(super) arg: Arg,
    pub(super) waitlist: Waitlist,
    trails: Trails,
    /// Nodes whose expansion was interrupted, with the number of edges that are done. Only used if states are kept
    /// apart: otherwise a state that comes twice is covered by itself.
    pub(super) interrupted: FxHashMap<NodeId, usize>,
    /// Nodes that were added since the last one was taken from the waitlist.
    pub(super) added: Vec<NodeId>,
    /// States are not compared, and are given back when they were explored.
    pub(super) apart: bool,
    /// Some component merges states.
    pub(super) merges: bool,
    /// Nodes that may be merged with or cover others.
    pub(super) reached: Reached,
    pub(super) calls: Calls,
    pub(super) cegar: Cegar,
    pub(super) seed: u64,
    pub(super) soundness: Soundness,
    /// Target edges that were passed, with the node behind them, in the order in which they were found.
    pub(super) targets: Vec<(EdgeId, NodeId)>,
    /// Nodes that were cut off, and why. Refinement may take them out again.
    pub(super) cuts: Vec<(NodeId, String)>,
    /// Nodes behind target edges that are neither excluded nor confirmed, and why.
    pub(super) open: Vec<(NodeId, Arc<str>)>,
    /// Those of them for which the time was too short: they are checked again when there is more time.
    pub(super) hurried: Vec<NodeId>,
    pub(super) counts: Counts,
    pub(super) tests: Tests,
    /// The components' statistics about themselves.
    pub(super) statistics: Vec<(String, String)>,
    /// The precision of the components, for others.
    pub(super) exported: Option<Precision>,
    pub(super) host: Host,
}

/// How calls and returns are matched.
pub(super) enum Calls {
    /// Not decided yet: the first run decides by asking the analyses.
    Undecided,
    Exact(CallStacks),
    /// Any reached call may be returned to.
    Merged {
        called: Vec<bool>,
        exits: FxHashMap<LocationId, Vec<NodeId>>,
    },
}

impl Exploration {
    pub fn new(task: &Arc<Task>, components: Vec<Component>, settings: Settings) -> Self {
        Exploration {
            task: Arc::clone(task),
            product: Product::new(components),
            settings,
            arg: Arg::default(),
            waitlist: Waitlist::new(settings.order, &task.program),
            trails: Trails::new(&task.program),
            interrupted: FxHashMap::default(),
            added: Vec::new(),
            apart: false,
            merges: true,
            reached: Reached::default(),
            calls: Calls::Undecided,
            cegar: Cegar::default(),
            seed: 0,
            soundness: Soundness::clean(),
            targets: Vec::new(),
            cuts: Vec::new(),
            open: Vec::new(),
            hurried: Vec::new(),
            counts: Counts::default(),
            tests: Tests::default(),
            statistics: Vec::new(),
            exported: None,
            host: Host::silent(),
        }
    }

    pub fn arg(&self) -> &Arg {
        &self.arg
    }

    pub fn product(&self) -> &Product {
        &self.product
    }

    /// What the result rests on, as far as the host knows; plugins note their part with their host.
    pub fn soundness(&self) -> Soundness {
        let mut notes = self.soundness.clone();
        self.cuts.iter().for_each(|(_, reason)| notes.unsound(reason.clone()));
        notes
    }

    /// Explores, from where the last run ended. A precision among the inputs is used from there on.
    ///
    /// All runs have the same host: solvers and executions that components got from it stay in use, and so does its
    /// signal. To go on after a stop, the caller takes the signal back ([`StopSignal::renew`]).
    ///
    /// [`StopSignal::renew`]: tandem_plugin_api::service::StopSignal::renew
    pub fn run(&mut self, inputs: &Inputs, host: &Host) -> Result<End> {
        let is_first = self.cegar.precisions.is_none();
        if !is_first && !self.host.stop_signal().same(host.stop_signal()) {
            return Err(self.product.failure("an exploration goes on with the host that it began with"));
        }
        self.host = host.clone();
        self.product.start(inputs, host)?;
        self.use_precision(inputs)?;
        let end = match self.begin(inputs, host).and_then(|()| self.explore(host)) {
            Err(failed) => stopped_by(host, failed).map(End::Stopped)?,
            Ok(end) => end,
        };
        let end = self.finish(end, host)?;
        if let Some(precisions) = &self.cegar.precisions {
            self.exported = Some(self.product.export_precisions(precisions)?).filter(|found| !found.is_empty());
        }
        self.product.health()?;
        Ok(end)
    }

    fn use_precision(&mut self, inputs: &Inputs) -> Result<()> {
        let base = self.cegar.precisions.as_ref();
        let precisions = self.product.given_precisions(base, inputs)?;
        if base.is_some() && inputs.precision.is_some() {
            self.cegar.generation += 1;
        }
        self.cegar.precisions = Some(precisions);
        Ok(())
    }

    /// Makes the initial node, or checks again the targets for which the time was too short.
    fn begin(&mut self, inputs: &Inputs, host: &Host) -> Result<()> {
        if !self.arg.is_empty() {
            self.reopen_hurried();
        } else if host.stopped().is_none() {
            self.seed = inputs.seed;
            self.waitlist.seed(inputs.seed);
            self.merges = self.product.merges()?;
            self.add_initial_node()?;
        }
        Ok(())
    }

    /// Lets the components finish. If they are asked to stop meanwhile, their checks may be incomplete: the end is then
    /// that of a stopped run.
    fn finish(&mut self, end: End, host: &Host) -> Result<End> {
        match self.product.finish(end == End::Complete) {
            Ok(statistics) => self.statistics = statistics,
            Err(failed) => return stopped_by(host, failed).map(End::Stopped),
        }
        Ok(match host.stopped() {
            Some(reason) if end == End::Complete => End::Stopped(reason),
            _ => end,
        })
    }

    pub(super) fn add_initial_node(&mut self) -> Result<()> {
        self.calls = if self.product.ignores_call_stack()? {
            Calls::Merged { called: vec![false; self.task.program.call_sites.len()], exits: FxHashMap::default() }
        } else {
            Calls::Exact(CallStacks::default())
        };
        self.apart = self.product.keeps_apart()? && matches!(self.calls, Calls::Exact(_));
        // A program without a `main` has no executions.
        let Some(entry) = self.task.program.entry() else { return Ok(()) };
        let parts = self.product.initial()?;
        let Some(precisions) = self.cegar.precisions.clone() else { return Ok(()) };
        let adjusted = self.product.adjust(parts, entry, &precisions)?;
        let partition = self.product.partition(&adjusted.parts)?;
        // A state that grows would no longer be found under its key.
        self.reached.indexer = if self.merges { None } else { self.product.indexer(&adjusted.parts)? };
        let cover_key = self.reached.cover_key(&adjusted.parts, &self.product)?;
        self.add_node((entry, StackId::EMPTY, partition), cover_key, adjusted.parts, adjusted.precisions)?;
        Ok(())
    }

    fn explore(&mut self, host: &Host) -> Result<End> {
        loop {
            if let Some(reason) = host.stopped() {
                return Ok(End::Stopped(reason));
            }
            self.fill_waitlist();
            let Some(node) = self.waitlist.pop() else { return Ok(End::Complete) };
            if self.arg.node(node).openness != Openness::Waiting {
                continue;
            }
            self.arg.node_mut(node).openness = Openness::Expanded;
            self.update_precision(node);
            self.counts.expanded += 1;
            if self.counts.expanded.is_multiple_of(4096) {
                self.report_progress(host);
            }
            let flow = match self.expand(node) {
                Err(failed) => Flow::End(End::Stopped(stopped_by(host, failed)?)),
                Ok(flow) => flow,
            };
            match flow {
                Flow::GoOn if self.apart => self.let_go(node)?,
                Flow::GoOn => {}
                Flow::Again if self.arg.is_live(node) => self.put_back(node),
                Flow::Again => {}
                Flow::End(end) => {
                    // Its other edges are not explored yet.
                    self.put_back(node);
                    return Ok(end);
                }
            }
        }
    }

    /// Gives back the states of an explored node.
    fn let_go(&mut self, id: NodeId) -> Result<()> {
        let unproven = self.product.is_unproven(&self.arg.node(id).parts)?;
        let node = self.arg.node_mut(id);
        node.unproven = unproven;
        node.parts = Arc::from([]);
        Ok(())
    }

    fn report_progress(&self, host: &Host) {
        host.progress(&Progress {
            phase: "exploring".into(),
            done: self.arg.len() as u64,
            total: None,
            unit: "states".into(),
        });
    }

    pub(super) fn put_back(&mut self, id: NodeId) {
        let node = self.arg.node_mut(id);
        if node.openness == Openness::Waiting {
            return;
        }
        node.openness = Openness::Waiting;
        self.added.push(id);
    }

    /// Puts new nodes on the waitlist. This is done late, since only now it is known whether the way to them forked.
    fn fill_waitlist(&mut self) {
        for id in std::mem::take(&mut self.added) {
            let node = self.arg.node(id);
            let mut trail = node.trail;
            if let Some(&(parent, edge)) = node.parents.first() {
                let parent = self.arg.node(parent);
                trail = self.trails.after(parent.trail, edge, parent.children.len() > 1);
            }
            let node = self.arg.node_mut(id);
            node.trail = trail;
            let (location, stack) = (node.location, node.stack);
            let depth = self.calls.depth(stack);
            let chooses = self.trails.chooses()[location.index()];
            self.waitlist.push(Ticket { node: id, location, depth, trail, chooses });
        }
    }

    fn expand(&mut self, node: NodeId) -> Result<Flow> {
        let program = Arc::clone(&self.task.program);
        let location = self.arg.node(node).location;
        let done = self.interrupted.remove(&node).unwrap_or(0);
        for (at, &edge) in program.location(location).leaving.iter().enumerate().skip(done) {
            let flow = self.pass(node, edge);
            if self.apart && !matches!(flow, Ok(Flow::GoOn | Flow::Again)) {
                let is_done = !matches!(flow, Err(_) | Ok(Flow::End(End::Stopped(_))));
                self.interrupted.insert(node, at + usize::from(is_done));
            }
            match flow? {
                Flow::GoOn => {}
                other => return Ok(other),
            }
        }
        let function = program.function(program.location(location).function);
        let is_exit = function.body.is_some_and(|body| body.exit == location);
        if let (Calls::Merged { exits, .. }, true) = (&mut self.calls, is_exit) {
            let known = exits.entry(location).or_default();
            if !known.contains(&node) {
                known.push(node);
            }
        }
        Ok(Flow::GoOn)
    }

    /// All successors of a node over one edge.
    fn pass(&mut self, node: NodeId, edge: EdgeId) -> Result<Flow> {
        let program = Arc::clone(&self.task.program);
        let stack = match self.stack_after(node, edge, &program) {
            Step::To(stack) => stack,
            Step::Closed => return Ok(Flow::GoOn),
            Step::TooDeep(reason) => return self.cut(node, edge, reason),
        };
        let what = meaning(&program, edge);
        if let Meaning::Unknown(reason) = what {
            return self.cut(node, edge, reason);
        }
        let source = self.arg.node(node);
        let (parts, precisions) = (Arc::clone(&source.parts), Arc::clone(&source.precision));
        let source_stack = source.stack;
        let sites = || self.calls.sites(source_stack);
        let successors = self.product.successors(&parts, edge, &precisions, &sites)?;
        if successors.is_empty() {
            return Ok(Flow::GoOn);
        }
        let at = program.edge(edge).to;
        let mut adjusted = Vec::with_capacity(successors.len());
        for successor in successors {
            adjusted.push(self.product.adjust(successor, at, &precisions)?);
        }
        // A component that is asked to stop gives up early: such states are sound, but coarser than those of a run
        // without a stop.
        if let Some(reason) = self.host.stopped() {
            return Ok(Flow::End(End::Stopped(reason)));
        }
        match what {
            // The call that must not happen is always a target.
            _ if self.task.is_target(edge) => {}
            Meaning::End => return Ok(Flow::GoOn),
            Meaning::Convention(text) => self.soundness.convention(text),
            Meaning::Unsound(text) => self.soundness.unsound(text),
            _ => {}
        }
        let mut flow = Flow::GoOn;
        for successor in adjusted {
            match self.arrive(node, edge, stack, successor)? {
                Flow::GoOn => {}
                // The other successors of the edge are added all the same.
                Flow::End(end @ (End::AnalysisBroke | End::TargetReached)) => flow = Flow::End(end),
                other => return Ok(other),
            }
        }
        match program.edge(edge).op {
            Op::Call(site) if matches!(flow, Flow::GoOn) => self.note_call(site, &program),
            _ => Ok(flow),
        }
    }

    /// The call stack behind the edge.
    fn stack_after(&mut self, node: NodeId, edge: EdgeId, program: &Program) -> Step {
        let stack = self.arg.node(node).stack;
        match (&mut self.calls, &program.edge(edge).op) {
            (Calls::Exact(stacks), Op::Call(site)) => {
                if stacks.depth(stack) >= self.settings.max_call_depth {
                    let depth = self.settings.max_call_depth;
                    let reason =
                        format!("calls nested deeper than {depth} are not followed ({})", place(program, edge));
                    return Step::TooDeep(reason);
                }
                Step::To(stacks.push(stack, *site))
            }
            (Calls::Exact(stacks), Op::Resume(site)) => stacks.pop(stack, *site).map_or(Step::Closed, Step::To),
            (Calls::Merged { called, .. }, Op::Resume(site)) if !called[site.index()] => Step::Closed,
            _ => Step::To(stack),
        }
    }

    /// Without call stacks: states that left the callee before this call was seen may also return to it.
    fn note_call(&mut self, site: CallSiteId, program: &Program) -> Result<Flow> {
        let Calls::Merged { called, exits } = &mut self.calls else { return Ok(Flow::GoOn) };
        if std::mem::replace(&mut called[site.index()], true) {
            return Ok(Flow::GoOn);
        }
        let Some(resume) = program.call_site(site).resume else { return Ok(Flow::GoOn) };
        let waiting = exits.get(&program.edge(resume).from).cloned().unwrap_or_default();
        let mut flow = Ok(Flow::GoOn);
        for exit in waiting {
            flow = self.pass(exit, resume);
            if !matches!(flow, Ok(Flow::GoOn)) {
                // The states of others are added when the call is passed again.
                self.forget_call(site);
                break;
            }
        }
        flow
    }

    fn forget_call(&mut self, site: CallSiteId) {
        if let Calls::Merged { called, .. } = &mut self.calls {
            called[site.index()] = false;
        }
    }

    /// Cuts an edge off, since nothing is known behind it.
    fn cut(&mut self, node: NodeId, edge: EdgeId, reason: String) -> Result<Flow> {
        if self.arg.node(node).children.iter().any(|(over, _)| *over == edge) {
            return Ok(Flow::GoOn);
        }
        let source = self.arg.node(node);
        let (parts, precision) = (Arc::clone(&source.parts), Arc::clone(&source.precision));
        let to = self.task.program.edge(edge).to;
        let cut = Node::new(to, source.stack, parts, precision, Openness::Cut);
        let cut = self.arg.add(cut);
        self.arg.link(node, edge, cut);
        self.cuts.push((cut, reason));
        Ok(Flow::GoOn)
    }

    /// Bytes of the graph and its index, without what the plugins' states take.
    pub fn bytes(&self) -> usize {
        self.arg.bytes() + self.reached.bytes()
    }

    /// How often the abstraction was refined.
    pub fn refinements(&self) -> u32 {
        self.cegar.generation
    }

    /// How many states still wait.
    pub fn waiting(&self) -> usize {
        self.arg.nodes().filter(|(_, node)| node.openness == Openness::Waiting).count()
    }
}

/// The host's stop reason, if a component failed because of it.
fn stopped_by(host: &Host, failed: ComponentError) -> Result<StopReason> {
    match host.stopped() {
        Some(reason) if failed.error.kind == ErrorKind::Stopped => Ok(reason),
        _ => Err(failed),
    }
}

/// Whether an edge can be passed with a call stack.
enum Step {
    To(StackId),
    Closed,
    /// Not followed, for this reason.
    TooDeep(String),
}

pub(super) enum Flow {
    GoOn,
    /// The graph was cut back: the node in work is on the waitlist again, or removed.
    Again,
    End(End),
}

impl Calls {
    fn depth(&self, stack: StackId) -> u32 {
        match self {
            Calls::Exact(stacks) => stacks.depth(stack),
            _ => 0,
        }
    }

    fn sites(&self, stack: StackId) -> Vec<CallSiteId> {
        match self {
            Calls::Exact(stacks) => stacks.sites(stack),
            _ => Vec::new(),
        }
    }
}
