//! The CPA algorithm: takes states from the waitlist, computes successors, adjusts, merges, and keeps what is new.
//!
//! Where no analysis needs call stacks they are dropped: a call then returns to every place whose call was reached.
//! That is an over-approximation of the program's paths, and keeps the graph as small as the program.

use super::arg::{Arg, Node, NodeId, Openness};
use super::calls::{CallStacks, StackId};
use super::library_functions::{Meaning, meaning, place};
use super::product::{Component, ComponentError, Parts, Precisions, Product};
use super::target::Tests;
use super::trail::Trails;
use super::waitlist::{Order, Ticket, Waitlist};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::program::{CallSiteId, EdgeId, LocationId, Op, Program};
use tandem_plugin_api::service::{Host, Progress, StopReason};
use tandem_plugin_api::task::{Inputs, Task};

type Result<T> = std::result::Result<T, ComponentError>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub order: Order,
    /// Calls that are nested deeper are not followed, which is noted as unsound.
    pub max_call_depth: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { order: Order::default(), max_call_depth: 100 }
    }
}

/// Why an exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to explore.
    Complete,
    /// A target was reached, and one is all that was asked for.
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

/// A run of the algorithm, and all that is needed to go on with it: partial results stay usable.
pub struct Exploration {
    pub(super) task: Arc<Task>,
    pub(super) product: Product,
    settings: Settings,
    pub(super) arg: Arg,
    waitlist: Waitlist,
    trails: Trails,
    /// Nodes that were added since the last one was taken from the waitlist.
    added: Vec<NodeId>,
    /// States are not compared, and given back when they were explored.
    apart: bool,
    /// Nodes that may be merged with or cover others, by what must be equal for that.
    reached: FxHashMap<(LocationId, StackId), Vec<NodeId>>,
    calls: Calls,
    pub(super) soundness: Soundness,
    /// Target edges that were passed, with the node behind them, in the order in which they were found.
    pub(super) targets: Vec<(EdgeId, NodeId)>,
    pub(super) counts: Counts,
    pub(super) tests: Tests,
    /// What the components say of themselves.
    pub(super) statistics: Vec<(String, String)>,
    pub(super) host: Host,
}

