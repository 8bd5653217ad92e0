//! Reachability: the CPA algorithm (Beyer, Henzinger, Théoduloz: CPA+, ASE 2008). Takes states from the waitlist, computes successors,
//! adjusts, merges, and keeps what is new. It pauses at every way to a target, which others judge.
//!
//! Where no analysis needs call stacks they are dropped: a call then returns to every place whose call was reached.
//! That is an over-approximation of the program's paths, and keeps the graph as small as the program.

use super::arg::{Arg, Node, NodeId, Openness};
use super::calls::{CallStacks, StackId};
use super::exploration::{Counts, End, Settings, stopped_by};
use super::goals::Goals;
use super::library_functions::{Meaning, meaning, place};
use super::product::{AdjustedParts, Component, ComponentError, Precisions, Product};
use super::reached::Reached;
use super::target::Arrival;
use super::trail::Trails;
use super::waitlist::{Ticket, Waitlist};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::program::{CallSiteId, EdgeId, LocationId, Op, Program};
use tandem_plugin_api::service::{Host, Progress, StopReason};
use tandem_plugin_api::task::{Inputs, Task};

type Result<T> = std::result::Result<T, ComponentError>;

/// The graph of what is reached, and all that is needed to go on with it.
pub(super) struct Reachability {
    pub task: Arc<Task>,
    pub product: Product,
    settings: Settings,
    pub arg: Arg,
    waitlist: Waitlist,
    trails: Trails,
    /// The node at work while the exploration pauses.
    paused: Option<Expansion>,
    /// Nodes that were added since the last one was taken from the waitlist.
    pub added: Vec<NodeId>,
    /// States are not compared, and are given back when they were explored.
    pub apart: bool,
    /// Some component merges states.
    pub merges: bool,
    /// Nodes that may be merged with or cover others.
    pub reached: Reached,
    calls: Calls,
    /// What is tracked; none before the first node.
    pub precisions: Option<Precisions>,
    /// How often that changed.
    pub generation: u32,
    seed: u64,
    pub soundness: Soundness,
    /// Target edges that were passed, with the node behind them, in the order in which they were found.
    pub targets: Vec<(EdgeId, NodeId)>,
    /// Nodes that were cut off, and why. Refinement may take them out again.
    pub cuts: Vec<(NodeId, String)>,
    pub counts: Counts,
    pub goals: Arc<Goals>,
    pub host: Host,
}

/// Why the exploration does not go on by itself.
pub(super) enum Pause {
    /// A way to a target was found. It is not part of the graph: [`Reachability::end_at`] and [`Reachability::go_through`] make it so.
    AtTarget(Arrival),
    End(End),
}

/// A node at work.
struct Expansion {
    node: NodeId,
    /// How many of the edges that leave it are done.
    done: usize,
    /// The states behind the next edge that have not arrived yet; none before it is passed.
    arriving: Option<Behind>,
}

/// The states behind an edge.
struct Behind {
    stack: StackId,
    states: std::vec::IntoIter<AdjustedParts>,
}

/// Where an edge leads.
enum Passed {
    To(Behind),
    Nowhere,
    Stopped(StopReason),
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

impl Reachability {
    pub fn new(task: &Arc<Task>, components: Vec<Component>, settings: Settings) -> Self {
        Reachability {
            task: Arc::clone(task),
            product: Product::new(components),
            settings,
            arg: Arg::default(),
            waitlist: Waitlist::new(settings.order, &task.program),
            trails: Trails::new(&task.program),
            paused: None,
            added: Vec::new(),
            apart: false,
            merges: true,
            reached: Reached::default(),
            calls: Calls::Undecided,
            precisions: None,
            generation: 0,
            seed: 0,
            soundness: Soundness::clean(),
            targets: Vec::new(),
            cuts: Vec::new(),
            counts: Counts::default(),
            goals: Goals::of(task),
            host: Host::silent(),
        }
    }

    /// Makes the initial node, or has the node at work when the last run ended go on first.
    pub fn begin(&mut self, inputs: &Inputs) -> Result<()> {
        if !self.arg.is_empty() {
            if let Some(node) = self.paused.as_ref().map(|expansion| expansion.node) {
                self.arg.node_mut(node).openness = Openness::Expanded;
                self.update_precision(node);
            }
        } else if self.host.stopped().is_none() {
            self.seed = inputs.seed;
            self.waitlist.seed(inputs.seed);
            self.merges = self.product.merges()?;
            self.add_initial_node()?;
        }
        Ok(())
    }

