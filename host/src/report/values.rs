//! Bytes of a run's memory as text that a C programmer reads: `-3`, `65 'A'`, `{.x = 1, .next = NULL}`, `&a[2]`.

use crate::artifact::html::shortened;
use crate::exec::trace::Watch;
use crate::exec::{Executable, function_address};
use tandem_plugin_api::program::{
    BitField, CompositeId, Field, FunctionId, IntKind, Program, Storage, Type, TypeId, VarId, float,
};

/// Longer texts are cut.
const LONGEST: usize = 160;
/// Elements of an array, fields of a struct.
const MOST_PARTS: usize = 16;
/// The heap of executed programs.
const HEAP: std::ops::Range<u64> = 0x2000_0000..0xA000_0000;

/// The functions that are called at a moment, with their frames.
pub type Stack = [(FunctionId, u32)];

/// Knows where the objects of an executed program are.
pub struct Values<'p> {
    program: &'p Program,
    watch: &'p Watch,
    /// Globals by their addresses.
    globals: Vec<(u32, VarId)>,
}

impl<'p> Values<'p> {
    pub fn new(program: &'p Program, executable: &Executable, watch: &'p Watch) -> Self {
        let all = (0..program.variables.len()).map(VarId::new);
        let mut globals: Vec<_> = all.filter_map(|id| Some((executable.address(id)?, id))).collect();
        globals.sort_unstable();
        Values { program, watch, globals }
    }

    /// The value of a variable; `behind` is what a pointer points to.
    pub fn text(&self, ty: TypeId, bytes: &[u8], behind: Option<&[u8]>, stack: &Stack) -> String {
        let own = self.value(ty, bytes, stack);
        let pointee = self.program.types.pointee(ty).zip(behind);
        let shown = match pointee {
            Some((target, behind)) if own.starts_with("heap") => {
                format!("{own} → {}", self.value(target, behind, stack))
            }
            _ => own,
        };
        shortened(&shown, LONGEST)
    }

