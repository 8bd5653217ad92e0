//! The steps of a run with the values of variables at each, for readers of a counterexample. Code that is compiled for
//! tracing keeps all variables in memory, and reports each edge before it is taken.

use super::image::{Layout, in_register};
use super::memory::Memory;
use tandem_plugin_api::program::{EdgeId, ExprKind, FunctionId, Op, Program, Storage, Type, TypeId, VarId};

/// The edge number by which code reports that a function returns.
pub const RETURN: u32 = u32::MAX;

/// Of arrays and structs, the first bytes are watched; of what a pointer points to, too.
const WATCHED: u64 = 128;

/// A variable, or the beginning of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub variable: VarId,
    /// An address for globals, else the offset in the frame.
    at: u32,
    /// Bytes of the variable that are watched.
    pub length: u32,
    /// Bytes behind a pointer that are watched with it, where the program owns them.
    behind: u32,
    /// A local has no meaningful value until it is written or, where pointers may write it, declared.
    shown_later: bool,
}

/// The variables of a program that can be watched, by function; globals come first.
pub struct Watch {
    globals: Vec<Slot>,
    functions: Vec<Vec<Slot>>,
    edges: Vec<Place>,
    main: FunctionId,
}

/// Where an edge is, and what it means for the steps.
#[derive(Clone, Copy)]
struct Place {
    line: u32,
    function: FunctionId,
    kind: PlaceKind,
    /// The local that is written here, or a part of it.
    writes: Option<VarId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PlaceKind {
    Hidden,
    Plain,
    Call(FunctionId),
    Declares(VarId),
}

impl Watch {
    pub(super) fn new(program: &Program, layout: &Layout) -> Self {
        let edges: Vec<Place> = program.edge_ids().map(|edge| place(program, edge)).collect();
        let mut later = vec![false; program.variables.len()];
        let shows = |place: &Place| match place.kind {
            PlaceKind::Declares(variable) => Some(variable),
            _ => place.writes,
        };
        edges.iter().filter_map(shows).for_each(|variable| later[variable.index()] = true);
        let slot = |variable: VarId, at: u32| {
            let ty = program.variable(variable).ty;
            let length = program.types.size_of(ty).unwrap_or(0).min(WATCHED) as u32;
            let is_parameter = program.variable(variable).storage == Storage::Parameter;
            let shown_later = later[variable.index()] && !is_parameter;
            Slot { variable, at, length, behind: behind(program, ty), shown_later }
        };
        let used = used_globals(program);
        let all = program.variables.iter().enumerate().map(|(index, _)| VarId::new(index));
        let shown = all.filter(|id| used[id.index()] && program.variable(*id).storage != Storage::StringLiteral);
        let globals = shown.filter_map(|id| Some(slot(id, layout.address(id)?))).collect();
        let functions = program.functions.iter().zip(&layout.frames).map(|(function, frame)| {
            let own = function.parameters.iter().chain(&function.locals);
            let named = own.filter(|id| program.variable(**id).storage != Storage::Temporary);
            named.filter_map(|id| Some(slot(*id, *frame.offsets.get(id)?))).collect()
        });
        let functions = functions.collect();
        Watch { globals, functions, edges, main: program.main }
    }

    /// The variables of a function, or the globals.
    pub fn slots(&self, function: Option<FunctionId>) -> &[Slot] {
        let of = |function: FunctionId| self.functions.get(function.index()).map_or(&[][..], Vec::as_slice);
        function.map_or(&self.globals, of)
    }

    /// Whether code must report an edge.
    pub(super) fn is_told(program: &Program, edge: EdgeId) -> bool {
        let place = place(program, edge);
        place.kind != PlaceKind::Hidden || place.writes.is_some()
    }

