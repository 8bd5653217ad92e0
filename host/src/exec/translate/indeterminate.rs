//! Where the lifetime of a local begins, its value is indeterminate. Compiled code leaves what is there, as gcc's does; on
//! demand it puts junk there, so that a run that depends on it shows.

use super::function::Translator;
use super::machine_type;
use cranelift_codegen::ir::{self, InstBuilder, types};
use tandem_plugin_api::program::*;

/// As an integer, neither zero nor negative nor small; as a pointer, memory that no program has.
const JUNK: u8 = 0x5A;

impl Translator<'_, '_> {
    pub fn declare(&mut self, id: VarId) {
        if !self.shared.options.junk {
            return;
        }
        let ty = self.program.variable(id).ty;
        match self.register(id) {
            Some(register) => {
                let junk = self.junk(ty);
                self.builder.def_var(register, junk);
            }
            None => {
                let size = self.program.types.size_of(ty).unwrap_or(0);
                let place = self.variable_address(id);
                self.fill(place, size, JUNK);
            }
        }
    }

    fn junk(&mut self, ty: TypeId) -> ir::Value {
        let machine = machine_type(self.program, ty);
        let word = u64::from_le_bytes([JUNK; 8]);
        match (self.program.types.get(ty), machine) {
            (Type::Int(IntKind::Bool), _) => self.builder.ins().iconst(machine, 1),
            (_, types::F32) => self.builder.ins().f32const(f32::from_bits(word as u32)),
            (_, types::F64) => self.builder.ins().f64const(f64::from_bits(word)),
            (_, types::I128) => {
                let half = self.builder.ins().iconst(types::I64, word as i64);
                self.builder.ins().uextend(types::I128, half)
            }
            _ => self.builder.ins().iconst(machine, (word >> (64 - machine.bits())) as i64),
        }
    }
}
