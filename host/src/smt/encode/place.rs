//! Reading and writing of places: registers, memory at known and unknown offsets, bit-fields, whole aggregates.

use super::Encoder;
use super::resolve::Target;
use crate::smt::contents::{Contents, Stride, as_float, as_word, gcd};
use crate::smt::state::{HazardKind, State};
use crate::smt::term::{FALSE, Node, Order, Sort, TRUE, Term, Terms, WordOp, sign_extend};
use tandem_plugin_api::program::*;

/// Objects with at most so many places for an access are treated place by place, larger ones as arrays.
const PLACES: u64 = 64;
/// Aggregates with more scalars are not copied one by one.
const MOST_SCALARS: usize = 4096;
/// Choices between offsets are followed so deep.
const CHOICE_DEPTH: u32 = 4;

impl Encoder {
    /// The address of a place in memory.
    pub(super) fn address(&mut self, state: &mut State, place: ExprId) -> Term {
        match self.program.exprs.kind(place) {
            ExprKind::Var(id) => match state.places.get(&id) {
                Some(&object) => self.object(object).base,
                // A register has no address; the front end never asks for it.
                None => self.offset(0),
            },
            ExprKind::Deref(pointer) => self.value(state, pointer),
            ExprKind::Field { base, field } => {
                let offset = self.field(base, field).map_or(0, |field| field.offset);
                let start = self.address(state, base);
                let offset = self.offset(offset);
                self.terms.add(start, offset)
            }
            ExprKind::Index { base, index } => {
                let size = self.program.types.size_of(self.program.exprs.ty(place)).unwrap_or(1);
                let start = self.address(state, base);
                self.indexed(state, start, index, size)
            }
            _ => self.offset(0),
        }
    }

    fn field(&self, base: ExprId, field: u32) -> Option<&Field> {
        let Type::Composite(id) = self.program.types.get(self.program.exprs.ty(base)) else { return None };
        self.program.types.composite(*id).fields.get(field as usize)
    }

    fn bit_field(&self, place: ExprId) -> Option<BitField> {
        let ExprKind::Field { base, field } = self.program.exprs.kind(place) else { return None };
        self.field(base, field)?.bits
    }

    /// The value of a scalar place.
    pub(super) fn read_place(&mut self, state: &mut State, place: ExprId) -> Term {
        let ty = self.program.exprs.ty(place);
        if let ExprKind::Var(id) = self.program.exprs.kind(place)
            && self.is_register(id)
        {
            if let Some(&value) = state.values.get(&id) {
                return value;
            }
            let value = self.unknown(ty, "indeterminate");
            state.values.insert(id, value);
            return value;
        }
        let pointer = self.address(state, place);
        match self.bit_field(place) {
            Some(bits) => self.read_bit_field(state, pointer, bits, ty),
            None => self.load(state, pointer, ty),
        }
    }

    /// Writes a scalar place.
    pub(super) fn write_place(&mut self, state: &mut State, place: ExprId, value: Term) {
        let ty = self.program.exprs.ty(place);
        if let ExprKind::Var(id) = self.program.exprs.kind(place)
            && self.is_register(id)
        {
            state.values.insert(id, value);
            return;
        }
        let pointer = self.address(state, place);
        match self.bit_field(place) {
            Some(bits) => self.write_bit_field(state, pointer, bits, value),
            None => self.store(state, pointer, ty, value),
        }
    }

    fn read_bit_field(&mut self, state: &mut State, pointer: Term, bits: BitField, ty: TypeId) -> Term {
        let bytes = (bits.start + bits.width).div_ceil(8);
        let word = self.load_word(state, pointer, bytes);
        if bits.width == 0 {
            return self.zero(ty);
        }
        let part = self.terms.extract(bits.start + bits.width - 1, bits.start, word);
        let Sort::Bits(width) = self.scalar_sort(ty) else { return part };
        let signed = self.is_signed(ty);
        self.terms.resize(width, signed, part)
    }

