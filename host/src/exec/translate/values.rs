//! Expressions as machine values, and assignments.

use super::function::Translator;
use super::{machine_type, pointer_type};
use crate::exec::context::Ending;
use crate::exec::image::function_address;
use cranelift_codegen::ir::{self, InstBuilder, types};
use tandem_plugin_api::program::*;

impl Translator<'_, '_> {
    /// The value of a scalar expression.
    pub fn value(&mut self, expr: ExprId) -> ir::Value {
        let Expr { kind, ty } = self.program.exprs.get(expr);
        match kind {
            ExprKind::Int(value) => self.integer(value, machine_type(self.program, ty)),
            ExprKind::Float(bits) => self.float_constant(bits, ty),
            ExprKind::Var(id) => match self.register(id) {
                Some(register) => self.builder.use_var(register),
                None => {
                    let place = self.variable_address(id);
                    self.load_scalar(place, ty)
                }
            },
            ExprKind::Deref(_) | ExprKind::Index { .. } | ExprKind::Field { .. } => match self.bits_of(expr) {
                Some(bits) => self.load_bits(expr, bits),
                None => {
                    let place = self.address(expr);
                    self.load_scalar(place, ty)
                }
            },
            ExprKind::AddressOf(place) => {
                let address = self.address(place);
                self.pointer(address)
            }
            ExprKind::FunctionAddress(id) => {
                let pointer = pointer_type(self.program.types.model);
                self.builder.ins().iconst(pointer, i64::from(function_address(id)))
            }
            ExprKind::Unary { op, operand } => self.unary(op, operand),
            ExprKind::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs, ty),
            ExprKind::Cast(inner) => self.cast(inner, ty),
            ExprKind::Zeroed => self.zero(machine_type(self.program, ty)),
            // The front end lowers these to branches, so that a program does not have them.
            ExprKind::And { .. } | ExprKind::Or { .. } | ExprKind::Conditional { .. } => {
                self.end_in_passing(Ending::Unsupported);
                self.zero(machine_type(self.program, ty))
            }
        }
    }

    fn integer(&mut self, value: i128, ty: types::Type) -> ir::Value {
        if ty == types::I128 {
            let low = self.builder.ins().iconst(types::I64, value as i64);
            let high = self.builder.ins().iconst(types::I64, (value >> 64) as i64);
            return self.builder.ins().iconcat(low, high);
        }
        let cut = super::address::sign_cut(value as u64, ty);
        self.builder.ins().iconst(ty, cut)
    }

    fn float_constant(&mut self, bits: u128, ty: TypeId) -> ir::Value {
        match machine_type(self.program, ty) {
            types::F32 => self.builder.ins().f32const(f32::from_bits(bits as u32)),
            types::F64 => self.builder.ins().f64const(f64::from_bits(bits as u64)),
            wide => self.integer(bits as i128, wide),
        }
    }

    /// A truth value (zero or not) to branch on.
    pub fn condition(&mut self, expr: ExprId) -> ir::Value {
        let Expr { kind, ty } = self.program.exprs.get(expr);
        match kind {
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => self.comparison(op, lhs, rhs),
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => {
                let truth = self.condition(operand);
                self.is_zero(truth)
            }
            _ => {
                let value = self.value(expr);
                self.truth(value, ty)
            }
        }
    }

    /// An integer or pointer in 64 bits, extended as its type says.
    pub fn long(&mut self, expr: ExprId) -> ir::Value {
        let signed = self.is_signed(self.program.exprs.ty(expr));
        let value = self.value(expr);
        self.resize(value, types::I64, signed)
    }

    /// An index in the width of a pointer.
    pub fn pointer_sized(&mut self, expr: ExprId) -> ir::Value {
        let signed = self.is_signed(self.program.exprs.ty(expr));
        let value = self.value(expr);
        self.resize(value, pointer_type(self.program.types.model), signed)
    }

    pub fn is_signed(&self, ty: TypeId) -> bool {
        self.program.types.word_shape(ty).is_some_and(|(_, signed)| signed)
    }

    pub fn assign(&mut self, target: ExprId, value: ExprId) {
        let ty = self.program.exprs.ty(target);
        if self.program.exprs.kind(value) == ExprKind::Zeroed {
            return self.assign_zero(target);
        }
        if !self.program.types.is_scalar(ty) {
            let (to, from) = (self.address(target), self.address(value));
            let size = self.program.types.size_of(ty).unwrap_or(0);
            return self.copy(to, from, size);
        }
        let value = self.value(value);
        self.store(target, value);
    }

    /// Stores a scalar into a place of its type.
    pub fn store(&mut self, target: ExprId, value: ir::Value) {
        if let ExprKind::Var(id) = self.program.exprs.kind(target)
            && let Some(register) = self.register(id)
        {
            self.builder.def_var(register, value);
            return;
        }
        match self.bits_of(target) {
            Some(bits) => self.store_bits(target, bits, value),
            None => {
                let place = self.address(target);
                self.store_scalar(place, value, self.program.exprs.ty(target));
            }
        }
    }

    pub fn assign_zero(&mut self, target: ExprId) {
        let ty = self.program.exprs.ty(target);
        if self.program.types.is_scalar(ty) {
            let zero = self.zero(machine_type(self.program, ty));
            self.store(target, zero);
        } else {
            let place = self.address(target);
            self.clear(place, self.program.types.size_of(ty).unwrap_or(0));
        }
    }

    /// Assigns to a whole variable.
    pub fn assign_variable(&mut self, id: VarId, value: ExprId) {
        let ty = self.program.variable(id).ty;
        if !self.program.types.is_scalar(ty) {
            let (to, from) = (self.variable_address(id), self.address(value));
            return self.copy(to, from, self.program.types.size_of(ty).unwrap_or(0));
        }
        let value = self.value(value);
        match self.register(id) {
            Some(register) => self.builder.def_var(register, value),
            None => {
                let place = self.variable_address(id);
                self.store_scalar(place, value, ty);
            }
        }
    }
}
