//! Calls of functions without a body: library functions by what the table says of them and by the terms that are known for
//! their results, all others by convention.

use super::{Block, Encoder};
use crate::smt::contents::{Background, Contents};
use crate::smt::state::{HazardKind, State};
use crate::smt::term::{FALSE, FloatOrder, FloatTest, FloatUnary, Order, Sort, TRUE, Term};
use tandem_plugin_api::artifact::Convention;
use tandem_plugin_api::library::{
    Class, Effects, LibraryFunction, Memory, Models, is_verifier_function, may_touch_memory,
};
use tandem_plugin_api::program::*;

/// Blocks of at most so many bytes are copied and filled piece by piece.
const MOST_BYTES: u64 = 2048;

/// What a function means as a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// A new block with these contents.
    Block(Background),
    /// A new block in the caller's frame.
    FrameBlock,
    Free,
    Fill,
    Copy,
    Float(FloatUnary),
    IsNan,
    Larger,
    Smaller,
    Absolute,
    /// The result is the first argument.
    First,
}

const MODELS: &[(Model, &[&str])] = &[
    (Model::Block(Background::Unknown), &["malloc"]),
    (Model::Block(Background::Zero), &["calloc"]),
    (Model::FrameBlock, &["alloca"]),
    (Model::Free, &["free"]),
    (Model::Fill, &["memset"]),
    (Model::Copy, &["memcpy", "memmove"]),
    (Model::Float(FloatUnary::Abs), &["fabs", "fabsf"]),
    (Model::Float(FloatUnary::Sqrt), &["sqrt", "sqrtf"]),
    (Model::Float(FloatUnary::Floor), &["floor", "floorf"]),
    (Model::Float(FloatUnary::Ceil), &["ceil", "ceilf"]),
    (Model::Float(FloatUnary::Trunc), &["trunc", "truncf"]),
    (Model::Float(FloatUnary::RoundEven), &["rint", "rintf", "nearbyint", "nearbyintf"]),
    (Model::IsNan, &["isnan", "isnanf", "__isnan", "__isnanf"]),
    (Model::Larger, &["fmax", "fmaxf"]),
    (Model::Smaller, &["fmin", "fminf"]),
    (Model::Absolute, &["abs", "labs", "llabs"]),
    (Model::First, &["__builtin_expect"]),
];

fn model(function: &LibraryFunction) -> Option<Model> {
    MODELS.iter().find(|(_, names)| names.contains(&function.name())).map(|(model, _)| *model)
}

impl Encoder {
    pub(super) fn external(&mut self, state: &mut State, site: CallSiteId) {
        let program = self.program.clone();
        let call = program.call_site(site);
        let Callee::Function(callee) = call.callee else {
            self.conventions.insert(Convention::NoBodyByPointer { place: None });
            return self.unknown_result(state, call, None);
        };
        let name = program.function(callee).name.as_str();
        if is_verifier_function(name) {
            return self.unknown_result(state, call, None);
        }
        let known = LibraryFunction::named(name);
        if may_touch_memory(&program, call) {
            self.hazard(state, TRUE, HazardKind::Library);
            self.forget_arguments(state, call);
        }
        let Some(function) = known.filter(|function| !function.has_effect(Effects::OUTSIDE)) else {
            // Where the stack is does not matter: each allocation is an object of its own.
            if !name.starts_with("__builtin_stack_") {
                self.conventions.insert(Convention::NoBody { function: name.to_string() });
            }
            return self.unknown_result(state, call, None);
        };
        let types: Vec<TypeId> = call.arguments.iter().map(|&argument| program.exprs.ty(argument)).collect();
        let result = call.result.map(|place| program.exprs.ty(place));
        if !function.prototype().fits(&program.types, &types, result) {
            self.hazard(state, TRUE, HazardKind::Library);
            return self.unknown_result(state, call, None);
        }
        self.library_call(state, call, function);
    }