    fn write_bit_field(&mut self, state: &mut State, pointer: Term, bits: BitField, value: Term) {
        if bits.width == 0 {
            return;
        }
        let bytes = (bits.start + bits.width).div_ceil(8);
        let word = self.load_word(state, pointer, bytes);
        let mut joined = self.terms.resize(bits.width, false, value);
        if bits.start > 0 {
            let below = self.terms.extract(bits.start - 1, 0, word);
            joined = self.terms.concat(joined, below);
        }
        let end = bits.start + bits.width;
        if end < bytes * 8 {
            let above = self.terms.extract(bytes * 8 - 1, end, word);
            joined = self.terms.concat(above, joined);
        }
        self.store_word(state, pointer, bytes, joined);
    }

    /// The scalar of type `ty` that a pointer points to.
    pub(super) fn load(&mut self, state: &mut State, pointer: Term, ty: TypeId) -> Term {
        let size = self.program.types.size_of(ty).unwrap_or(1) as u32;
        let sort = self.scalar_sort(ty);
        self.load_as(state, pointer, size, sort)
    }

    pub(super) fn load_piece(&mut self, state: &mut State, pointer: Term, size: u32) -> Term {
        self.load_word(state, pointer, size)
    }

    pub(super) fn store_piece(&mut self, state: &mut State, pointer: Term, size: u32, value: Term) {
        self.store_word(state, pointer, size, value);
    }

    fn load_word(&mut self, state: &mut State, pointer: Term, size: u32) -> Term {
        self.load_as(state, pointer, size, Sort::Bits(size * 8))
    }

    fn load_as(&mut self, state: &mut State, pointer: Term, size: u32, sort: Sort) -> Term {
        let targets = self.targets(pointer);
        self.hazard(state, targets.rest, HazardKind::WildPointer);
        let mut result: Option<Term> = None;
        for target in targets.list.iter() {
            if !self.check_access(state, target, size) {
                continue;
            }
            let Some(mut contents) = state.memory.get(&target.object).cloned() else { continue };
            let access = self.access(state, target, size);
            let value = access.read(&mut self.terms, &mut contents, sort, 0);
            state.memory.insert(target.object, contents);
            result = Some(match result {
                None => value,
                Some(other) => self.terms.ite(target.guard, value, other),
            });
        }
        result.unwrap_or_else(|| self.unknown_of(sort))
    }

    fn unknown_of(&mut self, sort: Sort) -> Term {
        match sort {
            Sort::Float(kind) => {
                let bits = self.terms.symbol(Sort::Bits(crate::smt::term::format_bits(kind)), "unknown");
                self.terms.float_from_bits(kind, bits)
            }
            _ => self.terms.symbol(sort, "unknown"),
        }
    }

    pub(super) fn store(&mut self, state: &mut State, pointer: Term, ty: TypeId, value: Term) {
        let size = self.program.types.size_of(ty).unwrap_or(1) as u32;
        self.store_word(state, pointer, size, value);
    }

    /// Writes a scalar, word or float, of `size` bytes.
    fn store_word(&mut self, state: &mut State, pointer: Term, size: u32, value: Term) {
        let targets = self.targets(pointer);
        self.hazard(state, targets.rest, HazardKind::WildPointer);
        for target in targets.list.iter() {
            if !self.check_access(state, target, size) {
                continue;
            }
            let Some(mut contents) = state.memory.get(&target.object).cloned() else { continue };
            let access = self.access(state, target, size);
            access.write(&mut self.terms, &mut contents, target.guard, value, 0);
            state.memory.insert(target.object, contents);
        }
    }

    /// Records hazards of an access. False if the access is never possible.
    fn check_access(&mut self, state: &mut State, target: &Target, size: u32) -> bool {
        let Some(contents) = state.memory.get(&target.object) else {
            self.hazard(state, target.guard, HazardKind::Gone);
            return false;
        };
        let dead = self.terms.and(target.guard, contents.dead);
        self.hazard(state, dead, HazardKind::DeadObject);
        let object_size = self.object(target.object).size;
        let size = self.offset(size.into());
        let fits = self.terms.compare(Order::ULe, size, object_size);
        let last = self.terms.sub(object_size, size);
        let inside = self.terms.compare(Order::ULe, target.offset, last);
        let right = self.terms.and(fits, inside);
        let wrong = self.terms.not(right);
        let outside = self.terms.and(target.guard, wrong);
        self.hazard(state, outside, HazardKind::OutOfBounds);
        right != FALSE
    }

