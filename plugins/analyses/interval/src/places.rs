//! Places: which cells an expression such as `a[i].f` or `*p` stands for, and reading and writing them.

use crate::interval::Interval;
use crate::layout::{Cell, Kind, bits_of};
use crate::machine::Machine;
use crate::pointers::{Base, FARTHEST, Offsets, PointsTo, Target};
use crate::value::{Cells, Known, Value};
use tandem_plugin_api::program::{ExprId, ExprKind, Type, VarId};

/// Bytes at address zero that no program owns: an access there ends it.
const NEAR_NULL: i64 = 4096;
/// Sets of offsets with more elements are not looked at one by one.
const MOST_OFFSETS: i64 = 256;

/// Where a place may be.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// With offsets in bits.
    pub list: Vec<Target>,
    /// It may be somewhere else, too.
    pub elsewhere: bool,
}

/// The size and kind of a read or write.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub width: i64,
    /// `None` for types that are not tracked, such as floats and whole structs.
    pub kind: Option<Kind>,
    pub is_bit_field: bool,
}

impl Places {
    pub fn elsewhere() -> Self {
        Places { list: Vec::new(), elsewhere: true }
    }

    /// All of a variable.
    pub fn variable(variable: VarId) -> Self {
        Places { list: vec![Target::new(Base::Variable(variable), Offsets::ZERO)], elsewhere: false }
    }

    /// The target of a pointer.
    pub fn pointee(pointer: &Known) -> Self {
        let Known::Pointer(pointer) = pointer else { return Places::elsewhere() };
        let in_bits = |target: &Target| Target { offsets: target.offsets.in_bits(), ..*target };
        Places { list: pointer.targets().iter().map(in_bits).collect(), elsewhere: false }
    }

    fn moved(mut self, by: Offsets) -> Self {
        let mut elsewhere = self.elsewhere;
        self.list.retain_mut(|target| match target.offsets.plus(by) {
            Some(offsets) => {
                target.offsets = offsets;
                true
            }
            None => {
                elsewhere = true;
                false
            }
        });
        self.elsewhere = elsewhere;
        self
    }
}

impl Machine {
    /// How a place is accessed; `None` if its type has no size.
    pub fn access(&self, place: ExprId) -> Option<Access> {
        let ty = self.ty(place);
        if let ExprKind::Field { base, field } = self.program.exprs.kind(place)
            && let Type::Composite(id) = self.program.types.get(self.ty(base))
            && let Some(bits) = self.program.types.composite(*id).fields[field as usize].bits
        {
            let kind = match self.kind(ty) {
                Some(Kind::Int(shape)) => {
                    Some(Kind::Int(crate::interval::Shape { bits: bits.width.min(shape.bits), ..shape }))
                }
                _ => None,
            };
            return Some(Access { width: bits.width.into(), kind, is_bit_field: true });
        }
        let width = bits_of(&self.program.types, ty)?;
        Some(Access { width, kind: self.kind(ty), is_bit_field: false })
    }

    /// Where a place may be.
    pub fn places(&self, state: &Cells, place: ExprId) -> Places {
        self.nested(Places::elsewhere(), || self.places_here(state, place))
    }

    fn places_here(&self, state: &Cells, place: ExprId) -> Places {
        match self.program.exprs.kind(place) {
            ExprKind::Var(variable) => Places::variable(variable),
            ExprKind::Deref(pointer) => Places::pointee(&self.evaluate(state, pointer)),
            ExprKind::Field { base, field } => {
                let Type::Composite(id) = self.program.types.get(self.ty(base)) else { return Places::elsewhere() };
                let field = &self.program.types.composite(*id).fields[field as usize];
                let start = field.offset as i64 * 8 + field.bits.map_or(0, |bits| bits.start.into());
                self.places(state, base).moved(Offsets::point(start))
            }
            ExprKind::Index { base, index } => {
                let size = bits_of(&self.program.types, self.ty(place));
                let offsets = size.and_then(|size| self.scaled(state, index, size));
                match offsets {
                    Some(offsets) => self.places(state, base).moved(offsets),
                    None => Places::elsewhere(),
                }
            }
            _ => Places::elsewhere(),
        }
    }

    /// `index * size` as offsets.
    pub fn scaled(&self, state: &Cells, index: ExprId, size: i64) -> Option<Offsets> {
        let Known::Int(Interval { lo, hi }) = self.evaluate(state, index) else { return None };
        let farthest = i128::from(FARTHEST) * 8;
        let (lo, hi) = (lo.checked_mul(size.into())?, hi.checked_mul(size.into())?);
        if lo < -farthest || hi > farthest {
            return None;
        }
        Some(Offsets { lo: lo as i64, hi: hi as i64, stride: if lo == hi { 0 } else { size } })
    }