    fn library_call(&mut self, state: &mut State, call: &CallSite, function: &LibraryFunction) {
        let model = model(function);
        match model {
            Some(Model::Block(background)) => {
                self.conventions.insert(Convention::Allocation);
                self.allocation(state, call, background);
                return;
            }
            Some(Model::FrameBlock) => {
                let base = self.allocation(state, call, Background::Unknown);
                // It goes with its block or function; which is not followed.
                return self.terms.end_lifetime(base);
            }
            Some(Model::Free) => return self.free(state, call),
            Some(Model::Fill) => return self.memset(state, call),
            Some(Model::Copy) => return self.memcpy(state, call),
            _ => {}
        }
        if model.is_none() && !function.has(Models::EXECUTION) {
            self.hazard(state, TRUE, HazardKind::Library);
        }
        // What runs hidden code before it ends has no model: what comes of it is a hazard, and stays one behind the call.
        if function.ends_program() {
            state.guard = FALSE;
            return;
        }
        match function.memory() {
            Memory::Untouched => {}
            Memory::Object(at) if points_to_number(function, at) => self.forget_arguments(state, call),
            // How far it writes is not described: it may be beyond the object. Nor are new blocks, but for those above.
            _ => {
                self.hazard(state, TRUE, HazardKind::Library);
                self.forget_arguments(state, call);
            }
        }
        if let Some(value) = model.and_then(|model| self.computed(state, call, model)) {
            return self.set_result(state, call, value);
        }
        self.unknown_result(state, call, function.range());
    }

    /// Functions whose results have terms.
    fn computed(&mut self, state: &mut State, call: &CallSite, model: Model) -> Option<Term> {
        let mut arguments = Vec::new();
        for &argument in &call.arguments {
            if !self.program.types.is_scalar(self.program.exprs.ty(argument)) {
                return None;
            }
            arguments.push(self.value(state, argument));
        }
        let first = *arguments.first()?;
        let is_float = matches!(self.terms.sort(first), Sort::Float(_));
        match model {
            Model::Float(operation) if is_float => Some(self.terms.float_unary(operation, first)),
            Model::IsNan if is_float => {
                let test = self.terms.float_test(FloatTest::Nan, first);
                Some(self.terms.from_bool(32, test))
            }
            Model::Larger if is_float => Some(self.larger(*arguments.get(1)?, first, first)),
            Model::Smaller if is_float => Some(self.larger(first, *arguments.get(1)?, first)),
            Model::Absolute if !is_float => {
                let zero = self.terms.bits(self.terms.width(first), 0);
                let negative = self.terms.compare(Order::SLt, first, zero);
                let minus = self.terms.neg(first);
                Some(self.terms.ite(negative, minus, first))
            }
            Model::First => Some(first),
            _ => None,
        }
    }

    /// `first`, which is one of both, if `low` is less than `high`, else the other one; of a number and no number, the
    /// number. Which of two zeros comes out is not said.
    fn larger(&mut self, low: Term, high: Term, first: Term) -> Term {
        let second = if low == first { high } else { low };
        let nan = self.terms.float_test(FloatTest::Nan, first);
        let other_nan = self.terms.float_test(FloatTest::Nan, second);
        let ordered = self.terms.float_compare(FloatOrder::Lt, low, high);
        let same = self.terms.float_compare(FloatOrder::Eq, low, high);
        let either = self.terms.symbol(Sort::Bool, "either zero");
        let tie = self.terms.and(same, either);
        let chosen = self.terms.or(ordered, tie);
        let value = self.terms.ite(chosen, first, second);
        let value = self.terms.ite(other_nan, first, value);
        self.terms.ite(nan, second, value)
    }

    fn set_result(&mut self, state: &mut State, call: &CallSite, value: Term) {
        let Some(place) = call.result else { return };
        let ty = self.program.exprs.ty(place);
        if self.scalar_sort(ty) == self.terms.sort(value) {
            self.write_place(state, place, value);
        } else if let (Sort::Bits(width), Sort::Bits(_)) = (self.scalar_sort(ty), self.terms.sort(value)) {
            let value = self.terms.resize(width, true, value);
            self.write_place(state, place, value);
        } else {
            self.havoc(state, place);
        }
    }