    /// How to get at an object's bytes at this offset.
    fn access(&mut self, state: &mut State, target: &Target, size: u32) -> Access {
        let object_size = self.terms.as_bits(self.object(target.object).size).and_then(|size| u64::try_from(size).ok());
        let element = self.object(target.object).element;
        let mut factors = Vec::new();
        let mut stride = stride(&self.terms, target.offset, &mut factors);
        if self.terms.as_bits(target.offset).is_none() {
            if !stride.modulus.is_power_of_two() {
                // The remainder survives only where the product does not wrap around.
                for (factor, by) in factors {
                    self.no_wrap(state, target.guard, factor, by);
                }
            }
            if let Some(element) = element.filter(|&element| element == size) {
                let element = u64::from(element);
                if !stride.modulus.is_multiple_of(element) && element.is_power_of_two() {
                    let low = self.terms.extract(element.trailing_zeros() - 1, 0, target.offset);
                    let askew = self.terms.is_nonzero(low);
                    let askew = self.terms.and(target.guard, askew);
                    self.hazard(state, askew, HazardKind::Askew);
                    stride = Stride { modulus: element, residue: 0 };
                } else if stride.modulus.is_multiple_of(element) && stride.residue.is_multiple_of(element) {
                    stride = Stride { modulus: element, residue: 0 };
                }
            }
        }
        Access { offset: target.offset, size, stride, object_size }
    }

    /// A hazard where `factor · by` is beyond a quarter of the address space.
    fn no_wrap(&mut self, state: &mut State, guard: Term, factor: Term, by: u64) {
        let width = self.terms.width(factor);
        let most = (1i128 << (width - 2)) / i128::from(by.max(1));
        let (high, low) = (self.terms.signed(width, most), self.terms.signed(width, -most));
        let below = self.terms.compare(Order::SLt, factor, low);
        let above = self.terms.compare(Order::SLt, high, factor);
        let beyond = self.terms.or(below, above);
        let beyond = self.terms.and(guard, beyond);
        self.hazard(state, beyond, HazardKind::Askew);
    }

    /// `place = value` for any type.
    pub(super) fn assign(&mut self, state: &mut State, place: ExprId, value: ExprId) {
        let ty = self.program.exprs.ty(place);
        if self.program.types.is_scalar(ty) {
            let value = self.value(state, value);
            self.write_place(state, place, value);
            return;
        }
        let to = self.address(state, place);
        if self.program.exprs.kind(value) == ExprKind::Zeroed {
            self.fill(state, to, ty, false);
        } else {
            let from = self.address(state, value);
            self.copy(state, to, from, ty);
        }
    }

    /// Copies an aggregate scalar by scalar.
    pub(super) fn copy(&mut self, state: &mut State, to: Term, from: Term, ty: TypeId) {
        if to == from {
            return;
        }
        let mut scalars = Vec::new();
        if !self.scalars(ty, 0, &mut scalars) {
            self.forget_target(state, to);
            return;
        }
        // Everything is read before anything is written, since both may be the same object.
        let values: Vec<(u64, u32, Term)> = scalars
            .into_iter()
            .map(|(offset, size, sort)| {
                let place = self.shifted(from, offset);
                (offset, size, self.load_as(state, place, size, sort))
            })
            .collect();
        for (offset, size, value) in values {
            let place = self.shifted(to, offset);
            self.store_word(state, place, size, value);
        }
    }

    /// Gives an aggregate zeros or unknown bytes.
    pub(super) fn fill(&mut self, state: &mut State, to: Term, ty: TypeId, unknown: bool) {
        let mut scalars = Vec::new();
        if unknown || !self.scalars(ty, 0, &mut scalars) {
            self.forget_target(state, to);
            return;
        }
        for (offset, size, sort) in scalars {
            let value = match sort {
                Sort::Float(kind) => self.terms.float(kind, 0),
                _ => self.terms.bits(size * 8, 0),
            };
            let place = self.shifted(to, offset);
            self.store_word(state, place, size, value);
        }
    }

    pub(super) fn shifted(&mut self, pointer: Term, offset: u64) -> Term {
        let offset = self.offset(offset);
        self.terms.add(pointer, offset)
    }