    /// Where a variable of the function is in its frame.
    pub fn in_frame(&self, function: FunctionId, address: u32, frame: u32) -> Option<(VarId, u32)> {
        let distance = address.checked_sub(frame)?;
        let found = self.slots(Some(function)).iter().filter(|slot| slot.at <= distance).max_by_key(|slot| slot.at)?;
        Some((found.variable, distance - found.at))
    }
}

/// Globals that code uses.
fn used_globals(program: &Program) -> Vec<bool> {
    let mut used = vec![false; program.variables.len()];
    let mut note = |expr| {
        program.exprs.walk(expr, &mut |id| {
            if let ExprKind::Var(variable) = program.exprs.kind(id) {
                used[variable.index()] = true;
            }
        });
    };
    for edge in program.edge_ids() {
        program.expressions_of(edge).into_iter().for_each(&mut note);
        match &program.edge(edge).op {
            Op::Assign { target, .. } | Op::Input { target: Some(target), .. } | Op::Havoc { target } => note(*target),
            Op::Call(site) | Op::External(site) => program.call_site(*site).result.into_iter().for_each(&mut note),
            _ => {}
        }
    }
    used
}

fn behind(program: &Program, ty: TypeId) -> u32 {
    let pointee =
        program.types.pointee(ty).filter(|target| !matches!(program.types.get(*target), Type::Function { .. }));
    pointee.and_then(|target| program.types.size_of(target)).map_or(0, |size| size.min(WATCHED) as u32)
}

fn place(program: &Program, id: EdgeId) -> Place {
    let edge = program.edge(id);
    let line = edge.span.physical_line;
    let kind = match edge.op {
        // If all writes can be seen, the first of them counts.
        Op::Declare(variable) if in_register(program, program.variable(variable)) => PlaceKind::Hidden,
        Op::Declare(variable) => PlaceKind::Declares(variable),
        Op::Call(_) => program.called_function(id).map_or(PlaceKind::Hidden, PlaceKind::Call),
        Op::Skip | Op::Resume(_) => PlaceKind::Hidden,
        _ if line == 0 => PlaceKind::Hidden,
        _ => PlaceKind::Plain,
    };
    Place { line, function: program.function_of_edge(id), kind, writes: written(program, id) }
}

/// The local that an edge writes to by its name; a call does so when it returns.
fn written(program: &Program, edge: EdgeId) -> Option<VarId> {
    let mut place = match &program.edge(edge).op {
        Op::Assign { target, .. } | Op::Input { target: Some(target), .. } | Op::Havoc { target } => *target,
        Op::Call(site) | Op::External(site) => program.call_site(*site).result?,
        _ => return None,
    };
    loop {
        match program.exprs.kind(place) {
            ExprKind::Var(variable) => return Some(variable).filter(|id| program.variable(*id).is_local()),
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => place = base,
            _ => return None,
        }
    }
}

/// Which steps of a run are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    pub first: u64,
    /// All from this one on, too.
    pub from: u64,
}

impl Kept {
    fn contains(self, step: u64) -> bool {
        step < self.first || step >= self.from
    }
}

/// A line that is about to be executed, with the changes before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Counted from 0 over all steps of the run.
    pub number: u64,
    pub edges: Vec<EdgeId>,
    /// How many calls returned since the step before.
    pub returned: usize,
    /// Functions that were entered since then, with the addresses of their frames.
    pub entered: Vec<(FunctionId, u32)>,
    pub changes: Vec<Change>,
}

/// A variable has another value than at the step before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// 0 is the globals, 1 is `main`, and so on up the stack.
    pub frame: usize,
    pub slot: usize,
    pub bytes: Box<[u8]>,
    /// What a pointer points to.
    pub behind: Option<Box<[u8]>>,
}

/// The steps that were kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub steps: Vec<Step>,
    pub total: u64,
}

/// The bytes of a variable, and what is behind it where it is a pointer.
type Seen = (Box<[u8]>, Option<Box<[u8]>>);

struct Activation {
    function: Option<FunctionId>,
    frame: u32,
    shown: Vec<bool>,
    /// What the call under way writes when it returns.
    result: Option<VarId>,
    seen: Vec<Option<Seen>>,
}

/// Follows one run.
pub struct Tracer {
    watch: std::sync::Arc<Watch>,
    kept: Kept,
    stack: Vec<Activation>,
    /// How much of the stack is as at the last step that was kept, and how much there was.
    common: usize,
    told: usize,
    /// A function was called, and its first edge is yet to come.
    entering: Option<FunctionId>,
    /// The line of the step under way, and its edges; `None` where the next edge begins another step.
    line: Option<u32>,
    edges: Vec<EdgeId>,
    trace: Trace,
}

impl Tracer {
    pub fn new(watch: std::sync::Arc<Watch>, kept: Kept) -> Self {
        let entering = Some(watch.main);
        let mut tracer = Tracer {
            watch,
            kept,
            stack: Vec::new(),
            common: 0,
            told: 0,
            entering,
            line: None,
            edges: Vec::new(),
            trace: Trace::default(),
        };
        tracer.push(None, 0);
        tracer
    }

    pub fn finish(self) -> Trace {
        self.trace
    }