    /// The address of a place.
    pub fn address(&self, state: &Cells, place: ExprId) -> Known {
        let places = self.places(state, place);
        if places.elsewhere {
            return Known::Nothing;
        }
        let mut targets = Vec::with_capacity(places.list.len());
        for target in places.list {
            let is_object = matches!(target.base, Base::Variable(_) | Base::Block(_));
            if !is_object && target.offsets != Offsets::ZERO {
                return Known::Nothing;
            }
            targets.push(Target { offsets: target.offsets.in_bytes(), ..target });
        }
        PointsTo::of(targets).map_or(Known::Nothing, Known::Pointer)
    }

    /// The value of a place.
    pub fn read(&self, state: &Cells, place: ExprId) -> Known {
        let nothing = self.anything(self.ty(place));
        let Some(access) = self.access(place) else { return nothing };
        let Some(kind) = access.kind else { return nothing };
        let places = self.places(state, place);
        if places.elsewhere {
            return nothing;
        }
        let mut result: Option<Known> = None;
        for target in &places.list {
            let known = match target.base {
                // Reading there ends the program.
                Base::Null if (0..NEAR_NULL * 8).contains(&target.offsets.lo) && target.offsets.hi < NEAR_NULL * 8 => {
                    continue;
                }
                Base::Variable(variable) => self.read_variable(state, variable, target.offsets, access.width, kind),
                _ => None,
            };
            let Some(known) = known else { return nothing };
            result = Some(result.map_or(known.clone(), |so_far| so_far.join(known)));
        }
        match (result, &nothing) {
            (Some(Known::Nothing) | None, _) => nothing,
            (Some(known), _) => known,
        }
    }

    fn read_variable(&self, state: &Cells, variable: VarId, at: Offsets, width: i64, kind: Kind) -> Option<Known> {
        let of_cell = |number: u32| -> Option<Known> {
            let cell = self.layout.cell(number);
            match (state.get(number), cell.kind, kind) {
                (Some(Value::Int(interval)), Kind::Int(own), Kind::Int(wanted)) if own.bits == wanted.bits => {
                    Some(Known::Int(interval.cast(wanted)))
                }
                // A bit-field is narrower than its type.
                (None, Kind::Int(own), Kind::Int(wanted)) if own.bits == wanted.bits => {
                    Some(Known::Int(wanted.range()))
                }
                (Some(Value::Pointer(pointer)), Kind::Pointer, Kind::Pointer) => Some(Known::Pointer(pointer.clone())),
                _ => None,
            }
        };
        let range = self.layout.of_variable(variable);
        let summary = range.clone().find(|&number| {
            let cell = self.layout.cell(number);
            cell.is_summary() && cell.width == width && stands_for(cell, at)
        });
        if let Some(number) = summary {
            return of_cell(number);
        }
        let steps = if at.stride == 0 { 0 } else { (at.hi - at.lo) / at.stride };
        if steps > MOST_OFFSETS {
            return None;
        }
        let mut result: Option<Known> = None;
        for step in 0..=steps {
            let offset = at.lo + step * at.stride;
            let number = range.clone().find(|&number| {
                let cell = self.layout.cell(number);
                !cell.is_summary() && cell.start == offset && cell.width == width
            })?;
            let known = of_cell(number)?;
            result = Some(result.map_or(known.clone(), |so_far| so_far.join(known)));
        }
        result
    }

    /// The one cell that a place is, if it cannot be any other.
    pub fn exact_cell(&self, state: &Cells, place: ExprId) -> Option<u32> {
        let access = self.access(place)?;
        let places = self.places(state, place);
        if places.elsewhere {
            return None;
        }
        let mut objects = places.list.iter().filter(|target| target.base != Base::Null);
        let (Some(target), None) = (objects.next(), objects.next()) else { return None };
        let (Base::Variable(variable), true) = (target.base, target.offsets.is_point()) else { return None };
        self.layout.of_variable(variable).find(|&number| {
            let cell = self.layout.cell(number);
            let same = cell.start == target.offsets.lo && cell.width == access.width && Some(cell.kind) == access.kind;
            same && !cell.is_summary()
        })
    }

    /// Writes a value to all cells that the places may be. Notes a hazard where the write may go wrong.
    pub fn write(&self, state: &mut Cells, places: &Places, access: Access, value: &Known) {
        let strong = self.is_definite(places);
        self.write_each(state, places, access.width, &mut |state, variable, at| {
            self.write_variable(state, variable, at, access, value, strong);
        });
    }

