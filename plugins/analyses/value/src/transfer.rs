//! The effect of an edge on a state. For refinement, the same with a log of the cells on which each value rests.

use crate::domain::{Cell, Entry, Object, State, Value};
use crate::eval::{Eval, Place};
use crate::facts::Facts;
use crate::learn;
use crate::library::{self, Effect};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{CallSite, CallSiteId, Callee, ExprKind, Type, TypeId};

/// Aggregates with more scalars than this are not tracked as a whole.
const MOST_CELLS: usize = 512;
/// The most blocks of one allocation that a state keeps apart.
const MOST_BLOCKS: u32 = 8;

/// The effects of an edge, as far as they were asked for.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Cells that got a value, and the cells that this value rests on.
    pub sets: Vec<(Cell, Vec<Cell>)>,
    /// Cells that decide where was written. Without them, everything that pointers may reach would have been forgotten.
    pub wheres: Vec<Cell>,
    /// Cells that decide the condition of the edge.
    pub decides: Vec<Cell>,
    /// The condition of the edge does not hold.
    pub closed: bool,
}

/// The state after an edge.
pub enum Post {
    Closed,
    Same,
    To(State),
}

/// The source of a write.
enum Source {
    Scalar(Option<Value>, Vec<Cell>),
    Copy(Place, Vec<Cell>),
    Zero,
}

pub struct Transfer<'a> {
    pub facts: &'a Facts,
    /// Decides which values are kept.
    pub keep: &'a dyn Fn(&Cell) -> bool,
    pub log: Option<Log>,
    /// Follow assume edges that cannot be passed, as if they could.
    pub ignore_conditions: bool,
    /// Something was written at a place that is not known exactly.
    pub wild: bool,
}

impl<'a> Transfer<'a> {
    pub fn new(facts: &'a Facts, keep: &'a dyn Fn(&Cell) -> bool) -> Self {
        Transfer { facts, keep, log: None, ignore_conditions: false, wild: false }
    }
}

