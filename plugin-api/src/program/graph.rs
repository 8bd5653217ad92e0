//! Walks over the control-flow automaton that many plugins need: reachability, loop heads, orders.

use super::{EdgeId, FunctionId, LocationId, Op, Program};

impl Program {
    /// Successors inside the function: a call counts as a step to where it returns.
    pub fn local_successors(&self, at: LocationId) -> impl Iterator<Item = (EdgeId, LocationId)> + '_ {
        self.location(at).leaving.iter().filter_map(move |&id| {
            let edge = self.edge(id);
            match edge.op {
                Op::Call(site) => self.return_location(site).map(|to| (id, to)),
                Op::Resume(_) => None,
                _ => Some((id, edge.to)),
            }
        })
    }

    /// For every function, whether some run of calls from the entry function may enter it.
    pub fn reachable_functions(&self) -> Vec<bool> {
        let reached = self.reachable_locations();
        self.functions.iter().map(|f| f.body.is_some_and(|body| reached[body.entry.index()])).collect()
    }

    /// For every location, whether the graph has a way to it from the entry of `main`. Calls are entered, and return
    /// only if the callee's exit is reached; which call returns where is respected, the order of calls is not.
    pub fn reachable_locations(&self) -> Vec<bool> {
        self.reachable_without(&|_| false)
    }

    /// The same where some edges cannot be passed.
    pub fn reachable_without(&self, blocked: &dyn Fn(EdgeId) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.locations.len()];
        let mut work: Vec<LocationId> = self.entry().into_iter().collect();
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut reached[at.index()], true) {
                continue;
            }
            for &id in self.location(at).leaving.iter().filter(|&&id| !blocked(id)) {
                let edge = self.edge(id);
                match edge.op {
                    Op::Call(site) => {
                        work.push(edge.to);
                        // The callee may have been explored before this caller was.
                        if let Some(resume) = self.call_site(site).resume {
                            let resume = self.edge(resume);
                            if reached[resume.from.index()] {
                                work.push(resume.to);
                            }
                        }
                    }
                    Op::Resume(site) => {
                        let call = self.call_site(site).call;
                        if reached[self.edge(call).from.index()] && !blocked(call) {
                            work.push(edge.to);
                        }
                    }
                    _ => work.push(edge.to),
                }
            }
        }
        reached
    }

    /// How many locations the graph reaches.
    pub fn size(&self) -> usize {
        self.reachable_locations().into_iter().filter(|reached| *reached).count()
    }

    /// Locations of one function in reverse postorder from its entry.
    pub fn reverse_postorder(&self, function: FunctionId) -> Vec<LocationId> {
        let Some(body) = self.function(function).body else { return Vec::new() };
        let mut order = Vec::new();
        self.depth_first(body.entry, &mut |_| {}, &mut |at| order.push(at));
        order.reverse();
        order
    }

    /// Locations at which every cycle of a function's graph can be cut: targets of depth-first back edges.
    pub fn loop_heads(&self, function: FunctionId) -> Vec<LocationId> {
        let Some(body) = self.function(function).body else { return Vec::new() };
        let mut heads = Vec::new();
        self.depth_first(body.entry, &mut |head| heads.push(head), &mut |_| {});
        heads.sort_unstable();
        heads.dedup();
        heads
    }

    /// Depth-first search with an explicit stack; `on_back` gets targets of back edges, `on_leave` each finished node.
    fn depth_first(
        &self,
        start: LocationId,
        on_back: &mut dyn FnMut(LocationId),
        on_leave: &mut dyn FnMut(LocationId),
    ) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.locations.len()];
        let mut stack: Vec<(LocationId, Vec<LocationId>)> = Vec::new();
        let successors = |at| {
            let mut list: Vec<_> = self.local_successors(at).map(|(_, to)| to).collect();
            list.reverse();
            list
        };
        marks[start.index()] = Mark::Open;
        stack.push((start, successors(start)));
        while let Some((at, rest)) = stack.last_mut() {
            let at = *at;
            match rest.pop() {
                Some(next) => match marks[next.index()] {
                    Mark::New => {
                        marks[next.index()] = Mark::Open;
                        stack.push((next, successors(next)));
                    }
                    Mark::Open => on_back(next),
                    Mark::Done => {}
                },
                None => {
                    marks[at.index()] = Mark::Done;
                    on_leave(at);
                    stack.pop();
                }
            }
        }
    }
}