    /// Lets `change` write `width` bits to each variable that they may be written to, as far as that is inside of it.
    pub fn write_each(
        &self,
        state: &mut Cells,
        places: &Places,
        width: i64,
        change: &mut dyn FnMut(&mut Cells, VarId, Offsets),
    ) {
        if places.elsewhere {
            self.write_anywhere(state);
        }
        for target in &places.list {
            let Target { base, offsets, size } = *target;
            match base {
                Base::Null if offsets.lo >= 0 && offsets.hi < NEAR_NULL * 8 => {}
                Base::Null => self.write_anywhere(state),
                // Code cannot be written: the program ends.
                Base::Function(_) => {}
                Base::Block(_) => {
                    if offsets.lo < 0 || offsets.hi + width > size * 8 {
                        self.hazard.set(true);
                    }
                }
                Base::Variable(variable) => {
                    let inside = self.layout.size(variable);
                    if inside.is_none_or(|bits| offsets.lo < 0 || offsets.hi + width > bits) {
                        self.hazard.set(true);
                        state.remove_range(self.layout.of_variable(variable));
                    } else {
                        change(state, variable, offsets);
                    }
                }
            }
        }
    }

    /// Whether there is just one object that is written. A null among the targets ends the program.
    pub fn is_definite(&self, places: &Places) -> bool {
        !places.elsewhere && places.list.iter().filter(|target| target.base != Base::Null).count() == 1
    }

    /// A write to an unknown place.
    pub fn write_anywhere(&self, state: &mut Cells) {
        self.hazard.set(true);
        state.remove_range(self.layout.addressed.clone());
    }

    fn write_variable(
        &self,
        state: &mut Cells,
        variable: VarId,
        at: Offsets,
        access: Access,
        value: &Known,
        strong: bool,
    ) {
        for number in self.layout.of_variable(variable) {
            let cell = *self.layout.cell(number);
            if !overlaps(&cell, at, access.width) {
                continue;
            }
            let new = self.cell_value(&cell, access, value);
            let new = match (matches(&cell, at, access.width), new) {
                (Match::One, Some(new)) if strong && at.is_point() => self.layout.normal(number, new),
                (Match::One | Match::Element, Some(new)) => {
                    state.get(number).and_then(|old| self.layout.join_values(number, old, &new))
                }
                _ => None,
            };
            state.set(number, new);
        }
    }

    /// A value in the form of a cell; `None` if the cell cannot hold it.
    fn cell_value(&self, cell: &Cell, access: Access, value: &Known) -> Option<Value> {
        match (cell.kind, access.kind, value) {
            (Kind::Int(own), Some(Kind::Int(written)), Known::Int(interval)) if own.bits == written.bits => {
                Some(Value::Int(interval.cast(written).cast(own)))
            }
            (Kind::Pointer, Some(Kind::Pointer), Known::Pointer(pointer)) => Some(Value::Pointer(pointer.clone())),
            _ => None,
        }
    }

    /// Forgets the values in some bytes of a variable.
    pub fn forget(&self, state: &mut Cells, variable: VarId, at: Offsets, width: i64) {
        for number in self.layout.of_variable(variable) {
            if overlaps(self.layout.cell(number), at, width) {
                state.set(number, None);
            }
        }
    }
}

/// How a cell relates to an access.
enum Match {
    /// The access is either all of the cell or does not touch it.
    One,
    /// The access is an element of those that the cell stands for.
    Element,
    Partly,
}

fn matches(cell: &Cell, at: Offsets, width: i64) -> Match {
    if cell.width != width {
        return Match::Partly;
    }
    if cell.is_summary() {
        return if stands_for(cell, at) || on_its_grid(cell, at) { Match::Element } else { Match::Partly };
    }
    // With a stride at least as wide as the access, at most two offsets touch the cell if it is not on the grid.
    let on_grid = at.first_from(cell.start) == Some(cell.start);
    if on_grid && (at.stride == 0 || at.stride >= width) { Match::One } else { Match::Partly }
}

/// Whether all offsets are elements of those that the cell stands for.
fn stands_for(cell: &Cell, at: Offsets) -> bool {
    on_its_grid(cell, at) && at.lo >= cell.start && at.hi + cell.width <= cell.end()
}

fn on_its_grid(cell: &Cell, at: Offsets) -> bool {
    (at.lo - cell.start) % cell.stride == 0 && at.stride % cell.stride == 0
}

/// Whether an access of `width` bits at one of the offsets touches the cell.
fn overlaps(cell: &Cell, at: Offsets, width: i64) -> bool {
    if cell.is_summary() && at.stride % cell.stride == 0 {
        // The same place in each element: beside the cell, or not.
        let inside = (at.lo - cell.start).rem_euclid(cell.stride);
        if inside >= cell.width && inside + width <= cell.stride {
            return false;
        }
    }
    at.first_from(cell.start - width + 1).is_some_and(|first| first < cell.end())
}