    /// Makes the contents of all objects unknown that a pointer may point into.
    pub(super) fn forget_target(&mut self, state: &mut State, pointer: Term) {
        let targets = self.targets(pointer);
        self.hazard(state, targets.rest, HazardKind::WildPointer);
        for target in targets.list.iter() {
            if let Some(contents) = state.memory.get_mut(&target.object) {
                contents.forget();
            }
        }
    }

    /// The scalars that a type consists of, with their offsets. Overlapping members of unions, bit-fields and padding are
    /// taken as bytes and words. False if there are too many.
    pub(super) fn scalars(&self, ty: TypeId, offset: u64, list: &mut Vec<(u64, u32, Sort)>) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Array { element, length } => {
                let size = types.size_of(*element).unwrap_or(0);
                (0..*length).all(|i| self.scalars(*element, offset + i * size, list))
            }
            Type::Composite(id) => {
                let composite = types.composite(*id);
                let plain = !composite.is_union && composite.fields.iter().all(|field| field.bits.is_none());
                if !plain {
                    return self.bytes(offset, composite.size, list);
                }
                // Copies include padding, as on the machine: its old bytes can be read.
                let mut end = 0;
                for field in &composite.fields {
                    let fits = self.bytes(offset + end, field.offset.saturating_sub(end), list)
                        && self.scalars(field.ty, offset + field.offset, list);
                    if !fits {
                        return false;
                    }
                    end = field.offset + types.size_of(field.ty).unwrap_or(0);
                }
                self.bytes(offset + end, composite.size.saturating_sub(end), list)
            }
            Type::IncompleteArray { .. } | Type::Void | Type::Function { .. } => true,
            _ => {
                list.push((offset, types.size_of(ty).unwrap_or(1) as u32, self.scalar_sort(ty)));
                list.len() <= MOST_SCALARS
            }
        }
    }

    fn bytes(&self, offset: u64, size: u64, list: &mut Vec<(u64, u32, Sort)>) -> bool {
        let mut at = 0;
        while at < size {
            let length = [8, 4, 2, 1].into_iter().find(|n| at + n <= size && (offset + at).is_multiple_of(*n));
            let length = length.unwrap_or(1);
            list.push((offset + at, length as u32, Sort::Bits(length as u32 * 8)));
            at += length;
        }
        list.len() <= MOST_SCALARS
    }
}

/// An access of some bytes of an object.
#[derive(Clone, Copy)]
struct Access {
    offset: Term,
    size: u32,
    stride: Stride,
    object_size: Option<u64>,
}

impl Access {
    /// All places where it may go, if they are few.
    fn places(&self) -> Option<Vec<u64>> {
        let last = self.object_size?.checked_sub(self.size.into())?;
        let Stride { modulus, residue } = self.stride;
        if modulus == 0 || residue > last || (last - residue) / modulus >= PLACES {
            return None;
        }
        Some((residue..=last).step_by(usize::try_from(modulus).ok()?).collect())
    }

    fn at(self, offset: Term) -> Self {
        Access { offset, ..self }
    }

    /// Whether a constant offset, one of several that are possible, is outside of the object. It has a hazard already.
    fn is_outside(&self, offset: u64) -> bool {
        offset.checked_add(self.size.into()).is_none_or(|end| self.object_size.is_some_and(|size| end > size))
    }

    fn read(self, terms: &mut Terms, contents: &mut Contents, sort: Sort, depth: u32) -> Term {
        if let Some(offset) = terms.as_bits(self.offset) {
            if self.is_outside(offset as u64) {
                let word = terms.symbol(Sort::Bits(self.size * 8), "unknown");
                return in_sort(terms, word, sort);
            }
            return read_known(terms, contents, offset as u64, self.size, sort);
        }
        if let Node::Ite(condition, a, b) = terms.node(self.offset)
            && depth < CHOICE_DEPTH
        {
            let a = self.at(a).read(terms, contents, sort, depth + 1);
            let b = self.at(b).read(terms, contents, sort, depth + 1);
            return terms.ite(condition, a, b);
        }
        if let Some(places) = self.places() {
            let mut result: Option<Term> = None;
            for place in places {
                let value = read_known(terms, contents, place, self.size, sort);
                let position = terms.bits(terms.width(self.offset), place.into());
                let here = terms.eq(self.offset, position);
                result = Some(match result {
                    None => value,
                    Some(other) => terms.ite(here, value, other),
                });
            }
            if let Some(result) = result {
                return result;
            }
        }
        let word = contents.select(terms, self.offset, self.stride, self.size);
        in_sort(terms, word, sort)
    }