    fn value(&self, ty: TypeId, bytes: &[u8], stack: &Stack) -> String {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Int(kind) => self.integer(*kind, bytes),
            Type::Float(kind) => float::to_decimal(unsigned(bytes), *kind),
            Type::Pointer(target) => self.pointer(*target, unsigned(bytes) as u64, stack),
            Type::Array { element, length } => self.array(*element, *length, bytes, stack),
            Type::Composite(id) => self.composite(*id, bytes, stack),
            _ => "?".to_string(),
        }
    }

    fn integer(&self, kind: IntKind, bytes: &[u8]) -> String {
        let bits = kind.bits(self.program.types.model);
        let value = if kind.is_signed() { signed(unsigned(bytes), bits) } else { unsigned(bytes) as i128 };
        let is_character = matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar);
        match u8::try_from(value) {
            Ok(byte @ 0x20..=0x7e) if is_character => format!("{value} '{}'", char::from(byte)),
            _ => value.to_string(),
        }
    }

    fn array(&self, element: TypeId, length: u64, bytes: &[u8], stack: &Stack) -> String {
        let size = self.program.types.size_of(element).unwrap_or(0).max(1) as usize;
        if let (Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar), Some(text)) =
            (self.program.types.get(element), string(bytes))
        {
            return text;
        }
        let mut parts: Vec<String> =
            bytes.chunks_exact(size).take(MOST_PARTS).map(|part| self.value(element, part, stack)).collect();
        if (parts.len() as u64) < length {
            parts.push("…".into());
        }
        format!("[{}]", parts.join(", "))
    }

    fn composite(&self, id: CompositeId, bytes: &[u8], stack: &Stack) -> String {
        let composite = self.program.types.composite(id);
        let mut parts = Vec::new();
        for field in composite.fields.iter().take(MOST_PARTS) {
            match self.field(field, bytes, stack) {
                Some(value) if field.name.is_empty() => parts.push(value),
                Some(value) => parts.push(format!(".{} = {value}", field.name)),
                None => {
                    parts.push("…".into());
                    break;
                }
            }
        }
        if composite.fields.len() > MOST_PARTS {
            parts.push("…".into());
        }
        format!("{{{}}}", parts.join(", "))
    }

    fn field(&self, field: &Field, bytes: &[u8], stack: &Stack) -> Option<String> {
        let at = field.offset as usize;
        if let Some(BitField { start, width }) = field.bits {
            let from = at + start as usize / 8;
            let storage = bytes.get(from..(from + 16).min(bytes.len()))?;
            let value = unsigned(storage) >> (start % 8) & (u128::MAX >> (128 - width.clamp(1, 128)));
            let is_signed = matches!(self.program.types.get(field.ty), Type::Int(kind) if kind.is_signed());
            return Some(if is_signed { signed(value, width).to_string() } else { value.to_string() });
        }
        let size = self.program.types.size_of(field.ty)? as usize;
        Some(self.value(field.ty, bytes.get(at..at + size)?, stack))
    }

    fn pointer(&self, target: TypeId, address: u64, stack: &Stack) -> String {
        if address == 0 {
            return "NULL".to_string();
        }
        let known = u32::try_from(address).ok().and_then(|address| self.object(address, target, stack));
        known.unwrap_or_else(|| match HEAP.contains(&address) {
            true => format!("heap+{:#x}", address - HEAP.start),
            false => format!("{address:#x}"),
        })
    }

    /// The object at an address, by its name.
    fn object(&self, address: u32, target: TypeId, stack: &Stack) -> Option<String> {
        let functions = (0..self.program.functions.len()).map(FunctionId::new);
        if let Some(function) = functions.into_iter().find(|id| function_address(*id) == address) {
            return Some(format!("&{}", self.program.function(function).name));
        }
        let at = self.globals.partition_point(|(start, _)| *start <= address);
        let global = at.checked_sub(1).and_then(|at| self.globals.get(at));
        let global = global.map(|&(start, variable)| (variable, address - start));
        // Frames of callees are below those of their callers.
        let local = stack.iter().rev().find_map(|&(function, frame)| self.watch.in_frame(function, address, frame));
        let fits = |(variable, offset): &(VarId, u32)| {
            let size = self.program.types.size_of(self.program.variable(*variable).ty);
            size.is_some_and(|size| u64::from(*offset) <= size)
        };
        let (variable, offset) = global.filter(fits).or(local.filter(fits))?;
        let known = self.program.variable(variable);
        if known.storage == Storage::StringLiteral {
            return Some(if offset == 0 { "string".into() } else { format!("string + {offset}") });
        }
        Some(format!("&{}{}", known.name, self.path(known.ty, u64::from(offset), target)))
    }

    /// The part of an object at an offset.
    fn path(&self, ty: TypeId, offset: u64, wanted: TypeId) -> String {
        let types = &self.program.types;
        if offset == 0 && (ty == wanted || types.is_scalar(ty)) {
            return String::new();
        }
        match types.get(ty) {
            Type::Array { element, .. } => {
                let size = types.size_of(*element).unwrap_or(1).max(1);
                format!("[{}]{}", offset / size, self.path(*element, offset % size, wanted))
            }
            Type::Composite(id) => {
                let mut fields = types.composite(*id).fields.iter();
                let field = fields.rfind(|field| field.offset <= offset && !field.name.is_empty());
                field.map_or(String::new(), |field| {
                    format!(".{}{}", field.name, self.path(field.ty, offset - field.offset, wanted))
                })
            }
            _ if offset == 0 => String::new(),
            _ => format!(" + {offset}"),
        }
    }
}

fn unsigned(bytes: &[u8]) -> u128 {
    let mut word = [0; 16];
    let length = bytes.len().min(16);
    word[..length].copy_from_slice(&bytes[..length]);
    u128::from_le_bytes(word)
}

fn signed(value: u128, bits: u32) -> i128 {
    let unused = 128 - bits.clamp(1, 128);
    ((value << unused) as i128) >> unused
}

/// The text of a character array that holds one.
fn string(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let text = bytes.get(..end).filter(|text| !text.is_empty())?;
    text.iter().all(|byte| matches!(byte, 0x20..=0x7e | b'\n' | b'\t')).then(|| {
        let text: String = text.iter().map(|byte| char::from(*byte)).collect();
        format!("{text:?}")
    })
}
