//! The bounds at every location, computed before the exploration: an ascending iteration with widening over all functions,
//! each in the contexts in which it is called, and a few descending rounds that get back what widening gave up
//! (Cousot & Cousot, POPL 1977; the order of iteration is Bourdoncle's, 1993).

use crate::limits::Thresholds;
use crate::machine::Machine;
use crate::value::Cells;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use tandem_plugin_api::kit::unroll::Order;
use tandem_plugin_api::program::{CallSiteId, FunctionId, LocationId, Op};
use tandem_plugin_api::service::Host;

/// How the bounds are computed.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Rounds through a loop before its bounds are widened.
    pub delay: u32,
    /// Descending rounds.
    pub descents: u32,
    /// Locations of all contexts together; beyond this many, calls of a function share one context.
    pub most_places: usize,
}

/// Widenings of one place that use limits; beyond these, bounds are given up at once.
const MOST_WIDENINGS: u32 = 60;

/// Widenings that leave out cells which keep old values beside new ones.
const EARLY_WIDENINGS: u32 = 30;

/// The invariants of each location; `None` where no execution comes.
pub struct Invariants {
    pub at: Vec<Option<Cells>>,
    /// The number of contexts that were kept apart.
    pub contexts: usize,
}

/// A function with its locations in the order of iteration.
struct Body {
    locations: Vec<LocationId>,
    /// Where widening happens.
    cuts: Vec<bool>,
    entry: u32,
    exit: u32,
}

struct Context {
    function: FunctionId,
    /// The calls that led here, outermost first.
    calls: Vec<CallSiteId>,
    /// The functions that these calls are in, the outermost first.
    functions: Vec<FunctionId>,
    callers: BTreeSet<(u32, CallSiteId)>,
    /// Further calls lead here, since there is no room for more contexts.
    shared: bool,
    states: Vec<Option<Cells>>,
    visits: Vec<u32>,
}

type Ticket = (Reverse<usize>, u32, u32);

pub struct Fixpoint<'a> {
    machine: &'a Machine,
    limits: &'a Thresholds,
    settings: Settings,
    host: &'a Host,
    initial: Cells,
    bodies: FxHashMap<FunctionId, Body>,
    /// By location: its position in its function's order.
    ranks: Vec<u32>,
    contexts: Vec<Context>,
    known: FxHashMap<(FunctionId, Vec<CallSiteId>), u32>,
    /// The contexts that calls lead to.
    callees: FxHashMap<(u32, CallSiteId), u32>,
    places: usize,
    work: BinaryHeap<Reverse<Ticket>>,
    waiting: BTreeSet<(u32, u32)>,
}

/// Computes the bounds; `None` if the host asked to stop.
pub fn compute(machine: &Machine, limits: &Thresholds, settings: Settings, host: &Host) -> Option<Invariants> {
    let mut fixpoint = Fixpoint {
        machine,
        limits,
        settings,
        host,
        initial: machine.initial(),
        bodies: FxHashMap::default(),
        ranks: vec![u32::MAX; machine.program.locations.len()],
        contexts: Vec::new(),
        known: FxHashMap::default(),
        callees: FxHashMap::default(),
        places: 0,
        work: BinaryHeap::new(),
        waiting: BTreeSet::new(),
    };
    fixpoint.run()
}