    fn push(&mut self, function: Option<FunctionId>, frame: u32) {
        let slots = self.watch.slots(function);
        let shown = slots.iter().map(|slot| !slot.shown_later).collect();
        self.stack.push(Activation { function, frame, shown, result: None, seen: vec![None; slots.len()] });
    }

    /// Called by code that is about to take an edge, or to return.
    pub(super) fn tell(&mut self, memory: &mut Memory, edge: u32, frame: u32) {
        if edge == RETURN {
            if self.entering.take().is_none() && self.stack.len() > 1 {
                self.stack.pop();
            }
            self.common = self.common.min(self.stack.len());
            self.line = None;
            return self.returned();
        }
        let Some(&place) = self.watch.edges.get(edge as usize) else { return };
        if self.entering.take().is_some() {
            self.push(Some(place.function), frame);
            self.line = None;
        }
        if let PlaceKind::Plain | PlaceKind::Call(_) = place.kind {
            self.step(memory, EdgeId(edge), place.line);
        }
        match place.kind {
            PlaceKind::Declares(variable) => self.show(variable),
            PlaceKind::Call(function) => {
                self.entering = Some(function);
                self.stack.last_mut().into_iter().for_each(|top| top.result = place.writes);
            }
            PlaceKind::Plain | PlaceKind::Hidden => place.writes.into_iter().for_each(|variable| self.show(variable)),
        }
    }

    fn returned(&mut self) {
        let written = self.stack.last_mut().and_then(|top| top.result.take());
        written.into_iter().for_each(|variable| self.show(variable));
    }

    fn show(&mut self, variable: VarId) {
        let Some(top) = self.stack.last_mut() else { return };
        let at = self.watch.slots(top.function).iter().position(|slot| slot.variable == variable);
        if let Some(shown) = at.and_then(|at| top.shown.get_mut(at)) {
            *shown = true;
        }
    }

    fn step(&mut self, memory: &mut Memory, edge: EdgeId, line: u32) {
        let goes_on = self.line == Some(line) && !self.edges.contains(&edge);
        if goes_on {
            self.edges.push(edge);
            let kept = self.trace.steps.last_mut().filter(|step| step.number + 1 == self.trace.total);
            kept.into_iter().for_each(|step| step.edges.push(edge));
            return;
        }
        self.line = Some(line);
        self.edges = vec![edge];
        let number = self.trace.total;
        self.trace.total += 1;
        if self.kept.contains(number) {
            let returned = self.told - self.common;
            let entered = self.stack.get(self.common..).unwrap_or_default();
            let entered = entered.iter().filter_map(|a| Some((a.function?, a.frame))).collect();
            let changes = self.changes(memory);
            (self.told, self.common) = (self.stack.len(), self.stack.len());
            self.trace.steps.push(Step { number, edges: vec![edge], returned, entered, changes });
        }
    }

    fn changes(&mut self, memory: &mut Memory) -> Vec<Change> {
        let mut changes = Vec::new();
        for (frame, activation) in self.stack.iter_mut().enumerate() {
            let slots = self.watch.slots(activation.function);
            let known = activation.seen.iter_mut().zip(&activation.shown);
            for (slot, (watched, (seen, shown))) in slots.iter().zip(known).enumerate() {
                if !shown {
                    continue;
                }
                let Some(at) = activation.frame.checked_add(watched.at) else { continue };
                let Some(bytes) = memory.bytes(at, watched.length) else { continue };
                let same = seen.as_ref().is_some_and(|(known, _)| **known == *bytes);
                if same && watched.behind == 0 {
                    continue;
                }
                let bytes: Box<[u8]> = bytes.into();
                let behind = target(&bytes, watched.behind).and_then(|at| memory.bytes(at, watched.behind));
                let now = (bytes, behind.map(Box::from));
                if seen.as_ref() != Some(&now) {
                    changes.push(Change { frame, slot, bytes: now.0.clone(), behind: now.1.clone() });
                    *seen = Some(now);
                }
            }
        }
        changes
    }
}

/// The address that a pointer holds; `None` where nothing behind it is watched.
fn target(pointer: &[u8], length: u32) -> Option<u32> {
    let mut word = [0; 8];
    word.get_mut(..pointer.len())?.copy_from_slice(pointer);
    u32::try_from(u64::from_le_bytes(word)).ok().filter(|_| length > 0)
}

/// Zeroes locals that other code has in registers, which begin as zero.
pub(super) fn begins_as_zero(program: &Program, function: FunctionId) -> Vec<VarId> {
    let function = program.function(function);
    let own = function.locals.iter().chain(&function.result).copied();
    own.filter(|id| in_register(program, program.variable(*id))).collect()
}
