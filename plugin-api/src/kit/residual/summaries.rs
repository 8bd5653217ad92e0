//! Where runs of an automaton can be when a function returns, by where they are when it is called.
//! Tabulation over pairs of location and set (Reps, Horwitz, Sagiv, POPL 1995): recursion is a fixpoint, not a special case.

use super::follower::{Next, SetId};
use super::moves::Moves;
use crate::error::{ErrorKind, PluginError, Result};
use crate::program::{CallSiteId, EdgeId, FunctionId, LocationId, Op, Program};
use crate::service::Host;
use rustc_hash::{FxHashMap, FxHashSet};

/// A function as it is called with runs in a set.
type Entry = (FunctionId, SetId);

/// The search ends with an error at this size, since a reducer could not use a larger table.
const MOST_ENTRIES: usize = 3_000_000;

/// The exits of functions, by their entries.
#[derive(Default)]
pub struct Summaries {
    exits: FxHashMap<Entry, Vec<SetId>>,
}

impl Summaries {
    /// All sets with which the function may return.
    pub fn exits(&self, function: FunctionId, entry: SetId) -> &[SetId] {
        match entry {
            SetId::NONE => return &[SetId::NONE],
            SetId::ANY => return &[SetId::ANY],
            _ => {}
        }
        self.exits.get(&(function, entry)).map_or(&[], Vec::as_slice)
    }

    pub fn new(moves: &mut Moves<'_>, host: &Host) -> Result<Self> {
        let program = moves.program;
        let mut table = Table { program, seen: FxHashSet::default(), work: Vec::new(), callers: FxHashMap::default() };
        let mut this = Summaries::default();
        let (Some(start), Next::At(first)) = (program.entry(), moves.follower.start()) else { return Ok(this) };
        table.add((program.main, first), start, first);
        while let Some((entry, at, set)) = table.work.pop() {
            if table.seen.len() > MOST_ENTRIES {
                return Err(PluginError::new("the program with the automaton has too many states"));
            }
            if table.seen.len().is_multiple_of(4096) && host.stopped().is_some() {
                return Err(PluginError::of(ErrorKind::Stopped, "stopped"));
            }
            let is_exit = program.function(entry.0).body.is_some_and(|body| body.exit == at);
            if is_exit && !this.exits(entry.0, entry.1).contains(&set) {
                this.exits.entry(entry).or_default().push(set);
                for (caller, site) in table.callers.get(&entry).cloned().unwrap_or_default() {
                    table.resume(caller, site, set, moves);
                }
            }
            for &edge in &program.location(at).leaving {
                match program.edge(edge).op {
                    Op::Resume(_) => {}
                    Op::Call(site) => table.call(entry, edge, site, set, moves, &this),
                    _ => {
                        for next in moves.alternatives(set, edge) {
                            table.add(entry, program.edge(edge).to, next);
                        }
                    }
                }
            }
        }
        Ok(this)
    }
}

struct Table<'p> {
    program: &'p Program,
    seen: FxHashSet<(Entry, LocationId, SetId)>,
    work: Vec<(Entry, LocationId, SetId)>,
    callers: FxHashMap<Entry, Vec<(Entry, CallSiteId)>>,
}

impl Table<'_> {
    fn add(&mut self, entry: Entry, at: LocationId, set: SetId) {
        if self.seen.insert((entry, at, set)) {
            self.work.push((entry, at, set));
        }
    }

    fn call(
        &mut self,
        entry: Entry,
        edge: EdgeId,
        site: CallSiteId,
        set: SetId,
        moves: &mut Moves<'_>,
        known: &Summaries,
    ) {
        let inside = self.program.edge(edge).to;
        let callee = self.program.location(inside).function;
        for set in moves.alternatives(set, edge) {
            let called = (callee, set);
            let callers = self.callers.entry(called).or_default();
            if !callers.contains(&(entry, site)) {
                callers.push((entry, site));
            }
            self.add(called, inside, set);
            for &exit in known.exits(callee, set) {
                self.resume(entry, site, exit, moves);
            }
        }
    }

    fn resume(&mut self, caller: Entry, site: CallSiteId, exit: SetId, moves: &mut Moves<'_>) {
        let Some(resume) = self.program.call_site(site).resume else { return };
        for next in moves.alternatives(exit, resume) {
            self.add(caller, self.program.edge(resume).to, next);
        }
    }
}