impl Fixpoint<'_> {
    fn run(&mut self) -> Option<Invariants> {
        let main = self.machine.program.main;
        if self.machine.program.function(main).body.is_some() {
            let context = self.context(main, Vec::new(), Vec::new(), false);
            let entry = self.bodies[&main].entry;
            self.arrive(context, entry, self.initial.clone());
            self.ascend()?;
            for _ in 0..self.settings.descents {
                if !self.descend()? {
                    break;
                }
            }
        }
        Some(self.result())
    }

    fn result(&self) -> Invariants {
        let mut at: Vec<Option<Cells>> = vec![None; self.machine.program.locations.len()];
        for context in &self.contexts {
            for (location, state) in self.bodies[&context.function].locations.iter().zip(&context.states) {
                let Some(state) = state else { continue };
                let slot = &mut at[location.index()];
                *slot = Some(match slot {
                    Some(known) => self.machine.layout.join(known, state),
                    None => state.clone(),
                });
            }
        }
        Invariants { at, contexts: self.contexts.len() }
    }

    fn context(
        &mut self,
        function: FunctionId,
        calls: Vec<CallSiteId>,
        functions: Vec<FunctionId>,
        shared: bool,
    ) -> u32 {
        let key = (function, calls);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let calls = key.1;
        self.prepare(function);
        let count = self.bodies[&function].locations.len();
        self.places += count;
        let id = self.contexts.len() as u32;
        self.known.insert((function, calls.clone()), id);
        self.contexts.push(Context {
            function,
            calls,
            functions,
            callers: BTreeSet::new(),
            shared,
            states: vec![None; count],
            visits: vec![0; count],
        });
        id
    }

    /// Orders the locations of a function.
    fn prepare(&mut self, function: FunctionId) {
        if self.bodies.contains_key(&function) {
            return;
        }
        let program = &self.machine.program;
        let order = Order::of(program, function);
        let mut locations = program.reverse_postorder(function);
        locations.sort_by(|a, b| {
            let position = |at: &LocationId| order.place(*at).map(|place| place.positions.clone());
            position(a).cmp(&position(b))
        });
        let Some(body) = program.function(function).body else { return };
        if !locations.contains(&body.exit) {
            locations.push(body.exit);
        }
        for (rank, location) in locations.iter().enumerate() {
            self.ranks[location.index()] = rank as u32;
        }
        let cuts = locations.iter().map(|&at| order.is_head(at)).collect();
        let (entry, exit) = (self.ranks[body.entry.index()], self.ranks[body.exit.index()]);
        self.bodies.insert(function, Body { locations, cuts, entry, exit });
    }

    /// The context of a function that is called from another one. Recursive calls lead back to an existing context.
    fn callee_context(&mut self, caller: u32, site: CallSiteId, callee: FunctionId) -> u32 {
        if let Some(&known) = self.callees.get(&(caller, site)) {
            return known;
        }
        let context = self.new_callee_context(caller, site, callee);
        self.callees.insert((caller, site), context);
        context
    }

    fn new_callee_context(&mut self, caller: u32, site: CallSiteId, callee: FunctionId) -> u32 {
        let from = &self.contexts[caller as usize];
        if let Some(depth) = from.functions.iter().position(|&function| function == callee) {
            let (calls, functions) = (from.calls[..depth].to_vec(), from.functions[..depth].to_vec());
            return self.context(callee, calls, functions, false);
        }
        if from.function == callee {
            return caller;
        }
        if self.places > self.settings.most_places {
            return self.context(callee, Vec::new(), Vec::new(), true);
        }
        let (mut calls, mut functions) = (from.calls.clone(), from.functions.clone());
        calls.push(site);
        functions.push(from.function);
        self.context(callee, calls, functions, false)
    }

    fn ascend(&mut self) -> Option<()> {
        let mut steps = 0u32;
        while let Some(Reverse((_, context, rank))) = self.work.pop() {
            if !self.waiting.remove(&(context, rank)) {
                continue;
            }
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(64) && self.host.stopped().is_some() {
                return None;
            }
            self.expand(context, rank);
        }
        Some(())
    }

    fn expand(&mut self, context: u32, rank: u32) {
        let machine = self.machine;
        let program = &machine.program;
        let here = &self.contexts[context as usize];
        let location = self.bodies[&here.function].locations[rank as usize];
        let Some(state) = here.states[rank as usize].clone() else { return };
        for &id in &program.location(location).leaving {
            let edge = program.edge(id);
            match edge.op {
                Op::Call(site) => {
                    let callee = self.callee_context(context, site, program.location(edge.to).function);
                    self.contexts[callee as usize].callers.insert((context, site));
                    let entry = self.bodies[&self.contexts[callee as usize].function].entry;
                    self.arrive(callee, entry, machine.enter(&state, site, true));
                    // The callee's state may be unchanged, but the caller's may be new.
                    self.come_back(callee, context, site);
                }
                Op::Resume(_) => {}
                _ => {
                    if let Some(after) = machine.transfer(&state, edge) {
                        self.arrive(context, self.ranks[edge.to.index()], after);
                    }
                }
            }
        }
        if rank == self.bodies[&self.contexts[context as usize].function].exit {
            let callers = self.contexts[context as usize].callers.clone();
            for (caller, site) in callers {
                self.come_back(context, caller, site);
            }
        }
    }

    /// The exit of a context leads back to a caller.
    fn come_back(&mut self, callee: u32, caller: u32, site: CallSiteId) {
        if let Some((rank, state)) = self.resumed(callee, caller, site) {
            self.arrive(caller, rank, state);
        }
    }

    fn resumed(&self, callee: u32, caller: u32, site: CallSiteId) -> Option<(u32, Cells)> {
        let program = &self.machine.program;
        let call = program.call_site(site);
        let to = program.edge(call.resume?).to;
        let from = program.edge(call.call).from;
        let callee = &self.contexts[callee as usize];
        let exit = callee.states[self.bodies[&callee.function].exit as usize].as_ref()?;
        let before = self.contexts[caller as usize].states[self.ranks[from.index()] as usize].as_ref()?;
        Some((self.ranks[to.index()], self.machine.resume(exit, site, Some(before))))
    }

    /// A state comes to a place. Returns whether it brings anything new.
    fn arrive(&mut self, id: u32, rank: u32, new: Cells) -> bool {
        let layout = &self.machine.layout;
        let context = &mut self.contexts[id as usize];
        // Code that is not in the order cannot be reached from the function's entry.
        let Some(slot) = context.states.get_mut(rank as usize) else { return false };
        let visits = &mut context.visits[rank as usize];
        let grown = match slot {
            None => new,
            Some(old) if layout.less_or_equal(&new, old) => return false,
            Some(old) => {
                *visits += 1;
                let joined = layout.join(old, &new);
                let body = &self.bodies[&context.function];
                let many_callers = context.shared || self.machine.recursive[context.function.index()];
                let is_cut = body.cuts[rank as usize] || (many_callers && (rank == body.entry || rank == body.exit));
                if is_cut && *visits > self.settings.delay {
                    let limits: &dyn crate::value::Limits = self.limits;
                    let over = *visits - self.settings.delay;
                    layout.widen(old, &joined, (over <= MOST_WIDENINGS).then_some(limits), over <= EARLY_WIDENINGS)
                } else {
                    joined
                }
            }
        };
        *slot = Some(grown);
        if self.waiting.insert((id, rank)) {
            let depth = context.calls.len();
            self.work.push(Reverse((Reverse(depth), id, rank)));
        }
        true
    }

    /// One descending round: every place gets the states of its predecessors, restricted to what it had before. Returns
    /// whether anything changed.
    fn descend(&mut self) -> Option<bool> {
        let mut changed = false;
        let mut order: Vec<u32> = (0..self.contexts.len() as u32).collect();
        order.sort_by_key(|&id| self.contexts[id as usize].calls.len());
        for id in order {
            let count = self.contexts[id as usize].states.len() as u32;
            for rank in 0..count {
                if rank.is_multiple_of(64) && self.host.stopped().is_some() {
                    return None;
                }
                let Some(old) = self.contexts[id as usize].states[rank as usize].clone() else { continue };
                let incoming = self.incoming(id, rank);
                let new = incoming.and_then(|incoming| self.machine.layout.meet(&old, &incoming));
                let same = new.as_ref().is_some_and(|new| self.machine.layout.less_or_equal(&old, new));
                if !same {
                    changed = true;
                    self.contexts[id as usize].states[rank as usize] = new;
                }
            }
        }
        Some(changed)
    }

    /// The join of all states that come to a place.
    fn incoming(&self, id: u32, rank: u32) -> Option<Cells> {
        let machine = self.machine;
        let program = &machine.program;
        let context = &self.contexts[id as usize];
        let body = &self.bodies[&context.function];
        let mut all: Option<Cells> = None;
        let mut add = |state: Option<Cells>| {
            if let Some(state) = state {
                all = Some(match &all {
                    Some(known) => machine.layout.join(known, &state),
                    None => state,
                });
            }
        };
        if rank == body.entry {
            if id == 0 {
                add(Some(self.initial.clone()));
            }
            for &(caller, site) in &context.callers {
                let from = program.edge(program.call_site(site).call).from;
                let before = self.contexts[caller as usize].states[self.ranks[from.index()] as usize].as_ref();
                add(before.map(|before| machine.enter(before, site, true)));
            }
        }
        for &edge in &program.location(body.locations[rank as usize]).entering {
            let edge = program.edge(edge);
            match edge.op {
                Op::Call(_) => {}
                Op::Resume(site) => {
                    let callee = self.callees.get(&(id, site));
                    add(callee.and_then(|&callee| self.resumed(callee, id, site)).map(|(_, state)| state));
                }
                _ => {
                    let from = self.ranks[edge.from.index()] as usize;
                    let before = context.states.get(from).and_then(Option::as_ref);
                    add(before.and_then(|before| machine.transfer(before, edge)));
                }
            }
        }
        all
    }
}
