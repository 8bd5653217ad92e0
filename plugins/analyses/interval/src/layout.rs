//! Where the tracked values of a program live: every variable is cut into cells, one for each scalar in it. Large
//! arrays get one cell for all their elements. Cells are numbered; those of one frame lie beside each other.

use crate::interval::Shape;
use std::ops::Range;
use tandem_plugin_api::program::{FunctionId, IntKind, Program, Type, TypeId, Types, VarId};

/// Arrays with more scalars than these are summarised.
const MOST_ELEMENTS: u64 = 64;
/// Variables with more cells than these are cut off: the rest is not tracked.
const MOST_CELLS: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int(Shape),
    Pointer,
}

/// A place that holds one scalar, or the same scalar of each element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub variable: VarId,
    /// In bits, from the start of the variable.
    pub start: i64,
    /// In bits, of the storage.
    pub width: i64,
    pub kind: Kind,
    /// How many elements it stands for, this far from each other.
    pub count: i64,
    pub stride: i64,
    pub is_bit_field: bool,
    /// Written together with others, so that the old value may stay: widening gives it more time, since descending
    /// rounds never recover what widening gave up there.
    pub keeps: bool,
}

impl Cell {
    pub fn is_summary(&self) -> bool {
        self.count > 1
    }

    /// The bit behind the last one that it stands for.
    pub fn end(&self) -> i64 {
        self.start + self.stride * (self.count - 1) + self.width
    }
}

/// The cells of a frame.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Those that no pointer can reach: a callee cannot change them.
    pub private: Range<u32>,
    /// Those that pointers can reach.
    pub addressed: Range<u32>,
    /// Whether pointers into the frame may outlive it.
    pub has_addressed: bool,
}

#[derive(Debug)]
pub struct Layout {
    pub cells: Vec<Cell>,
    by_variable: Vec<Range<u32>>,
    /// In bits; `None` for incomplete types.
    sizes: Vec<Option<i64>>,
    pub frames: Vec<Frame>,
    /// Of all variables that pointers can reach.
    pub addressed: Range<u32>,
}

impl Layout {
    /// `recursive` says for each function whether it may be under way more than once.
    pub fn new(program: &Program, recursive: &[bool]) -> Self {
        let mut layout = Layout {
            cells: Vec::new(),
            by_variable: vec![0..0; program.variables.len()],
            sizes: program.variables.iter().map(|v| bits_of(&program.types, v.ty)).collect(),
            frames: vec![Frame::default(); program.functions.len()],
            addressed: 0..0,
        };
        let frames: Vec<Vec<VarId>> =
            (0..program.functions.len()).map(|index| ids_of_frame(program, FunctionId::new(index))).collect();
        let globals: Vec<VarId> =
            (0..program.variables.len()).map(VarId::new).filter(|&id| !program.variable(id).is_local()).collect();
        layout.add_all(program, &globals, false, recursive);
        let first = layout.add_all(program, &globals, true, recursive).start;
        for (index, ids) in frames.iter().enumerate() {
            let addressed = layout.add_all(program, ids, true, recursive);
            let has_addressed = ids.iter().any(|&id| program.variable(id).address_taken);
            layout.frames[index] = Frame { private: 0..0, addressed, has_addressed };
        }
        layout.addressed = first..layout.cells.len() as u32;
        for (index, ids) in frames.iter().enumerate() {
            layout.frames[index].private = layout.add_all(program, ids, false, recursive);
        }
        layout
    }

    /// Cells for those of the variables that pointers can reach, or for the others.
    fn add_all(&mut self, program: &Program, ids: &[VarId], addressed: bool, recursive: &[bool]) -> Range<u32> {
        let first = self.cells.len() as u32;
        for &id in ids {
            self.add(program, id, addressed, recursive);
        }
        first..self.cells.len() as u32
    }

    fn add(&mut self, program: &Program, id: VarId, addressed: bool, recursive: &[bool]) {
        let variable = program.variable(id);
        if variable.address_taken != addressed {
            return;
        }
        // A pointer may point to an outer call's variable, which has no cell of its own.
        let ambiguous = variable.is_local() && variable.function.is_some_and(|f| recursive[f.index()]);
        if addressed && ambiguous {
            return;
        }
        let first = self.cells.len();
        let mut cutter = Cutter { types: &program.types, variable: id, addressed, cells: Vec::new() };
        cutter.cut(variable.ty, 0);
        cutter.cells.truncate(MOST_CELLS);
        self.cells.append(&mut cutter.cells);
        self.by_variable[id.index()] = first as u32..self.cells.len() as u32;
    }

    pub fn of_variable(&self, variable: VarId) -> Range<u32> {
        self.by_variable[variable.index()].clone()
    }