/// How calls and returns are matched.
enum Calls {
    /// Not decided yet: the first run asks the analyses.
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
            added: Vec::new(),
            apart: false,
            reached: FxHashMap::default(),
            calls: Calls::Undecided,
            soundness: Soundness::clean(),
            targets: Vec::new(),
            counts: Counts::default(),
            tests: Tests::default(),
            statistics: Vec::new(),
            host: Host::silent(),
        }
    }

    pub fn arg(&self) -> &Arg {
        &self.arg
    }

    pub fn product(&self) -> &Product {
        &self.product
    }

    /// What the result rests on, as far as the host knows; plugins tell their part by notes to their host.
    pub fn soundness(&self) -> &Soundness {
        &self.soundness
    }

    /// Explores, from where the last run ended.
    pub fn run(&mut self, inputs: &Inputs, host: &Host) -> Result<End> {
        self.host = host.clone();
        self.product.start(inputs, host)?;
        if self.arg.is_empty() {
            self.waitlist.seed(inputs.seed);
            self.add_initial_node(inputs)?;
        }
        let end = self.explore(host)?;
        self.statistics = self.product.finish(end == End::Complete)?;
        self.product.health()?;
        Ok(end)
    }

    fn add_initial_node(&mut self, inputs: &Inputs) -> Result<()> {
        self.calls = if self.product.ignores_call_stack()? {
            Calls::Merged { called: vec![false; self.task.program.call_sites.len()], exits: FxHashMap::default() }
        } else {
            Calls::Exact(CallStacks::default())
        };
        self.apart = self.product.keeps_apart()? && matches!(self.calls, Calls::Exact(_));
        // A program without a `main` has no executions.
        let Some(entry) = self.task.program.entry() else { return Ok(()) };
        let parts = self.product.initial()?;
        let precisions = self.product.initial_precisions(inputs)?;
        let adjusted = self.product.adjust(parts, entry, &precisions)?;
        self.add_node(entry, StackId::EMPTY, adjusted.parts, adjusted.precisions)?;
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
            self.counts.expanded += 1;
            if self.counts.expanded.is_multiple_of(4096) {
                self.report_progress(host);
            }
            match self.expand(node)? {
                Flow::GoOn if self.apart => self.arg.node_mut(node).parts = Arc::from([]),
                Flow::GoOn => {}
                Flow::End(end) => {
                    // Its other edges are not explored yet.
                    self.put_back(node);
                    return Ok(end);
                }
            }
        }
    }

    fn report_progress(&self, host: &Host) {
        host.progress(&Progress {
            phase: "exploring".into(),
            done: self.arg.len() as u64,
            total: None,
            unit: "states".into(),
        });
    }

    fn put_back(&mut self, id: NodeId) {
        let node = self.arg.node_mut(id);
        if node.openness == Openness::Waiting {
            return;
        }
        node.openness = Openness::Waiting;
        self.added.push(id);
    }

    /// Puts new nodes on the waitlist. Not at once: only now is it known whether the way to them forked.
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
        for &edge in &program.location(location).leaving {
            if let Flow::End(end) = self.pass(node, edge)? {
                return Ok(Flow::End(end));
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
        let Some(stack) = self.stack_after(node, edge, &program) else { return Ok(Flow::GoOn) };
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
        match what {
            // The call that must not happen is a target whatever else it is.
            _ if self.task.is_target(edge) => {}
            Meaning::End => return Ok(Flow::GoOn),
            Meaning::Convention(text) => self.soundness.convention(text),
            Meaning::Unsound(text) => self.soundness.unsound(text),
            _ => {}
        }
        for successor in successors {
            if let Flow::End(end) = self.arrive(node, edge, stack, successor, &precisions)? {
                return Ok(Flow::End(end));
            }
        }
        match program.edge(edge).op {
            Op::Call(site) => self.note_call(site, &program),
            _ => Ok(Flow::GoOn),
        }
    }

    /// The call stack behind the edge; none if the edge cannot be passed with this one.
    fn stack_after(&mut self, node: NodeId, edge: EdgeId, program: &Program) -> Option<StackId> {
        let stack = self.arg.node(node).stack;
        match (&mut self.calls, &program.edge(edge).op) {
            (Calls::Exact(stacks), Op::Call(site)) => {
                if stacks.depth(stack) >= self.settings.max_call_depth {
                    let depth = self.settings.max_call_depth;
                    let reason =
                        format!("calls nested deeper than {depth} are not followed ({})", place(program, edge));
                    self.soundness.unsound(reason);
                    return None;
                }
                Some(stacks.push(stack, *site))
            }
            (Calls::Exact(stacks), Op::Resume(site)) => stacks.pop(stack, *site),
            (Calls::Merged { called, .. }, Op::Resume(site)) => called[site.index()].then_some(stack),
            _ => Some(stack),
        }
    }

    /// Without call stacks: states that left the callee before this call was seen may return to it as well.
    fn note_call(&mut self, site: CallSiteId, program: &Program) -> Result<Flow> {
        let Calls::Merged { called, exits } = &mut self.calls else { return Ok(Flow::GoOn) };
        if std::mem::replace(&mut called[site.index()], true) {
            return Ok(Flow::GoOn);
        }
        let Some(resume) = program.call_site(site).resume else { return Ok(Flow::GoOn) };
        let waiting = exits.get(&program.edge(resume).from).cloned().unwrap_or_default();
        for exit in waiting {
            if let Flow::End(end) = self.pass(exit, resume)? {
                return Ok(Flow::End(end));
            }
        }
        Ok(Flow::GoOn)
    }

    /// An edge behind which nothing is known.
    fn cut(&mut self, node: NodeId, edge: EdgeId, reason: String) -> Result<Flow> {
        self.soundness.unsound(reason);
        let source = self.arg.node(node);
        let (parts, precision) = (Arc::clone(&source.parts), Arc::clone(&source.precision));
        let to = self.task.program.edge(edge).to;
        let cut = Node::new(to, source.stack, parts, precision, Openness::Cut);
        let cut = self.arg.add(cut);
        self.arg.link(node, edge, cut);
        Ok(Flow::GoOn)
    }

    /// The inner loop of the algorithm for one new state.
    fn arrive(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        stack: StackId,
        parts: Parts,
        precisions: &Precisions,
    ) -> Result<Flow> {
        let at = self.task.program.edge(edge).to;
        let adjusted = self.product.adjust(parts, at, precisions)?;
        if self.task.is_target(edge) {
            return self.arrive_at_target(parent, edge, stack, adjusted.parts, adjusted.precisions);
        }
        let candidates = self.candidates(at, stack);
        self.merge_into(parent, edge, &candidates, &adjusted.parts, &adjusted.precisions)?;
        if let Some(coverer) = self.find_coverer(&candidates, &adjusted.parts, &adjusted.precisions)? {
            self.cover(parent, edge, coverer, stack, adjusted.parts, adjusted.precisions);
            return Ok(Flow::GoOn);
        }
        let node = self.add_node(at, stack, adjusted.parts, adjusted.precisions)?;
        self.arg.link(parent, edge, node);
        if adjusted.stop_here {
            return Ok(Flow::End(End::AnalysisBroke));
        }
        let is_target = self.arg.node(node).target.is_some();
        Ok(if is_target && !self.task.property.is_coverage() { Flow::End(End::TargetReached) } else { Flow::GoOn })
    }

    /// What a new state there may be merged with or covered by.
    pub(super) fn candidates(&self, at: LocationId, stack: StackId) -> Vec<NodeId> {
        self.reached.get(&(at, stack)).cloned().unwrap_or_default()
    }

    /// Merges the new state into reached ones, which are then explored again. A node keeps its children: they stand
    /// for part of what the greater state leads to.
    pub(super) fn merge_into(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        candidates: &[NodeId],
        parts: &Parts,
        precisions: &Precisions,
    ) -> Result<()> {
        for &id in candidates {
            let Some(merged) = self.product.merge(parts, &self.arg.node(id).parts, precisions)? else { continue };
            self.counts.merged += 1;
            let node = self.arg.node_mut(id);
            node.parts = merged;
            node.precision = Arc::clone(precisions);
            self.arg.link(parent, edge, id);
            self.put_back(id);
        }
        Ok(())
    }

    pub(super) fn find_coverer(
        &self,
        candidates: &[NodeId],
        parts: &Parts,
        precisions: &Precisions,
    ) -> Result<Option<NodeId>> {
        for &id in candidates {
            if self.product.stop(parts, &self.arg.node(id).parts, precisions)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Records a covered state. One that was merged into its coverer, or is the very same, needs no node of its own.
    pub(super) fn cover(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        coverer: NodeId,
        stack: StackId,
        parts: Parts,
        precisions: Precisions,
    ) -> NodeId {
        self.counts.covered += 1;
        let over = self.arg.node(coverer);
        let same = parts.iter().zip(over.parts.iter()).all(|(ours, theirs)| ours.same(theirs));
        if same || over.parents.contains(&(parent, edge)) {
            self.arg.link(parent, edge, coverer);
            return coverer;
        }
        let to = self.task.program.edge(edge).to;
        let node = self.arg.add(Node::new(to, stack, parts, precisions, Openness::Covered(coverer)));
        self.arg.link(parent, edge, node);
        node
    }

    pub(super) fn add_node(
        &mut self,
        at: LocationId,
        stack: StackId,
        parts: Parts,
        precision: Precisions,
    ) -> Result<NodeId> {
        let target = self.product.target(&parts, at)?;
        let node = self.arg.add(Node { target, ..Node::new(at, stack, parts, precision, Openness::Waiting) });
        if !self.apart {
            self.reached.entry((at, stack)).or_default().push(node);
        }
        self.added.push(node);
        Ok(node)
    }

    /// How many states still wait.
    pub fn waiting(&self) -> usize {
        self.arg.nodes().filter(|(_, node)| node.openness == Openness::Waiting).count()
    }
}

pub(super) enum Flow {
    GoOn,
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
