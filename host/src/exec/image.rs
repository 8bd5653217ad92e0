//! Where variables live: globals at fixed addresses with their initial bytes, locals in registers or in their
//! function's frame.

use super::ExecError;
use super::memory::{CHUNK, FUNCTION_SIZE, FUNCTIONS, GLOBALS};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::*;

/// The memory layout of a program.
pub struct Layout {
    /// By variable: the address of a global.
    pub addresses: Vec<Option<u32>>,
    /// Initial contents from [`GLOBALS`] on.
    pub image: Vec<u8>,
    /// Where the string literals begin, behind all other globals; they cannot be written.
    pub literals: u32,
    /// By function.
    pub frames: Vec<Frame>,
    /// All variables are in memory, where a trace finds them.
    pub traced: bool,
}

/// The alignment of the stack pointer.
pub const STACK_ALIGN: u64 = 16;

/// The part of a function's variables that must be in memory.
#[derive(Default)]
pub struct Frame {
    pub offsets: FxHashMap<VarId, u32>,
    pub size: u32,
    /// The alignment of the variable with the strictest one.
    pub align: u64,
}

/// Whether a variable can live in a machine register: nothing can point to it.
pub fn in_register(program: &Program, variable: &Variable) -> bool {
    variable.is_local() && !variable.address_taken && program.types.is_scalar(variable.ty)
}

/// Compilers align more than they must, and large objects more than small ones.
fn alignment(program: &Program, variable: &Variable) -> u64 {
    let is_large = program.types.size_of(variable.ty).is_some_and(|size| size >= STACK_ALIGN);
    variable.alignment(&program.types).max(if is_large { STACK_ALIGN } else { 8 })
}

/// A stream that the C library opens before the program begins.
fn is_stream(program: &Program, variable: &Variable) -> bool {
    variable.storage == Storage::Extern
        && matches!(variable.name.as_str(), "stdin" | "stdout" | "stderr")
        && program.types.is_pointer(variable.ty)
}

pub fn function_address(id: FunctionId) -> u32 {
    FUNCTIONS + id.0 * FUNCTION_SIZE
}

impl Layout {
    pub fn new(program: &Program, traced: bool) -> Result<Self, ExecError> {
        let addresses = vec![None; program.variables.len()];
        let mut layout = Layout { addresses, image: Vec::new(), literals: 0, frames: Vec::new(), traced };
        let is_literal = |variable: &Variable| variable.storage == Storage::StringLiteral;
        let end = layout.place_globals(program, u64::from(GLOBALS), |v| !v.is_local() && !is_literal(v));
        let literals = end.next_multiple_of(CHUNK as u64);
        layout.literals = u32::try_from(literals).unwrap_or(u32::MAX);
        let next = match program.variables.iter().any(is_literal) {
            true => layout.place_globals(program, literals, is_literal),
            false => end,
        };
        let length = usize::try_from(next - u64::from(GLOBALS)).unwrap_or(usize::MAX);
        if next > u64::from(super::memory::HEAP) {
            return Err(ExecError::new("the global variables need more memory than the sandbox has"));
        }
        layout.image = vec![0; length];
        layout.open_streams(program);
        for variable in &program.variables {
            for initial in &variable.initializer {
                layout.initialize(program, *initial)?;
            }
        }
        layout.frames = program.functions.iter().map(|f| frame(program, f, traced)).collect::<Result<_, _>>()?;
        Ok(layout)
    }

    /// Gives the chosen variables addresses from `next` on; returns the end of the last.
    fn place_globals(&mut self, program: &Program, mut next: u64, chosen: impl Fn(&Variable) -> bool) -> u64 {
        for (id, variable) in program.variables.iter().enumerate().filter(|(_, variable)| chosen(variable)) {
            let align = alignment(program, variable);
            next = next.next_multiple_of(align);
            self.addresses[id] = u32::try_from(next).ok();
            next += program.types.size_of(variable.ty).unwrap_or(0).max(1);
        }
        next
    }

    /// `stdout` and its kin are pointers that differ from each other and from null; what they point to is never read.
    fn open_streams(&mut self, program: &Program) {
        for (id, _) in program.variables.iter().enumerate().filter(|(_, variable)| is_stream(program, variable)) {
            let Some(address) = self.addresses[id] else { continue };
            let at = (address - GLOBALS) as usize;
            if let Some(target) = self.image.get_mut(at..at + 4) {
                target.copy_from_slice(&address.to_le_bytes());
            }
        }
    }

    /// Whether a variable lives in a machine register.
    pub fn in_register(&self, program: &Program, variable: &Variable) -> bool {
        !self.traced && in_register(program, variable)
    }

    /// The address of a global.
    pub fn address(&self, id: VarId) -> Option<u32> {
        self.addresses[id.index()]
    }