impl Transfer<'_> {
    fn program(&self) -> &Program {
        &self.facts.program
    }

    fn eval<'s>(&'s self, state: &'s State) -> Eval<'s> {
        Eval::new(self.facts, state, self.log.is_some())
    }

    pub fn post(&mut self, state: &State, edge: EdgeId) -> Post {
        let facts = self.facts;
        match &facts.program.edge(edge).op {
            Op::Skip | Op::Unsupported(_) => Post::Same,
            Op::Assume { condition, holds } => self.assume(state, *condition, *holds),
            Op::Assign { target, value } => {
                let (place, wheres) = self.place(state, *target);
                let source = self.source(state, *value);
                let mut next = state.clone();
                self.write(&mut next, (place, wheres), facts.program.exprs.ty(*target), source, state);
                Post::To(next)
            }
            Op::Declare(variable) => {
                let mut next = state.clone();
                next.forget_object(facts.object(*variable, state.depth));
                Post::To(next)
            }
            Op::Input { target: Some(place), .. } | Op::Havoc { target: place } => {
                let mut next = state.clone();
                self.write_unknown(&mut next, *place, state);
                Post::To(next)
            }
            Op::Input { target: None, .. } => Post::Same,
            Op::Call(site) => Post::To(self.call(state, *site)),
            Op::Resume(site) => Post::To(self.resume(state, edge, *site)),
            Op::External(site) => self.external(state, edge, *site),
            Op::Return(value) => {
                let function = facts.program.function(facts.program.function_of_edge(edge));
                let (Some(result), Some(value)) = (function.result, *value) else { return Post::Same };
                let mut next = state.clone();
                let place = Place::At(facts.object(result, state.depth), 0);
                let ty = facts.program.variable(result).ty;
                let source = self.converted(state, value, ty);
                self.write(&mut next, (place, Vec::new()), ty, source, state);
                Post::To(next)
            }
        }
    }

    fn assume(&mut self, state: &State, condition: ExprId, holds: bool) -> Post {
        let eval = self.eval(state);
        match eval.truth(condition) {
            Some(truth) if truth == holds => Post::Same,
            Some(_) => {
                let decides = eval.take_reads();
                if let Some(log) = &mut self.log {
                    (log.decides, log.closed) = (decides, true);
                }
                if self.ignore_conditions { Post::Same } else { Post::Closed }
            }
            None => {
                eval.take_reads();
                let learnt = learn::from_condition(&eval, condition, holds);
                drop(eval);
                let Some((cell, entry, reads)) = learnt.filter(|(cell, ..)| (self.keep)(cell)) else {
                    return Post::Same;
                };
                let mut next = state.clone();
                next.insert(cell, entry);
                if let Some(log) = &mut self.log {
                    log.sets.push((cell, reads));
                }
                Post::To(next)
            }
        }
    }

    fn place(&self, state: &State, expr: ExprId) -> (Place, Vec<Cell>) {
        let eval = self.eval(state);
        let place = eval.place(expr);
        (place, eval.take_reads())
    }

    fn source(&self, state: &State, expr: ExprId) -> Source {
        let program = self.program();
        if program.exprs.kind(expr) == ExprKind::Zeroed {
            return Source::Zero;
        }
        if !program.types.is_scalar(program.exprs.ty(expr)) {
            let (place, reads) = self.place(state, expr);
            return Source::Copy(place, reads);
        }
        let eval = self.eval(state);
        let value = eval.value(expr);
        Source::Scalar(value, eval.take_reads())
    }

    /// The value of an expression as that of a variable of this type.
    fn converted(&self, state: &State, expr: ExprId, ty: TypeId) -> Source {
        let from = self.program().exprs.ty(expr);
        match self.source(state, expr) {
            Source::Scalar(Some(value), reads) if from != ty => {
                Source::Scalar(self.eval(state).cast(value, from, ty), reads)
            }
            source => source,
        }
    }

    fn write_unknown(&mut self, next: &mut State, place: ExprId, state: &State) {
        let (at, wheres) = self.place(state, place);
        let ty = self.program().exprs.ty(place);
        self.write(next, (at, wheres), ty, Source::Scalar(None, Vec::new()), state);
    }

    /// Forgets the old value, and keeps the new one if it is known and tracked.
    fn write(
        &mut self,
        next: &mut State,
        (place, wheres): (Place, Vec<Cell>),
        ty: TypeId,
        source: Source,
        before: &State,
    ) {
        let size = self.program().types.size_of(ty);
        if let Some(log) = &mut self.log {
            log.wheres.extend(&wheres);
        }
        match (place, size) {
            (Place::At(object, start), Some(size)) => {
                next.forget_bytes(object, start, size);
                self.fill(next, (object, start), ty, size, source, before, &wheres);
            }
            (Place::Bits(object, start, size), _) => next.forget_bytes(object, start, size),
            (Place::Within(object) | Place::At(object, _), _) => {
                self.wild = true;
                next.forget_object(object);
            }
            (Place::Anywhere, _) => {
                self.wild = true;
                self.forget_addressable(next);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one place with its type, one source with its state")]
    fn fill(
        &mut self,
        next: &mut State,
        (object, start): (Object, u64),
        ty: TypeId,
        size: u64,
        source: Source,
        before: &State,
        wheres: &[Cell],
    ) {
        let Ok(start) = u32::try_from(start) else { return };
        match source {
            Source::Scalar(Some(value), reads) if self.program().types.is_scalar(ty) => {
                let entry = Entry { value, ty, size: size as u32 };
                self.set(next, Cell { object, offset: start }, entry, reads, wheres);
            }
            Source::Scalar(..) => {}
            Source::Zero => {
                for (offset, ty, size) in leaves(self.program(), ty) {
                    let value = if self.program().types.is_float(ty) { Value::Float(0) } else { Value::Int(0) };
                    self.set(
                        next,
                        Cell { object, offset: start + offset },
                        Entry { value, ty, size },
                        Vec::new(),
                        wheres,
                    );
                }
            }
            Source::Copy(Place::At(from, from_start), reads) => {
                for cell in before.overlapping(from, from_start, size) {
                    let Some(entry) = before.get(&cell).copied() else { continue };
                    let Some(inner) = u64::from(cell.offset).checked_sub(from_start) else { continue };
                    if inner + u64::from(entry.size) > size {
                        continue;
                    }
                    let mut reads = reads.clone();
                    reads.push(cell);
                    self.set(next, Cell { object, offset: start + inner as u32 }, entry, reads, wheres);
                }
            }
            Source::Copy(..) => {}
        }
    }

    fn set(&mut self, next: &mut State, cell: Cell, entry: Entry, mut reads: Vec<Cell>, wheres: &[Cell]) {
        if !(self.keep)(&cell) {
            return;
        }
        next.insert(cell, entry);
        if let Some(log) = &mut self.log {
            reads.extend(wheres);
            log.sets.push((cell, reads));
        }
    }

    fn forget_addressable(&self, next: &mut State) {
        next.retain(|cell, _| !self.facts.is_addressable(cell.object));
    }

    fn call(&mut self, state: &State, site: CallSiteId) -> State {
        let facts = self.facts;
        let call = facts.program.call_site(site);
        let mut next = state.clone();
        next.depth = state.depth + 1;
        let Callee::Function(callee) = call.callee else {
            self.forget_addressable(&mut next);
            return next;
        };
        let parameters = &facts.program.function(callee).parameters;
        for (number, &parameter) in parameters.iter().enumerate() {
            let object = facts.object(parameter, next.depth);
            let ty = facts.program.variable(parameter).ty;
            let source = match call.arguments.get(number) {
                Some(&argument) => self.converted(state, argument, ty),
                None => Source::Scalar(None, Vec::new()),
            };
            self.write(&mut next, (Place::At(object, 0), Vec::new()), ty, source, state);
        }
        next
    }

    fn resume(&mut self, state: &State, edge: EdgeId, site: CallSiteId) -> State {
        let facts = self.facts;
        let program = &facts.program;
        let callee = program.function_of_edge(edge);
        let mut next = state.clone();
        let depth = state.depth;
        next.depth = depth.saturating_sub(1);
        let in_frame = |object: &Object| match object {
            Object::Variable(variable, _) => {
                let info = program.variable(*variable);
                info.is_local() && info.function == Some(callee) && facts.object(*variable, depth) == *object
            }
            _ => false,
        };
        let exposed = facts.is_exposed(callee);
        next.retain(|cell, entry| {
            let dangles = exposed && matches!(&entry.value, Value::Pointer { object, .. } if in_frame(object));
            !in_frame(&cell.object) && !dangles
        });
        let Some(place) = program.call_site(site).result else { return next };
        let ty = program.exprs.ty(place);
        let source = match program.function(callee).result {
            Some(result) => {
                let at = Place::At(facts.object(result, depth), 0);
                if program.types.is_scalar(ty) {
                    let eval = self.eval(state);
                    let value = eval.read(at, program.variable(result).ty);
                    // Just as in the frame that is gone.
                    let dangles = matches!(&value, Some(Value::Pointer { object, .. }) if in_frame(object));
                    let value = value.filter(|_| !dangles);
                    let value = value.and_then(|value| eval.cast(value, program.variable(result).ty, ty));
                    Source::Scalar(value, eval.take_reads())
                } else {
                    Source::Copy(at, Vec::new())
                }
            }
            None => Source::Scalar(None, Vec::new()),
        };
        let (at, wheres) = self.place(&next, place);
        self.write(&mut next, (at, wheres), ty, source, state);
        next
    }

    fn external(&mut self, state: &State, edge: EdgeId, site: CallSiteId) -> Post {
        let facts = self.facts;
        let call = facts.program.call_site(site);
        let effect = library::effect(&facts.program, call);
        let has_pointers =
            call.arguments.iter().any(|argument| facts.program.types.is_pointer(facts.program.exprs.ty(*argument)));
        if call.result.is_none() && (effect == Effect::None || !has_pointers) {
            return Post::Same;
        }
        let mut next = state.clone();
        match effect {
            Effect::Unknown if has_pointers => self.forget_addressable(&mut next),
            Effect::WritesTargets => self.forget_targets(state, &mut next, call),
            Effect::Frees => self.free(state, &mut next, call),
            _ => {}
        }
        if let Some(place) = call.result {
            let ty = facts.program.exprs.ty(place);
            let value = match effect {
                Effect::Allocates if facts.program.types.is_pointer(ty) => self.new_block(state, edge),
                _ => None,
            };
            let (at, wheres) = self.place(&next, place);
            self.write(&mut next, (at, wheres), ty, Source::Scalar(value, Vec::new()), state);
        }
        Post::To(next)
    }

    /// A pointer to a freed block may equal one to a block that is allocated later.
    fn free(&self, state: &State, next: &mut State, call: &CallSite) {
        let pointer = call.arguments.first().and_then(|argument| Eval::new(self.facts, state, false).value(*argument));
        let Some(Value::Pointer { object: block @ Object::Block(..), .. }) = pointer else { return };
        next.retain(|cell, entry| {
            let dangles = matches!(entry.value, Value::Pointer { object, .. } if object == block);
            cell.object != block && !dangles
        });
    }

    /// The memory that pointers among the arguments point to may have been written.
    fn forget_targets(&mut self, state: &State, next: &mut State, call: &CallSite) {
        for &argument in &call.arguments {
            if !self.program().types.is_pointer(self.program().exprs.ty(argument)) {
                continue;
            }
            let eval = self.eval(state);
            let value = eval.value(argument);
            let reads = eval.take_reads();
            match value {
                Some(Value::Pointer { object, .. }) => next.forget_object(object),
                Some(Value::Int(0)) => {}
                _ => self.forget_addressable(next),
            }
            if let Some(log) = &mut self.log {
                log.wheres.extend(reads);
            }
        }
    }

    /// An object that neither a pointer of the state points to nor a cell of it is in. It may also be an object to
    /// which only pointers of unknown value point, since these may point anywhere.
    fn new_block(&self, state: &State, edge: EdgeId) -> Option<Value> {
        let mut taken = [false; MOST_BLOCKS as usize];
        let mut note = |object: &Object| {
            if let Object::Block(site, number) = object
                && *site == edge
                && let Some(slot) = taken.get_mut(*number as usize)
            {
                *slot = true;
            }
        };
        for (cell, entry) in state.iter() {
            note(&cell.object);
            if let Value::Pointer { object, .. } = &entry.value {
                note(object);
            }
        }
        let number = taken.iter().position(|taken| !taken)?;
        Some(Value::Pointer { object: Object::Block(edge, number as u32), offset: 0 })
    }
}

/// The scalars of a type: offset, type and size of each. Of a union, those of its first member; none of bit-fields, nor of
/// types with too many.
pub fn leaves(program: &Program, ty: TypeId) -> Vec<(u32, TypeId, u32)> {
    let mut found = Vec::new();
    let complete = collect(program, ty, 0, &mut found);
    if complete { found } else { Vec::new() }
}

fn collect(program: &Program, ty: TypeId, start: u64, found: &mut Vec<(u32, TypeId, u32)>) -> bool {
    if found.len() > MOST_CELLS {
        return false;
    }
    let types = &program.types;
    match types.get(ty) {
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
            if let (Ok(offset), Some(Ok(size))) = (u32::try_from(start), types.size_of(ty).map(u32::try_from)) {
                found.push((offset, ty, size));
            }
            true
        }
        Type::Array { element, length } => {
            let Some(size) = types.size_of(*element) else { return true };
            *length <= MOST_CELLS as u64
                && (0..*length).all(|index| collect(program, *element, start + index * size, found))
        }
        Type::Composite(id) => {
            let composite = types.composite(*id);
            let fields = if composite.is_union { 1 } else { composite.fields.len() };
            let fields = composite.fields.iter().take(fields).filter(|field| field.bits.is_none());
            fields.map(|field| (field.ty, field.offset)).all(|(ty, offset)| collect(program, ty, start + offset, found))
        }
        _ => true,
    }
}

/// The values of globals when `main` is entered.
pub fn initial_state(facts: &Facts) -> State {
    let program = &facts.program;
    let mut state = State::default();
    state.fresh = true;
    let keep = |_: &Cell| true;
    for (number, variable) in program.variables.iter().enumerate() {
        if variable.is_local() || variable.storage == tandem_plugin_api::program::Storage::Extern {
            continue;
        }
        let object = Object::Variable(VarId::new(number), 0);
        for (offset, ty, size) in leaves(program, variable.ty) {
            let value = if program.types.is_float(ty) { Value::Float(0) } else { Value::Int(0) };
            state.insert(Cell { object, offset }, Entry { value, ty, size });
        }
        let mut transfer = Transfer::new(facts, &keep);
        for initial in &variable.initializer {
            let (place, wheres) = transfer.place(&state, initial.place);
            let source = transfer.source(&state, initial.value);
            let before = state.clone();
            transfer.write(&mut state, (place, wheres), program.exprs.ty(initial.place), source, &before);
        }
    }
    state
}