    /// Uses a precision from here on.
    pub fn use_precisions(&mut self, precisions: Precisions) {
        self.precisions = Some(precisions);
        self.generation += 1;
    }

    /// Gives a node that waits the precision that is used now.
    fn update_precision(&mut self, id: NodeId) {
        let Some(precisions) = &self.precisions else { return };
        let node = self.arg.node_mut(id);
        if node.generation < self.generation {
            node.generation = self.generation;
            node.precision = Arc::clone(precisions);
        }
    }

    fn add_initial_node(&mut self) -> Result<()> {
        self.calls = if self.product.ignores_call_stack()? {
            Calls::Merged { called: vec![false; self.task.program.call_sites.len()], exits: FxHashMap::default() }
        } else {
            Calls::Exact(CallStacks::default())
        };
        self.apart = self.product.keeps_apart()? && matches!(self.calls, Calls::Exact(_));
        // A program without a `main` has no executions.
        let Some(entry) = self.task.program.entry() else { return Ok(()) };
        let parts = self.product.initial()?;
        let Some(precisions) = self.precisions.clone() else { return Ok(()) };
        let adjusted = self.product.adjust(parts, entry, &precisions)?;
        let partition = self.product.partition(&adjusted.parts)?;
        // A state that grows would no longer be found under its key.
        self.reached.indexer = if self.merges { None } else { self.product.indexer(&adjusted.parts)? };
        let cover_key = self.reached.cover_key(&adjusted.parts, &self.product)?;
        self.add_node((entry, StackId::EMPTY, partition), cover_key, adjusted.parts, adjusted.precisions)?;
        Ok(())
    }

    /// Explores until a way to a target is found or there is a reason to end.
    pub fn explore(&mut self) -> Result<Pause> {
        let host = self.host.clone();
        loop {
            let end = match host.stopped() {
                Some(reason) => Some(End::Stopped(reason)),
                None => self.goals.are_all_covered().then_some(End::TargetReached),
            };
            if let Some(end) = end {
                self.suspend();
                return Ok(Pause::End(end));
            }
            let Some(mut expansion) = self.paused.take().or_else(|| self.next_node()) else {
                return Ok(Pause::End(End::Complete));
            };
            match self.advance(&mut expansion) {
                Ok(Flow::GoOn) if self.apart => self.let_go(expansion.node)?,
                Ok(Flow::GoOn) => {}
                Ok(Flow::AtTarget(arrival)) => {
                    self.paused = Some(expansion);
                    return Ok(Pause::AtTarget(arrival));
                }
                Ok(Flow::End(end)) => {
                    self.paused = Some(expansion);
                    self.suspend();
                    return Ok(Pause::End(end));
                }
                Err(failed) => {
                    self.paused = Some(expansion);
                    self.rewind();
                    return stopped_by(&host, failed).map(|reason| Pause::End(End::Stopped(reason)));
                }
            }
        }
    }

    /// Takes the next node from the waitlist.
    fn next_node(&mut self) -> Option<Expansion> {
        self.fill_waitlist();
        loop {
            let node = self.waitlist.pop()?;
            if self.arg.node(node).openness != Openness::Waiting {
                continue;
            }
            self.arg.node_mut(node).openness = Openness::Expanded;
            self.update_precision(node);
            self.counts.expanded += 1;
            if self.counts.expanded.is_multiple_of(4096) {
                self.report_progress();
            }
            return Some(Expansion { node, done: 0, arriving: None });
        }
    }

    /// The node at work waits for the next run, in which it comes first. One that was merged with another state meanwhile begins anew.
    pub fn suspend(&mut self) {
        let Some(expansion) = &self.paused else { return };
        let node = self.arg.node_mut(expansion.node);
        match node.openness {
            Openness::Waiting => self.paused = None,
            _ => node.openness = Openness::Waiting,
        }
    }

    /// The same, where the edge at work must be passed once more.
    pub fn rewind(&mut self) {
        if let Some(expansion) = &mut self.paused {
            expansion.arriving = None;
        }
        self.suspend();
    }

