//! Where the lifetime of a local begins, its value is indeterminate. Compiled code leaves the old bytes there, as gcc's
//! does; on demand it writes junk there, which shows runs that depend on the value.

use super::function::{Translator, trusted};
use super::machine_type;
use crate::exec::context::offset;
use cranelift_codegen::ir::{self, InstBuilder, types};
use tandem_plugin_api::program::*;

impl Translator<'_, '_> {
    pub fn declare(&mut self, id: VarId) {
        if !self.shared.options.junk {
            return;
        }
        let ty = self.program.variable(id).ty;
        let junk = self.builder.ins().load(types::I32, trusted(), self.context, offset::JUNK);
        match self.register(id) {
            Some(register) => {
                let value = self.junk(junk, ty);
                self.builder.def_var(register, value);
            }
            None => {
                let size = self.program.types.size_of(ty).unwrap_or(0);
                let place = self.variable_address(id);
                self.fill(place, size, junk);
            }
        }
    }

    /// A value of the type made of 32 bits of junk.
    fn junk(&mut self, junk: ir::Value, ty: TypeId) -> ir::Value {
        let machine = machine_type(self.program, ty);
        let double = |t: &mut Self| {
            let low = t.builder.ins().uextend(types::I64, junk);
            let high = t.builder.ins().ishl_imm_u(low, 32);
            t.builder.ins().bor(low, high)
        };
        match (self.program.types.get(ty), machine) {
            (Type::Int(IntKind::Bool), _) => {
                let byte = self.builder.ins().ireduce(machine, junk);
                self.builder.ins().band_imm_u(byte, 1)
            }
            (_, types::I32) => junk,
            (_, types::F32) => self.builder.ins().bitcast(types::F32, ir::MemFlagsData::new(), junk),
            (_, types::I64) => double(self),
            (_, types::F64) => {
                let word = double(self);
                self.builder.ins().bitcast(types::F64, ir::MemFlagsData::new(), word)
            }
            (_, types::I128) => {
                let word = double(self);
                self.builder.ins().uextend(types::I128, word)
            }
            _ => self.builder.ins().ireduce(machine, junk),
        }
    }
}
