//! Calls of functions without a body. By convention they return any value and change nothing, except for those of the C
//! library that write through their pointers, allocate, or never return.

use crate::interval::Interval;
use crate::layout::Kind;
use crate::machine::Machine;
use crate::places::Places;
use crate::pointers::{Base, Offsets, PointsTo, Target};
use crate::value::{Cells, Known};
use tandem_plugin_api::library::{LibraryFunction, Life, Memory, memory_of_call};
use tandem_plugin_api::program::{CallSite, CallSiteId, ExprId};

/// Functions whose results have bounds.
const ABSOLUTE: [&str; 4] = ["abs", "labs", "llabs", "imaxabs"];
const EXPECT: &str = "__builtin_expect";

impl Machine {
    /// Whether the call allocates in the caller's frame.
    pub fn is_alloca(&self, site: CallSiteId) -> bool {
        matches!(
            memory_of_call(&self.program, self.program.call_site(site)),
            Memory::Allocates { life: Life::Frame, .. }
        )
    }

    /// A call that stays on its edge; `None` if it never returns.
    pub fn external(&self, state: &Cells, site: CallSiteId) -> Option<Cells> {
        let call = self.program.call_site(site);
        let function = LibraryFunction::called(&self.program, call);
        if function.is_some_and(LibraryFunction::ends_program) {
            return None;
        }
        let mut after = state.clone();
        let result = self.with_effect(state, &mut after, site, function);
        if let Some(place) = call.result {
            self.set_result(state, &mut after, place, result);
        }
        Some(after)
    }

    fn set_result(&self, before: &Cells, after: &mut Cells, place: ExprId, result: Known) {
        let Some(access) = self.access(place) else { return self.write_anywhere(after) };
        let places = self.places(before, place);
        let fits = matches!(
            (&result, access.kind),
            (Known::Int(_), Some(Kind::Int(_))) | (Known::Pointer(_), Some(Kind::Pointer))
        );
        let result = if fits { result } else { self.given(self.ty(place)) };
        self.write(after, &places, access, &result);
    }

    /// Changes what the call may write, and gives its result.
    fn with_effect(
        &self,
        state: &Cells,
        after: &mut Cells,
        site: CallSiteId,
        function: Option<&LibraryFunction>,
    ) -> Known {
        let call = self.program.call_site(site);
        let argument = |index: usize| call.arguments.get(index).map_or(Known::Nothing, |&a| self.evaluate(state, a));
        match memory_of_call(&self.program, call) {
            Memory::Untouched => return function.map_or(Known::Nothing, |known| self.computed(state, call, known)),
            Memory::Frees => return Known::Nothing,
            Memory::Allocates { sizes, life } => {
                return self.new_block(state, call, site, sizes, life != Life::Frame);
            }
            Memory::Reallocates { sizes } => return self.new_block(state, call, site, sizes, true),
            Memory::Bytes { to, count } => self.forget_bytes(after, &argument(to), &argument(count)),
            Memory::Fill { to, byte, count } => match (argument(byte), argument(count)) {
                (Known::Int(byte), Known::Int(count))
                    if byte == Interval::point(0) && count.is_point() && count.lo < 1 << 30 =>
                {
                    self.fill_with_zero(after, &Places::pointee(&argument(to)), count.lo as i64 * 8);
                }
                (_, count) => self.forget_bytes(after, &argument(to), &count),
            },
            Memory::Object(index) => {
                let pointee = call.arguments.get(index).and_then(|&a| self.program.types.pointee(self.ty(a)));
                let size = pointee.and_then(|ty| self.program.types.size_of(ty)).unwrap_or(16);
                self.forget_bytes(after, &argument(index), &Known::Int(Interval::point(size.into())));
            }
            Memory::Targets | Memory::Anything => {
                self.hazard.set(true);
                for &argument in &call.arguments {
                    if self.program.types.is_pointer(self.ty(argument)) {
                        self.forget_objects(after, &self.evaluate(state, argument));
                    }
                }
            }
        }
        function.and_then(LibraryFunction::returned_argument).map_or(Known::Nothing, argument)
    }

    /// Some bytes from where a pointer points get unknown values.
    fn forget_bytes(&self, after: &mut Cells, to: &Known, bytes: &Known) {
        let most = match bytes {
            Known::Int(bytes) if bytes.hi < 1 << 30 => bytes.hi as i64,
            _ => {
                self.hazard.set(true);
                return self.forget_objects(after, to);
            }
        };
        if most == 0 {
            return;
        }
        let width = most * 8;
        self.write_each(after, &Places::pointee(to), width, &mut |state, variable, at| {
            self.forget(state, variable, at, width);
        });
    }

    /// All objects that a pointer may point into get unknown values.
    fn forget_objects(&self, after: &mut Cells, to: &Known) {
        let Known::Pointer(pointer) = to else { return self.write_anywhere(after) };
        for target in pointer.targets() {
            if let Base::Variable(variable) = target.base {
                after.remove_range(self.layout.of_variable(variable));
            }
        }
    }

    fn new_block(&self, state: &Cells, call: &CallSite, site: CallSiteId, sizes: &[usize], may_fail: bool) -> Known {
        let mut size: i128 = if sizes.is_empty() { 0 } else { 1 };
        for &index in sizes {
            let factor = match call.arguments.get(index).map(|&a| self.evaluate(state, a)) {
                Some(Known::Int(interval)) => interval.lo.max(0),
                _ => 0,
            };
            size = size.saturating_mul(factor).min(1 << 30);
        }
        let mut targets = vec![Target { base: Base::Block(site), offsets: Offsets::ZERO, size: size as i64 }];
        if may_fail {
            targets.push(Target::new(Base::Null, Offsets::ZERO));
        }
        PointsTo::of(targets).map_or(Known::Nothing, Known::Pointer)
    }

    /// Functions whose results have bounds.
    fn computed(&self, state: &Cells, call: &CallSite, function: &LibraryFunction) -> Known {
        let first = call.arguments.first().map(|&argument| (argument, self.evaluate(state, argument)));
        let Some((argument, Known::Int(value))) = first else { return Known::Nothing };
        let same_type = call.result.is_some_and(|place| self.ty(place) == self.ty(argument));
        match (function.name(), self.shape(self.ty(argument)), same_type) {
            (EXPECT, _, true) => Known::Int(value),
            (name, Some(shape), true) if ABSOLUTE.contains(&name) && value.lo > shape.min() => {
                let mirrored = value.negated();
                let hi = value.hi.max(mirrored.hi);
                Known::Int(Interval { lo: value.lo.max(mirrored.lo).max(0), hi })
            }
            _ => Known::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tandem_plugin_api::library::Models;

    #[test]
    fn the_table_claims_what_has_bounds() {
        let implemented: BTreeSet<&str> = ABSOLUTE.into_iter().chain([EXPECT]).collect();
        let claimed = LibraryFunction::all().filter(|function| function.has(Models::INTERVAL));
        assert_eq!(implemented, claimed.map(LibraryFunction::name).collect());
    }
}