    fn unknown_result(&mut self, state: &mut State, call: &CallSite, range: Option<(i64, i64)>) {
        let Some(place) = call.result else { return };
        let ty = self.program.exprs.ty(place);
        let (Some((low, high)), Sort::Bits(width)) = (range, self.scalar_sort(ty)) else {
            return self.havoc(state, place);
        };
        let value = self.given(ty, "result");
        let (low, high) = (self.terms.signed(width, low.into()), self.terms.signed(width, high.into()));
        let above = self.terms.compare(Order::SLe, low, value);
        let below = self.terms.compare(Order::SLe, value, high);
        state.assume(&mut self.terms, above);
        state.assume(&mut self.terms, below);
        self.write_place(state, place, value);
    }

    /// The memory that pointers among the arguments point to may have been written.
    fn forget_arguments(&mut self, state: &mut State, call: &CallSite) {
        for &argument in &call.arguments {
            if self.program.types.is_pointer(self.program.exprs.ty(argument)) {
                let pointer = self.value(state, argument);
                self.forget_target(state, pointer);
            }
        }
    }

    /// Gives the address of the new object.
    fn allocation(&mut self, state: &mut State, call: &CallSite, background: Background) -> Term {
        let width = self.pointer_bits();
        let mut size = self.terms.bits(width, 1);
        let mut element = None;
        for &argument in &call.arguments {
            element = element.or_else(|| self.element_in(argument));
            let factor = self.value(state, argument);
            let factor = self.terms.resize(width, false, factor);
            size = self.terms.mul(size, factor);
        }
        // The type that the result's place points to, if it has one.
        let wanted = call.result.and_then(|place| self.program.types.pointee(self.program.exprs.ty(place)));
        let uniform = wanted.and_then(|ty| self.uniform_scalars(ty));
        let element = uniform.or(element);
        // As malloc does it in both data models.
        let align = 8;
        let object = self.allocate(state, &Block { name: "block", size, element, align, background });
        let base = self.object(object).base;
        self.set_result(state, call, base);
        base
    }