    fn initialize(&mut self, program: &Program, initial: Initial) -> Result<(), ExecError> {
        let failed = || ExecError::new("an initialiser of a global variable that is not constant");
        let address = self.place(program, initial.place).ok_or_else(failed)?;
        let value = self.value(program, initial.value).ok_or_else(failed)?;
        let at = usize::try_from(address - i128::from(GLOBALS)).map_err(|_| failed())?;
        let ty = program.exprs.ty(initial.place);
        if let Some(bits) = bit_field(program, initial.place) {
            for bit in 0..bits.width {
                let position = bits.start + bit;
                let byte = self.image.get_mut(at + position as usize / 8).ok_or_else(failed)?;
                let mask = 1u8 << (position % 8);
                if value >> bit & 1 != 0 { *byte |= mask } else { *byte &= !mask }
            }
            return Ok(());
        }
        let size = program.types.size_of(ty).ok_or_else(failed)? as usize;
        // The padding of an extended float stays zero.
        let target = self.image.get_mut(at..at + size).ok_or_else(failed)?;
        let bytes = value.to_le_bytes();
        let length = size.min(16);
        target[..length].copy_from_slice(&bytes[..length]);
        Ok(())
    }

    /// The address of a constant place.
    fn place(&self, program: &Program, place: ExprId) -> Option<i128> {
        match program.exprs.kind(place) {
            ExprKind::Var(id) => self.address(id).map(i128::from),
            ExprKind::Deref(pointer) => Some(self.value(program, pointer)? as i128),
            ExprKind::Field { base, field } => {
                let Type::Composite(id) = program.types.get(program.exprs.ty(base)) else { return None };
                let offset = program.types.composite(*id).fields.get(field as usize)?.offset;
                Some(self.place(program, base)? + i128::from(offset))
            }
            ExprKind::Index { base, index } => {
                let size = program.types.size_of(program.exprs.ty(place))?;
                Some(self.place(program, base)? + program.exprs.as_int(index)? * i128::from(size))
            }
            _ => None,
        }
    }

    /// The bits of a link-time constant.
    fn value(&self, program: &Program, expr: ExprId) -> Option<u128> {
        let ty = program.exprs.ty(expr);
        let types = &program.types;
        match program.exprs.kind(expr) {
            ExprKind::Int(value) => Some(value as u128),
            ExprKind::Float(bits) => Some(bits),
            ExprKind::Zeroed => Some(0),
            ExprKind::FunctionAddress(id) => Some(function_address(id).into()),
            ExprKind::AddressOf(place) => Some(types.wrap(ty, self.place(program, place)?) as u128),
            ExprKind::Cast(inner) => {
                let from = program.exprs.ty(inner);
                let value = constant(types, from, self.value(program, inner)?);
                Some(bits(types.convert_constant(value, from, ty)?))
            }
            ExprKind::Unary { op, operand } => {
                let from = program.exprs.ty(operand);
                let value = constant(types, from, self.value(program, operand)?);
                Some(bits(types.unary_constant(op, value, from)?))
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let from = program.exprs.ty(lhs);
                let (a, b) = (self.value(program, lhs)?, self.value(program, rhs)?);
                match op {
                    BinaryOp::PointerAdd => {
                        let size = types.size_of(types.pointee(from)?)?;
                        Some(types.wrap(ty, (a as i128).wrapping_add((b as i128) * i128::from(size))) as u128)
                    }
                    BinaryOp::PointerDiff => {
                        let size = types.size_of(types.pointee(from)?).filter(|&s| s > 0)?;
                        Some(types.wrap(ty, (a as i128 - b as i128) / i128::from(size)) as u128)
                    }
                    _ => {
                        let (a, b) = (constant(types, from, a), constant(types, program.exprs.ty(rhs), b));
                        Some(bits(types.binary_constant(op, from, a, b)?))
                    }
                }
            }
            _ => None,
        }
    }
}

fn constant(types: &Types, ty: TypeId, bits: u128) -> Constant {
    if types.is_float(ty) { Constant::Float(bits) } else { Constant::Int(bits as i128) }
}

fn bits(constant: Constant) -> u128 {
    match constant {
        Constant::Int(value) => value as u128,
        Constant::Float(bits) => bits,
    }
}

/// The bit-field that a place is, if it is one.
pub fn bit_field(program: &Program, place: ExprId) -> Option<BitField> {
    let ExprKind::Field { base, field } = program.exprs.kind(place) else { return None };
    let Type::Composite(id) = program.types.get(program.exprs.ty(base)) else { return None };
    program.types.composite(*id).fields.get(field as usize)?.bits
}

fn frame(program: &Program, function: &Function, traced: bool) -> Result<Frame, ExecError> {
    let mut frame = Frame::default();
    let mut next = 0u64;
    for &id in function.parameters.iter().chain(&function.locals).chain(&function.result) {
        let variable = program.variable(id);
        if !traced && in_register(program, variable) {
            continue;
        }
        let align = alignment(program, variable);
        frame.align = frame.align.max(align);
        next = next.next_multiple_of(align);
        frame.offsets.insert(id, next as u32);
        next += program.types.size_of(variable.ty).unwrap_or(0).max(1);
        if next > 1 << 30 {
            return Err(ExecError::new(format!("the local variables of `{}` need more than 1 GiB", function.name)));
        }
    }
    frame.size = next.next_multiple_of(STACK_ALIGN) as u32;
    Ok(frame)
}
