//! Calls of functions without a body: library functions by their descriptions, all others by convention.

use super::{Block, Encoder};
use crate::exec::library::{Effects, Function as LibraryFunction, may_touch_memory};
use crate::frontend::is_verifier_function;
use crate::smt::contents::{Background, Contents};
use crate::smt::state::{HazardKind, State};
use crate::smt::term::{FALSE, FloatOrder, FloatTest, FloatUnary, Order, Sort, TRUE, Term};
use tandem_plugin_api::program::*;

/// Blocks of at most so many bytes are copied and filled piece by piece.
const MOST_BYTES: u64 = 2048;

/// They write just what their pointer argument points to.
const WRITE_ONE_SCALAR: [&str; 7] = ["frexp", "frexpf", "modf", "modff", "remquo", "remquof", "rand_r"];

impl Encoder {
    pub(super) fn external(&mut self, state: &mut State, site: CallSiteId) {
        let program = self.program.clone();
        let call = program.call_site(site);
        let Callee::Function(callee) = call.callee else {
            self.conventions.insert("function without a body, called by a pointer".into());
            return self.unknown_result(state, call, None);
        };
        let name = program.function(callee).name.as_str();
        if is_verifier_function(name) {
            return self.unknown_result(state, call, None);
        }
        match name {
            "alloca" | "__builtin_alloca" => {
                let base = self.allocation(state, call, Background::Unknown);
                // The allocated memory lives as long as its block or function; this is not tracked.
                self.terms.end_lifetime(base);
                return;
            }
            // Where the stack is does not matter: each allocation is an object of its own.
            "__builtin_stack_save" | "__builtin_stack_restore" => return self.unknown_result(state, call, None),
            _ => {}
        }
        let Some(function) = LibraryFunction::named(name) else {
            if may_touch_memory(&program, call) {
                self.hazard(state, TRUE, HazardKind::Library);
                self.forget_arguments(state, call);
            }
            self.conventions.insert(format!("function without a body: {name}"));
            return self.unknown_result(state, call, None);
        };
        let types: Vec<TypeId> = call.arguments.iter().map(|&argument| program.exprs.ty(argument)).collect();
        let result = call.result.map(|place| program.exprs.ty(place));
        if !function.describe().prototype.fits(&program.types, &types, result) {
            self.hazard(state, TRUE, HazardKind::Library);
            return self.unknown_result(state, call, None);
        }
        self.library_call(state, call, function);
    }

    fn library_call(&mut self, state: &mut State, call: &CallSite, function: LibraryFunction) {
        let effects = function.describe().effects;
        match function.name() {
            "malloc" => {
                self.conventions.insert("malloc never fails".into());
                self.allocation(state, call, Background::Unknown);
                return;
            }
            "calloc" => {
                self.conventions.insert("malloc never fails".into());
                self.allocation(state, call, Background::Zero);
                return;
            }
            "free" => return self.free(state, call),
            "memset" => return self.memset(state, call),
            "memcpy" => return self.memcpy(state, call),
            _ => {}
        }
        if effects.include(Effects::NEVER_RETURNS) {
            state.guard = FALSE;
            return;
        }
        if effects.include(Effects::UNMODELLED)
            || effects.include(Effects::ALLOCATES)
            || effects.include(Effects::FREES)
        {
            self.hazard(state, TRUE, HazardKind::Library);
        }
        if effects.include(Effects::WRITES) {
            if !WRITE_ONE_SCALAR.contains(&function.name()) {
                // How far it writes is not described: it may write beyond the object.
                self.hazard(state, TRUE, HazardKind::Library);
            }
            self.forget_arguments(state, call);
        }
        if let Some(value) = self.computed(state, call, function) {
            return self.set_result(state, call, value);
        }
        self.unknown_result(state, call, function.describe().range);
    }

    /// Functions whose results have terms.
    fn computed(&mut self, state: &mut State, call: &CallSite, function: LibraryFunction) -> Option<Term> {
        let name = function.name();
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let mut arguments = Vec::new();
        for &argument in &call.arguments {
            if !self.program.types.is_scalar(self.program.exprs.ty(argument)) {
                return None;
            }
            arguments.push(self.value(state, argument));
        }
        let first = *arguments.first()?;
        if let Sort::Float(kind) = self.terms.sort(first) {
            let plain = name.trim_start_matches('_').trim_end_matches('f');
            let plain = if name.ends_with("inf") { "isinf" } else { plain };
            return match plain {
                "fabs" => Some(self.terms.float_unary(FloatUnary::Abs, first)),
                "sqrt" => Some(self.terms.float_unary(FloatUnary::Sqrt, first)),
                "floor" | "loor" => Some(self.terms.float_unary(FloatUnary::Floor, first)),
                "ceil" => Some(self.terms.float_unary(FloatUnary::Ceil, first)),
                "trunc" => Some(self.terms.float_unary(FloatUnary::Trunc, first)),
                "rint" | "nearbyint" => Some(self.terms.float_unary(FloatUnary::RoundEven, first)),
                "isnan" => {
                    let test = self.terms.float_test(FloatTest::Nan, first);
                    Some(self.terms.from_bool(32, test))
                }
                "fmax" | "fmin" => {
                    let second = *arguments.get(1)?;
                    let (low, high) = if plain == "fmax" { (second, first) } else { (first, second) };
                    let (nan, other_nan) =
                        (self.terms.float_test(FloatTest::Nan, first), self.terms.float_test(FloatTest::Nan, second));
                    let ordered = self.terms.float_compare(FloatOrder::Lt, low, high);
                    let same = self.terms.float_compare(FloatOrder::Eq, low, high);
                    // C does not say which zero is the result.
                    if self.terms.as_float(first).is_none() && kind == FloatKind::LongDouble {
                        return None;
                    }
                    let either = self.terms.symbol(Sort::Bool, "either zero");
                    let tie = self.terms.and(same, either);
                    let chosen = self.terms.or(ordered, tie);
                    let value = self.terms.ite(chosen, first, second);
                    let value = self.terms.ite(other_nan, first, value);
                    Some(self.terms.ite(nan, second, value))
                }
                _ => None,
            };
        }
        match name {
            "abs" | "labs" | "llabs" => {
                let zero = self.terms.bits(self.terms.width(first), 0);
                let negative = self.terms.compare(Order::SLt, first, zero);
                let minus = self.terms.neg(first);
                Some(self.terms.ite(negative, minus, first))
            }
            "expect" => Some(first),
            _ => None,
        }
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
        let value = self.unknown(ty, "result");
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
