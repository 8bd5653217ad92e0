//! Operations without machine instructions: 80- and 128-bit floats and 128-bit division. The host computes them.

use super::function::Translator;
use crate::exec::runtime::{WideCall, wide_code};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, types};
use tandem_plugin_api::program::*;

impl Translator<'_, '_> {
    /// Calls the host; a 128-bit result is left in the context, a truth value or number is returned.
    fn wide_call(&mut self, call: WideCall, a: ir::Value, b: Option<ir::Value>) -> ir::Value {
        let (a_low, a_high) = self.halves(a);
        let (b_low, b_high) = match b {
            Some(b) => self.halves(b),
            None => {
                let zero = self.builder.ins().iconst(types::I64, 0);
                (zero, zero)
            }
        };
        let code = self.builder.ins().iconst(types::I32, i64::from(wide_code(call)));
        let function = self.import(self.shared.imports.wide_float);
        let call = self.builder.ins().call(function, &[self.context, code, a_low, a_high, b_low, b_high]);
        self.builder.inst_results(call)[0]
    }

    fn halves(&mut self, value: ir::Value) -> (ir::Value, ir::Value) {
        let value = match self.builder.func.dfg.value_type(value) {
            types::F32 => {
                let bits = self.builder.ins().bitcast(types::I32, ir::MemFlagsData::new(), value);
                self.builder.ins().uextend(types::I64, bits)
            }
            types::F64 => self.builder.ins().bitcast(types::I64, ir::MemFlagsData::new(), value),
            types::I128 => return self.builder.ins().isplit(value),
            _ => self.resize(value, types::I64, false),
        };
        let zero = self.builder.ins().iconst(types::I64, 0);
        (value, zero)
    }

    pub fn wide_negate(&mut self, value: ir::Value, kind: FloatKind) -> ir::Value {
        let (low, high) = self.builder.ins().isplit(value);
        let sign = if kind == FloatKind::LongDouble { 1i64 << 15 } else { i64::MIN };
        let sign = self.builder.ins().iconst(types::I64, sign);
        let high = self.builder.ins().bxor(high, sign);
        self.builder.ins().iconcat(low, high)
    }

    pub fn wide_binary(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value, kind: FloatKind) -> ir::Value {
        self.wide_call(WideCall::Binary(op, kind), a, Some(b));
        self.wide_result()
    }

    pub fn wide_comparison(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value, kind: FloatKind) -> ir::Value {
        let truth = self.wide_call(WideCall::Binary(op, kind), a, Some(b));
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().icmp(IntCC::NotEqual, truth, zero)
    }

    pub fn wide_float_to_float(&mut self, value: ir::Value, from: FloatKind, to: FloatKind) -> ir::Value {
        let low = self.wide_call(WideCall::Convert(from, to), value, None);
        match to {
            FloatKind::Float => {
                let bits = self.builder.ins().ireduce(types::I32, low);
                self.builder.ins().bitcast(types::F32, ir::MemFlagsData::new(), bits)
            }
            FloatKind::Double => self.builder.ins().bitcast(types::F64, ir::MemFlagsData::new(), low),
            _ => self.wide_result(),
        }
    }

    /// From 64 bits.
    pub fn wide_from_int(&mut self, value: ir::Value, signed: bool, to: FloatKind) -> ir::Value {
        let wide = self.resize(value, types::I128, signed);
        self.wide_from_int128(wide, true, to)
    }

    pub fn wide_from_int128(&mut self, value: ir::Value, signed: bool, to: FloatKind) -> ir::Value {
        let low = self.wide_call(WideCall::FromInt(to, signed), value, None);
        match to {
            FloatKind::Float => {
                let bits = self.builder.ins().ireduce(types::I32, low);
                self.builder.ins().bitcast(types::F32, ir::MemFlagsData::new(), bits)
            }
            FloatKind::Double => self.builder.ins().bitcast(types::F64, ir::MemFlagsData::new(), low),
            _ => self.wide_result(),
        }
    }

    pub fn wide_to_int(&mut self, value: ir::Value, from: FloatKind, to: types::Type, signed: bool) -> ir::Value {
        // The run ends at this edge if the type does not have the number.
        let edge = self.builder.ins().iconst(types::I64, i64::from(self.edge.0));
        self.save_fuel();
        let low = self.wide_call(WideCall::ToInt(from, to.bits(), signed), value, Some(edge));
        if to == types::I128 { self.wide_result() } else { self.resize(low, to, signed) }
    }

    pub fn wide_division(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value, signed: bool) -> ir::Value {
        let (a_low, a_high) = self.builder.ins().isplit(a);
        let (b_low, b_high) = self.builder.ins().isplit(b);
        let either = self.builder.ins().bor(b_low, b_high);
        let zero = self.is_zero(either);
        self.end_if(zero, crate::exec::context::Ending::DivisionError);
        let code = i64::from(op == BinaryOp::Rem) | i64::from(signed) << 1;
        let code = self.builder.ins().iconst(types::I32, code);
        let function = self.import(self.shared.imports.wide_divide);
        self.builder.ins().call(function, &[self.context, code, a_low, a_high, b_low, b_high]);
        self.wide_result()
    }
}
