//! Conversions between machine values. Floats that an integer type does not have end the run.

use super::function::Translator;
use super::machine_type;
use crate::exec::context::Ending;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstBuilder, types};
use tandem_plugin_api::program::*;

impl Translator<'_, '_> {
    /// An integer in another width.
    pub fn resize(&mut self, value: ir::Value, to: types::Type, signed: bool) -> ir::Value {
        let from = self.builder.func.dfg.value_type(value);
        match (from.bits().cmp(&to.bits()), signed) {
            (std::cmp::Ordering::Equal, _) => value,
            (std::cmp::Ordering::Greater, _) => self.builder.ins().ireduce(to, value),
            (std::cmp::Ordering::Less, true) => self.builder.ins().sextend(to, value),
            (std::cmp::Ordering::Less, false) => self.builder.ins().uextend(to, value),
        }
    }

    /// Whether a scalar is not zero, as 8 bits.
    pub fn truth(&mut self, value: ir::Value, ty: TypeId) -> ir::Value {
        match self.program.types.get(ty) {
            Type::Float(FloatKind::Float | FloatKind::Double) => {
                let zero = self.zero(machine_type(self.program, ty));
                self.builder.ins().fcmp(FloatCC::NotEqual, value, zero)
            }
            Type::Float(kind) => {
                let zero = self.zero(types::I128);
                self.wide_comparison(BinaryOp::Ne, value, zero, *kind)
            }
            _ => {
                let machine = machine_type(self.program, ty);
                let zero = self.zero(machine);
                self.builder.ins().icmp(IntCC::NotEqual, value, zero)
            }
        }
    }

    pub fn cast(&mut self, inner: ExprId, to: TypeId) -> ir::Value {
        let from = self.program.exprs.ty(inner);
        let types = &self.program.types;
        if *types.get(to) == Type::Int(IntKind::Bool) {
            return self.condition(inner);
        }
        if *types.get(to) == Type::Void {
            self.value(inner);
            return self.zero(types::I32);
        }
        let machine = machine_type(self.program, to);
        let value = self.value(inner);
        match (types.get(from).clone(), types.get(to).clone()) {
            (Type::Float(a), Type::Float(b)) => self.float_to_float(value, a, b),
            (Type::Float(kind), _) => self.float_to_int(value, kind, to),
            (_, Type::Float(kind)) => self.int_to_float(value, self.is_signed(from), kind),
            _ => self.resize(value, machine, self.is_signed(from)),
        }
    }

    fn float_to_float(&mut self, value: ir::Value, from: FloatKind, to: FloatKind) -> ir::Value {
        use FloatKind::*;
        match (from, to) {
            (a, b) if a == b => value,
            (Float, Double) => self.builder.ins().fpromote(types::F64, value),
            (Double, Float) => self.builder.ins().fdemote(types::F32, value),
            (LongDouble | Float128, _) | (_, LongDouble | Float128) => self.wide_float_to_float(value, from, to),
            _ => value,
        }
    }

    fn int_to_float(&mut self, value: ir::Value, signed: bool, to: FloatKind) -> ir::Value {
        if self.builder.func.dfg.value_type(value) == types::I128 {
            return self.wide_from_int128(value, signed, to);
        }
        let wide = self.resize(value, types::I64, signed);
        let narrow = self.builder.func.dfg.value_type(value).bits() < 64;
        match to {
            FloatKind::Float | FloatKind::Double => {
                let ty = if to == FloatKind::Float { types::F32 } else { types::F64 };
                if signed || narrow {
                    self.builder.ins().fcvt_from_sint(ty, wide)
                } else {
                    self.builder.ins().fcvt_from_uint(ty, wide)
                }
            }
            kind => self.wide_from_int(wide, signed || narrow, kind),
        }
    }

    fn float_to_int(&mut self, value: ir::Value, from: FloatKind, to: TypeId) -> ir::Value {
        let machine = machine_type(self.program, to);
        let signed = self.is_signed(to);
        if machine == types::I128 || matches!(from, FloatKind::LongDouble | FloatKind::Float128) {
            return self.wide_to_int(value, from, machine, signed);
        }
        let value = match from {
            FloatKind::Float => self.builder.ins().fpromote(types::F64, value),
            _ => value,
        };
        self.end_unless_it_fits(value, machine.bits(), signed);
        if machine == types::I64 && !signed {
            return self.builder.ins().fcvt_to_uint_sat(types::I64, value);
        }
        let whole = self.builder.ins().fcvt_to_sint_sat(types::I64, value);
        self.resize(whole, machine, true)
    }

    /// Ends the run if the integer type does not have the number: C leaves the result open, compilers differ, and no
    /// verdict may rest on it.
    fn end_unless_it_fits(&mut self, value: ir::Value, bits: u32, signed: bool) {
        let (low, high) = if signed { (-power(bits - 1), power(bits - 1)) } else { (0.0, power(bits)) };
        // Fractions are cut off towards zero; near the ends of 64 bits, doubles have no fractions.
        let (bound, order) = match low - 1.0 {
            below if below < low => (below, FloatCC::GreaterThan),
            _ => (low, FloatCC::GreaterThanOrEqual),
        };
        let bound = self.builder.ins().f64const(bound);
        let high = self.builder.ins().f64const(high);
        let above = self.builder.ins().fcmp(order, value, bound);
        let below = self.builder.ins().fcmp(FloatCC::LessThan, value, high);
        let fits = self.builder.ins().band(above, below);
        let outside = self.is_zero(fits);
        self.end_if(outside, Ending::Unsupported);
    }
}

/// Two to some power.
fn power(exponent: u32) -> f64 {
    f64::from(exponent).exp2()
}