    fn write(self, terms: &mut Terms, contents: &mut Contents, guard: Term, value: Term, depth: u32) {
        if let Some(offset) = terms.as_bits(self.offset) {
            if self.is_outside(offset as u64) {
                return;
            }
            return write_known(terms, contents, offset as u64, self.size, guard, value);
        }
        if let Node::Ite(condition, a, b) = terms.node(self.offset)
            && depth < CHOICE_DEPTH
        {
            let not = terms.not(condition);
            let (then, otherwise) = (terms.and(guard, condition), terms.and(guard, not));
            self.at(a).write(terms, contents, then, value, depth + 1);
            self.at(b).write(terms, contents, otherwise, value, depth + 1);
            return;
        }
        if let Some(places) = self.places() {
            for place in places {
                let position = terms.bits(terms.width(self.offset), place.into());
                let here = terms.eq(self.offset, position);
                let here = terms.and(guard, here);
                write_known(terms, contents, place, self.size, here, value);
            }
            return;
        }
        let word = as_word(terms, value, self.size);
        let value = if guard == TRUE {
            word
        } else {
            let old = contents.select(terms, self.offset, self.stride, self.size);
            terms.ite(guard, word, old)
        };
        contents.store(terms, self.offset, self.stride, self.size, value);
    }
}

fn read_known(terms: &mut Terms, contents: &mut Contents, offset: u64, size: u32, sort: Sort) -> Term {
    if let Some(value) = contents.exact(offset, size)
        && terms.sort(value) == sort
    {
        return value;
    }
    let word = contents.read(terms, offset, size);
    in_sort(terms, word, sort)
}

fn write_known(terms: &mut Terms, contents: &mut Contents, offset: u64, size: u32, guard: Term, value: Term) {
    let value = if guard == TRUE {
        value
    } else if guard == FALSE {
        return;
    } else {
        let old = read_known(terms, contents, offset, size, terms.sort(value));
        terms.ite(guard, value, old)
    };
    contents.write(terms, offset, size, value);
}

fn in_sort(terms: &mut Terms, word: Term, sort: Sort) -> Term {
    match sort {
        Sort::Float(kind) => as_float(terms, kind, word),
        _ => word,
    }
}

/// A modulus and a remainder of an offset, where products do not wrap around. `factors` gets the factors of these
/// products.
fn stride(terms: &Terms, offset: Term, factors: &mut Vec<(Term, u64)>) -> Stride {
    let (modulus, remainder) = congruence(terms, offset, factors, 0);
    let residue = if modulus == 0 { remainder as u64 } else { remainder.rem_euclid(modulus.into()) as u64 };
    Stride { modulus, residue }
}

/// Modulus (0 for a constant) and a representative.
fn congruence(terms: &Terms, offset: Term, factors: &mut Vec<(Term, u64)>, depth: u32) -> (u64, i128) {
    const NOTHING: (u64, i128) = (1, 0);
    if depth > 12 {
        return NOTHING;
    }
    match terms.node(offset) {
        Node::Bits(width, value) => (0, sign_extend(value, width)),
        Node::Word(WordOp::Mul, x, c) => match terms.as_signed(c) {
            Some(by) if by != 0 => {
                let by = by.unsigned_abs() as u64;
                factors.push((x, by));
                (by, 0)
            }
            _ => NOTHING,
        },
        Node::Word(WordOp::Shl, _, c) => match terms.as_bits(c) {
            Some(c) if c < 32 => (1 << c, 0),
            _ => NOTHING,
        },
        Node::Word(WordOp::Add, a, b) => {
            let (a, b) = (congruence(terms, a, factors, depth + 1), congruence(terms, b, factors, depth + 1));
            (gcd(a.0, b.0), a.1 + b.1)
        }
        Node::Ite(_, a, b) => {
            let (a, b) = (congruence(terms, a, factors, depth + 1), congruence(terms, b, factors, depth + 1));
            let distance = (a.1 - b.1).unsigned_abs() as u64;
            (gcd(gcd(a.0, b.0), distance), a.1)
        }
        _ => NOTHING,
    }
}