    pub fn cell(&self, number: u32) -> &Cell {
        &self.cells[number as usize]
    }

    /// The bits of a variable.
    pub fn size(&self, variable: VarId) -> Option<i64> {
        self.sizes[variable.index()]
    }

    /// An empty map over all cells.
    pub fn tree<V: Clone + PartialEq>(&self) -> crate::tree::Tree<V> {
        crate::tree::Tree::new(self.cells.len() as u32)
    }
}

fn ids_of_frame(program: &Program, function: FunctionId) -> Vec<VarId> {
    let function = program.function(function);
    let lists = [&function.parameters[..], &function.locals[..], function.result.as_slice()];
    let mut ids: Vec<VarId> = lists.concat();
    ids.retain(|&id| program.variable(id).is_local());
    ids.sort_unstable();
    ids.dedup();
    ids
}

pub fn bits_of(types: &Types, ty: TypeId) -> Option<i64> {
    types
        .size_of(ty)
        .and_then(|bytes| i64::try_from(bytes).ok())
        .filter(|bytes| *bytes <= crate::pointers::FARTHEST)
        .map(|bytes| bytes * 8)
}

/// The kind of a scalar type that is tracked.
pub fn kind_of(types: &Types, ty: TypeId) -> Option<Kind> {
    match types.get(ty) {
        Type::Int(IntKind::Int128 | IntKind::UInt128) => None,
        // Its memory may hold any byte: by way of a union, a pointer to characters or a copy.
        Type::Int(IntKind::Bool) => Some(Kind::Int(Shape { bits: 8, signed: false })),
        Type::Int(kind) => Some(Kind::Int(Shape { bits: kind.bits(types.model), signed: kind.is_signed() })),
        Type::Pointer(_) => Some(Kind::Pointer),
        _ => None,
    }
}

/// Cuts a variable into cells.
struct Cutter<'a> {
    types: &'a Types,
    variable: VarId,
    addressed: bool,
    cells: Vec<Cell>,
}

impl Cutter<'_> {
    fn cut(&mut self, ty: TypeId, start: i64) {
        if self.cells.len() > MOST_CELLS {
            return;
        }
        match self.types.get(ty) {
            Type::Array { element, length } => self.array(*element, *length, start),
            Type::Composite(id) => {
                for field in &self.types.composite(*id).fields {
                    let start = start + field.offset as i64 * 8;
                    match field.bits {
                        // It has no name for expressions, and the effect of copies on it is not known.
                        Some(_) if field.name.is_empty() => {}
                        Some(bits) => {
                            let Some(Kind::Int(shape)) = kind_of(self.types, field.ty) else { continue };
                            let shape = Shape { bits: bits.width.min(shape.bits), ..shape };
                            self.push(start + i64::from(bits.start), bits.width.into(), Kind::Int(shape), true);
                        }
                        None => self.cut(field.ty, start),
                    }
                }
            }
            _ => {
                if let (Some(kind), Some(width)) = (kind_of(self.types, ty), bits_of(self.types, ty)) {
                    self.push(start, width, kind, false);
                }
            }
        }
    }

    fn push(&mut self, start: i64, width: i64, kind: Kind, is_bit_field: bool) {
        let keeps = self.addressed;
        self.cells.push(Cell { variable: self.variable, start, width, kind, count: 1, stride: 0, is_bit_field, keeps });
    }

    fn array(&mut self, mut element: TypeId, mut length: u64, start: i64) {
        // The elements of all dimensions lie in one row.
        while let Type::Array { element: inner, length: more } = self.types.get(element) {
            let Some(all) = length.checked_mul(*more) else { return };
            (element, length) = (*inner, all);
        }
        let Some(size) = bits_of(self.types, element) else { return };
        if bits_of(self.types, element).and_then(|bits| bits.checked_mul(i64::try_from(length).ok()?)).is_none() {
            return;
        }
        let before = self.cells.len();
        self.cut(element, start);
        let mut one: Vec<Cell> = self.cells.drain(before..).collect();
        let scalars = (one.len() as u64).saturating_mul(length);
        if scalars <= MOST_ELEMENTS {
            for index in 0..length as i64 {
                self.cells.extend(one.iter().map(|cell| Cell {
                    start: cell.start + index * size,
                    keeps: true,
                    ..*cell
                }));
            }
            return;
        }
        for cell in &mut one {
            let Some(count) = cell.count.checked_mul(length as i64) else { return };
            // Elements of an inner array go on without a gap only if it fills the outer array's elements.
            let dense = !cell.is_summary() || cell.stride * cell.count == size;
            if dense {
                let stride = if cell.is_summary() { cell.stride } else { size };
                self.cells.push(Cell { count, stride, keeps: true, ..*cell });
            }
        }
    }
}