    /// Gives back the states of an explored node.
    fn let_go(&mut self, id: NodeId) -> Result<()> {
        let unproven = self.product.is_unproven(&self.arg.node(id).parts)?;
        let node = self.arg.node_mut(id);
        node.unproven = unproven;
        node.parts = Arc::from([]);
        Ok(())
    }

    fn report_progress(&self) {
        self.host.progress(&Progress {
            phase: "exploring".into(),
            done: self.arg.len() as u64,
            total: None,
            unit: "states".into(),
        });
    }

    /// A node waits again, and all of its edges.
    pub fn put_back(&mut self, id: NodeId) {
        if self.paused.as_ref().is_some_and(|expansion| expansion.node == id) {
            // It is on no list, whether it counts as waiting or not.
            self.paused = None;
        } else if self.arg.node(id).openness == Openness::Waiting {
            return;
        }
        self.arg.node_mut(id).openness = Openness::Waiting;
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

    /// Passes the edges of a node that are left, until one leads to a target.
    fn advance(&mut self, expansion: &mut Expansion) -> Result<Flow> {
        let program = Arc::clone(&self.task.program);
        let node = expansion.node;
        let location = self.arg.node(node).location;
        while let Some(&edge) = program.location(location).leaving.get(expansion.done) {
            let behind = match expansion.arriving.take() {
                Some(behind) => behind,
                None => match self.pass(node, edge)? {
                    Passed::To(behind) => behind,
                    Passed::Nowhere => {
                        expansion.done += 1;
                        continue;
                    }
                    Passed::Stopped(reason) => return Ok(Flow::End(End::Stopped(reason))),
                },
            };
            let (stack, is_target) = (behind.stack, self.task.is_target(edge));
            let behind = expansion.arriving.insert(behind);
            for AdjustedParts { parts, precisions, stop_here } in behind.states.by_ref() {
                let arrival = Arrival { parent: node, edge, stack, parts, precisions };
                match is_target {
                    true if !self.goals.is_covered(edge) => return Ok(Flow::AtTarget(arrival)),
                    true => self.go_through(arrival)?,
                    false => match self.arrive(arrival, stop_here)? {
                        Flow::GoOn => {}
                        other => return Ok(other),
                    },
                }
            }
            expansion.arriving = None;
            if let Op::Call(site) = program.edge(edge).op {
                match self.note_call(site, &program)? {
                    Flow::GoOn => {}
                    other => return Ok(other),
                }
            }
            expansion.done += 1;
        }
        self.note_exit(node, location);
        Ok(Flow::GoOn)
    }

    /// Without call stacks, calls that are found later return from here, too.
    fn note_exit(&mut self, node: NodeId, location: LocationId) {
        let function = self.task.program.function(self.task.program.location(location).function);
        let is_exit = function.body.is_some_and(|body| body.exit == location);
        if let (Calls::Merged { exits, .. }, true) = (&mut self.calls, is_exit) {
            let known = exits.entry(location).or_default();
            if !known.contains(&node) {
                known.push(node);
            }
        }
    }

    /// All successors of a node over one edge.
    fn pass(&mut self, node: NodeId, edge: EdgeId) -> Result<Passed> {
        let program = Arc::clone(&self.task.program);
        let stack = match self.stack_after(node, edge, &program) {
            Step::To(stack) => stack,
            Step::Closed => return Ok(Passed::Nowhere),
            Step::TooDeep(reason) => {
                self.cut(node, edge, reason);
                return Ok(Passed::Nowhere);
            }
        };
        let what = meaning(&program, edge);
        if let Meaning::Unknown(reason) = what {
            self.cut(node, edge, reason);
            return Ok(Passed::Nowhere);
        }
        let source = self.arg.node(node);
        let (parts, precisions) = (Arc::clone(&source.parts), Arc::clone(&source.precision));
        let source_stack = source.stack;
        let sites = || self.calls.sites(source_stack);
        let successors = self.product.successors(&parts, edge, &precisions, &sites)?;
        if successors.is_empty() {
            return Ok(Passed::Nowhere);
        }
        let at = program.edge(edge).to;
        let mut adjusted = Vec::with_capacity(successors.len());
        for successor in successors {
            adjusted.push(self.product.adjust(successor, at, &precisions)?);
        }
        // A component that is asked to stop gives up early: such states are sound, but coarser than those of a run
        // without a stop.
        if let Some(reason) = self.host.stopped() {
            return Ok(Passed::Stopped(reason));
        }
        match what {
            // The call that must not happen is always a target.
            _ if self.task.is_target(edge) => {}
            Meaning::End => return Ok(Passed::Nowhere),
            Meaning::Convention(text) => self.soundness.convention(text),
            Meaning::Unsound(text) => self.soundness.unsound(text),
            _ => {}
        }
        Ok(Passed::To(Behind { stack, states: adjusted.into_iter() }))
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
        for exit in waiting {
            if self.task.is_target(resume) {
                // Ways to targets are handed over by nodes at work only.
                self.put_back(exit);
                continue;
            }
            let flow = self.follow(exit, resume);
            if !matches!(flow, Ok(Flow::GoOn)) {
                // The states of others are added when the call is passed again.
                self.forget_call(site);
                return flow;
            }
        }
        Ok(Flow::GoOn)
    }

    /// The successors of a node over an edge that is no target, all at once.
    fn follow(&mut self, node: NodeId, edge: EdgeId) -> Result<Flow> {
        let Behind { stack, states } = match self.pass(node, edge)? {
            Passed::To(behind) => behind,
            Passed::Nowhere => return Ok(Flow::GoOn),
            Passed::Stopped(reason) => return Ok(Flow::End(End::Stopped(reason))),
        };
        let mut flow = Flow::GoOn;
        for AdjustedParts { parts, precisions, stop_here } in states {
            let arrival = Arrival { parent: node, edge, stack, parts, precisions };
            if let end @ Flow::End(_) = self.arrive(arrival, stop_here)? {
                flow = end;
            }
        }
        Ok(flow)
    }

    fn forget_call(&mut self, site: CallSiteId) {
        if let Calls::Merged { called, .. } = &mut self.calls {
            called[site.index()] = false;
        }
    }

    /// Cuts an edge off, since nothing is known behind it.
    fn cut(&mut self, node: NodeId, edge: EdgeId, reason: String) {
        if self.arg.node(node).children.iter().any(|(over, _)| *over == edge) {
            return;
        }
        let source = self.arg.node(node);
        let (parts, precision) = (Arc::clone(&source.parts), Arc::clone(&source.precision));
        let to = self.task.program.edge(edge).to;
        let cut = Node::new(to, source.stack, parts, precision, Openness::Cut);
        let cut = self.arg.add(cut);
        self.arg.link(node, edge, cut);
        self.cuts.push((cut, reason));
    }

    /// Takes out all that was computed from `pivot` on, and puts what has lost successors back on the waitlist. None if the pivot
    /// itself rests on what would go; else the nodes that are gone, ascending.
    pub fn cut_back_to(&mut self, pivot: NodeId) -> Option<Vec<NodeId>> {
        let doomed = self.arg.below(pivot)?;
        let is_doomed = |id: &NodeId| doomed.binary_search(id).is_ok();
        self.reached.remove(&doomed, &self.arg);
        self.added.retain(|id| !is_doomed(id));
        self.targets.retain(|(_, node)| !is_doomed(node));
        self.cuts.retain(|(node, _)| !is_doomed(node));
        if let Calls::Merged { exits, .. } = &mut self.calls {
            exits.values_mut().for_each(|list| list.retain(|node| !is_doomed(node)));
        }
        match self.paused.as_ref().map(|expansion| expansion.node) {
            Some(node) if is_doomed(&node) => self.paused = None,
            Some(node) => self.put_back(node),
            None => {}
        }
        for id in self.arg.remove(&doomed) {
            self.put_back(id);
        }
        self.put_back(pivot);
        Some(doomed)
    }

    /// Explores anew with the precision that was found so far.
    pub fn start_again(&mut self) -> Result<()> {
        self.arg = Default::default();
        self.reached.clear();
        self.paused = None;
        self.added.clear();
        self.targets.clear();
        self.cuts.clear();
        self.waitlist = Waitlist::new(self.settings.order, &self.task.program);
        self.waitlist.seed(self.seed);
        self.add_initial_node()
    }

    /// Takes targets out, given in ascending order; the nodes before them are explored again.
    pub fn reopen(&mut self, targets: &[NodeId]) {
        self.targets.retain(|(_, node)| targets.binary_search(node).is_err());
        for parent in self.arg.remove(targets) {
            self.put_back(parent);
        }
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
    /// A way to a target that somebody must judge.
    AtTarget(Arrival),
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
