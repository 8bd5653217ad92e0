//! Conversions between machine values, out-of-range floats included: those get what x86's instructions give.

use super::function::Translator;
use super::machine_type;
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
        if machine == types::I64 && !signed {
            return self.double_to_unsigned_long(value);
        }
        // Narrow types go through 32 bits, unsigned 32 through 64, as gcc's code does.
        let through = if machine == types::I64 || (machine == types::I32 && !signed) { types::I64 } else { types::I32 };
        let whole = self.truncate(value, through);
        self.resize(whole, machine, true)
    }

    /// cvttsd2si: out of range gives the lowest number.
    fn truncate(&mut self, value: ir::Value, to: types::Type) -> ir::Value {
        let converted = self.builder.ins().fcvt_to_sint_sat(to, value);
        let (low, high) =
            if to == types::I32 { (-2147483649.0, 2147483648.0) } else { (-9.3e18, 9223372036854775808.0) };
        let low = self.builder.ins().f64const(low);
        let high = self.builder.ins().f64const(high);
        let above = self.builder.ins().fcmp(FloatCC::GreaterThan, value, low);
        let below = self.builder.ins().fcmp(FloatCC::LessThan, value, high);
        let fits = self.builder.ins().band(above, below);
        let lowest = self.builder.ins().iconst(to, i64::MIN >> (64 - to.bits()));
        self.builder.ins().select(fits, converted, lowest)
    }

    /// gcc's sequence: the upper half of the range is brought down first.
    fn double_to_unsigned_long(&mut self, value: ir::Value) -> ir::Value {
        let half = self.builder.ins().f64const(9223372036854775808.0);
        let large = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, value, half);
        let down = self.builder.ins().fsub(value, half);
        let (direct, shifted) = (self.truncate(value, types::I64), self.truncate(down, types::I64));
        let top = self.builder.ins().iconst(types::I64, i64::MIN);
        let shifted = self.builder.ins().bxor(shifted, top);
        self.builder.ins().select(large, shifted, direct)
    }
}