    /// `n * 4` or `4 * n` in an allocation suggests elements of 4 bytes.
    fn element_in(&self, argument: ExprId) -> Option<u32> {
        let exprs = &self.program.exprs;
        match exprs.kind(argument) {
            ExprKind::Cast(inner) => self.element_in(inner),
            ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } => {
                let constant = exprs.as_int(lhs).or(exprs.as_int(rhs))?;
                matches!(constant, 1 | 2 | 4 | 8).then_some(constant as u32)
            }
            _ => None,
        }
    }

    fn free(&mut self, state: &mut State, call: &CallSite) {
        let Some(&argument) = call.arguments.first() else { return };
        let pointer = self.value(state, argument);
        let targets = self.targets(pointer);
        let zero = self.offset(0);
        let null = self.terms.eq(pointer, zero);
        let not_null = self.terms.not(null);
        let wild = self.terms.and(targets.rest, not_null);
        self.hazard(state, wild, HazardKind::WildPointer);
        for target in targets.list.iter() {
            let at_start = self.terms.eq(target.offset, zero);
            let inside = self.terms.not(at_start);
            let inside = self.terms.and(target.guard, inside);
            self.hazard(state, inside, HazardKind::OutOfBounds);
            let Some(mut contents) = state.memory.get(&target.object).cloned() else { continue };
            let twice = self.terms.and(target.guard, contents.dead);
            self.hazard(state, twice, HazardKind::DeadObject);
            contents.dead = self.terms.or(contents.dead, target.guard);
            self.terms.end_lifetime(self.object(target.object).base);
            state.memory.insert(target.object, contents);
        }
    }

    fn memset(&mut self, state: &mut State, call: &CallSite) {
        let [to, byte, count] = call.arguments[..] else { return };
        let to = self.value(state, to);
        let byte = self.value(state, byte);
        let byte = self.terms.resize(8, false, byte);
        let count = self.value(state, count);
        self.set_result(state, call, to);
        let Some(length) = self.terms.as_bits(count).and_then(|n| u64::try_from(n).ok()) else {
            return self.forget_block(state, to, count);
        };
        let targets = self.targets(to);
        if let [target] = &*targets.list
            && targets.rest == FALSE
            && self.terms.as_bits(target.offset) == Some(0)
            && self.terms.as_bits(self.object(target.object).size) == Some(length.into())
            && self.terms.as_bits(byte) == Some(0)
            && let Some(contents) = state.memory.get_mut(&target.object)
        {
            let dead = contents.dead;
            *contents = Contents::new(Background::Zero);
            contents.dead = dead;
            return self.hazard(state, dead, HazardKind::DeadObject);
        }
        if length > MOST_BYTES {
            return self.forget_block(state, to, count);
        }
        let piece = self.piece_size(to, length);
        let mut word = byte;
        for _ in 1..piece {
            word = self.terms.concat(byte, word);
        }
        for offset in (0..length).step_by(piece as usize) {
            let place = self.shifted(to, offset);
            self.store_piece(state, place, piece, word);
        }
    }

    fn memcpy(&mut self, state: &mut State, call: &CallSite) {
        let [to, from, count] = call.arguments[..] else { return };
        let (to, from) = (self.value(state, to), self.value(state, from));
        let count = self.value(state, count);
        self.set_result(state, call, to);
        let length = self.terms.as_bits(count).and_then(|n| u64::try_from(n).ok()).filter(|&n| n <= MOST_BYTES);
        let Some(length) = length else { return self.forget_block(state, to, count) };
        let piece = self.piece_size(to, length).min(self.piece_size(from, length));
        let values: Vec<(u64, Term)> = (0..length)
            .step_by(piece as usize)
            .map(|offset| {
                let place = self.shifted(from, offset);
                (offset, self.load_piece(state, place, piece))
            })
            .collect();
        for (offset, value) in values {
            let place = self.shifted(to, offset);
            self.store_piece(state, place, piece, value);
        }
    }

    /// The size of pieces in which a block is best written: that of the object's other accesses.
    fn piece_size(&mut self, pointer: Term, length: u64) -> u32 {
        let targets = self.targets(pointer);
        let [target] = &*targets.list else { return 1 };
        let offset = self.terms.as_bits(target.offset);
        let sizes = [self.object(target.object).element, Some(4)];
        sizes
            .into_iter()
            .flatten()
            .find(|&size| {
                let size = u64::from(size);
                size <= 8 && length.is_multiple_of(size) && offset.is_some_and(|o| (o as u64).is_multiple_of(size))
            })
            .unwrap_or(1)
    }

    /// A block of `count` bytes gets unknown contents.
    fn forget_block(&mut self, state: &mut State, to: Term, count: Term) {
        let width = self.pointer_bits();
        let count = self.terms.resize(width, false, count);
        let targets = self.targets(to);
        for target in targets.list.iter() {
            let size = self.object(target.object).size;
            let room = self.terms.sub(size, target.offset);
            let inside = self.terms.compare(Order::ULe, target.offset, size);
            let fits = self.terms.compare(Order::ULe, count, room);
            let right = self.terms.and(inside, fits);
            let wrong = self.terms.not(right);
            let wrong = self.terms.and(target.guard, wrong);
            self.hazard(state, wrong, HazardKind::OutOfBounds);
        }
        self.forget_target(state, to);
    }
}

/// Whether an argument points to a number: what is read there later may not be a pointer to an object of the program.
fn points_to_number(function: &LibraryFunction, at: usize) -> bool {
    function
        .prototype()
        .parameters
        .get(at)
        .and_then(|parameter| parameter.pointee())
        .is_some_and(|pointee| matches!(pointee.class(), Class::Int(_) | Class::Float(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_claims_what_has_a_formula() {
        let implemented: BTreeSet<&str> = MODELS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let claimed =
            LibraryFunction::all().filter(|function| function.has(Models::FORMULA)).map(LibraryFunction::name);
        assert_eq!(implemented, claimed.collect());
    }
}
