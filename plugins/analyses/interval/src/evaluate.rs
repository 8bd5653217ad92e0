//! The value of an expression in an abstract state.

use crate::interval::{self, Interval, Shape};
use crate::layout::Kind;
use crate::machine::Machine;
use crate::pointers::{Base, PointsTo, Target};
use crate::value::{Cells, Known};
use tandem_plugin_api::program::{BinaryOp, ExprId, ExprKind, IntKind, Storage, Type, TypeId, UnaryOp, VarId};

impl Machine {
    pub fn evaluate(&self, state: &Cells, expr: ExprId) -> Known {
        self.nested(self.anything(self.ty(expr)), || self.evaluate_here(state, expr))
    }

    fn evaluate_here(&self, state: &Cells, expr: ExprId) -> Known {
        let ty = self.ty(expr);
        match self.program.exprs.kind(expr) {
            ExprKind::Int(value) => match self.kind(ty) {
                Some(Kind::Int(_)) => Known::Int(Interval::point(value)),
                Some(Kind::Pointer) if value == 0 => Known::Pointer(PointsTo::null()),
                _ => Known::Nothing,
            },
            ExprKind::Zeroed => match self.kind(ty) {
                Some(Kind::Int(_)) => Known::Int(Interval::point(0)),
                Some(Kind::Pointer) => Known::Pointer(PointsTo::null()),
                None => Known::Nothing,
            },
            ExprKind::Float(_) => Known::Nothing,
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                self.read(state, expr)
            }
            ExprKind::AddressOf(place) => self.address(state, place),
            ExprKind::FunctionAddress(function) => Known::Pointer(PointsTo::function(function)),
            ExprKind::Unary { op, operand } => self.unary(state, op, operand, ty),
            ExprKind::Binary { op, lhs, rhs } => self.binary(state, op, lhs, rhs, ty),
            ExprKind::Cast(operand) => self.cast(state, operand, ty),
            ExprKind::And { lhs, rhs } => match (self.truth(state, lhs), self.truth(state, rhs)) {
                (Some(false), _) | (_, Some(false)) => truth_value(Some(false)),
                (Some(true), Some(true)) => truth_value(Some(true)),
                _ => truth_value(None),
            },
            ExprKind::Or { lhs, rhs } => match (self.truth(state, lhs), self.truth(state, rhs)) {
                (Some(true), _) | (_, Some(true)) => truth_value(Some(true)),
                (Some(false), Some(false)) => truth_value(Some(false)),
                _ => truth_value(None),
            },
            ExprKind::Conditional { condition, then, otherwise } => match self.truth(state, condition) {
                Some(true) => self.evaluate(state, then),
                Some(false) => self.evaluate(state, otherwise),
                None => self.evaluate(state, then).join(self.evaluate(state, otherwise)),
            },
        }
    }

    /// Whether an expression is not zero; `None` if it may be either.
    pub fn truth(&self, state: &Cells, expr: ExprId) -> Option<bool> {
        self.evaluate(state, expr).truth()
    }

    /// The interval of an integer expression.
    pub fn interval(&self, state: &Cells, expr: ExprId) -> Option<Interval> {
        match self.evaluate(state, expr) {
            Known::Int(interval) => Some(interval),
            _ => None,
        }
    }

    pub fn shape(&self, ty: TypeId) -> Option<Shape> {
        match self.kind(ty) {
            Some(Kind::Int(shape)) => Some(shape),
            _ => None,
        }
    }

    fn unary(&self, state: &Cells, op: UnaryOp, operand: ExprId, ty: TypeId) -> Known {
        if op == UnaryOp::LogicalNot {
            return truth_value(self.truth(state, operand).map(|truth| !truth));
        }
        let (Some(shape), Some(value)) = (self.shape(ty), self.interval(state, operand)) else {
            return self.anything(ty);
        };
        Known::Int(match op {
            UnaryOp::Negate => value.negated().cast(shape),
            _ => value.complement(shape).cast(shape),
        })
    }

    fn binary(&self, state: &Cells, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Known {
        if op == BinaryOp::PointerAdd {
            return self.pointer_plus(state, lhs, rhs);
        }
        let (a, b) = (self.evaluate(state, lhs), self.evaluate(state, rhs));
        match (&a, &b, self.shape(self.ty(lhs))) {
            (Known::Int(a), Known::Int(b), Some(shape)) => Known::Int(interval::binary(op, *a, *b, shape)),
            (Known::Pointer(a), Known::Pointer(b), _) if op.is_comparison() => {
                truth_value(self.compare_pointers(op, a, b))
            }
            _ if op.is_comparison() => truth_value(None),
            _ => self.anything(ty),
        }
    }

    fn pointer_plus(&self, state: &Cells, pointer: ExprId, index: ExprId) -> Known {
        let element = self.program.types.pointee(self.ty(pointer));
        let size = element.and_then(|ty| self.program.types.size_of(ty)).and_then(|size| i64::try_from(size).ok());
        let (Known::Pointer(pointer), Some(size)) = (self.evaluate(state, pointer), size) else {
            return Known::Nothing;
        };
        let moved = self.scaled(state, index, size).and_then(|offsets| pointer.moved(offsets));
        moved.map_or(Known::Nothing, Known::Pointer)
    }

    /// Whether a comparison of pointers holds; `None` if it may be either.
    fn compare_pointers(&self, op: BinaryOp, a: &PointsTo, b: &PointsTo) -> Option<bool> {
        let same = match (a.targets(), b.targets()) {
            ([x], [y]) if x.base == y.base && !matches!(x.base, Base::Block(_)) => {
                let (p, q) = (x.offsets, y.offsets);
                let bounds = |o: crate::pointers::Offsets| Interval { lo: o.lo.into(), hi: o.hi.into() };
                // In the order of addresses, which the variable's storage follows.
                return if self.is_one_object(x.base) { interval::compare(op, bounds(p), bounds(q)) } else { None };
            }
            (ours, theirs) => {
                let apart = ours.iter().all(|x| theirs.iter().all(|y| self.never_equal(x, y)));
                if apart { Some(false) } else { None }
            }
        };
        match op {
            BinaryOp::Eq => same,
            BinaryOp::Ne => same.map(|same| !same),
            _ => None,
        }
    }

    /// Whether a base stands for one object at a time, in one place.
    fn is_one_object(&self, base: Base) -> bool {
        match base {
            Base::Variable(variable) => {
                let variable = self.program.variable(variable);
                !(variable.is_local() && variable.function.is_some_and(|f| self.recursive[f.index()]))
            }
            Base::Null | Base::Function(_) => true,
            Base::Block(_) => false,
        }
    }

    fn is_literal(&self, variable: VarId) -> bool {
        self.program.variable(variable).storage == Storage::StringLiteral
    }

    /// Whether two addresses differ, wherever the objects are. The end of one may be the start of another.
    pub fn never_equal(&self, a: &Target, b: &Target) -> bool {
        use Base::*;
        let inside = |target: &Target| match target.base {
            Variable(variable) => {
                let size = self.layout.size(variable).unwrap_or(0) / 8;
                target.offsets.lo >= 0 && target.offsets.hi < size
            }
            Block(_) => target.offsets.lo >= 0 && target.offsets.hi < target.size,
            Null | Function(_) => true,
        };
        match (a.base, b.base) {
            (Null, Null) => false,
            (Function(f), Function(g)) => f != g,
            // Literals may share their memory, in whole or in part.
            (Variable(x), Variable(y)) if x != y && self.is_literal(x) && self.is_literal(y) => false,
            (Block(_), _) | (_, Block(_)) if !(inside(a) && inside(b)) => false,
            // Freed memory may be used again by any call.
            (Block(_), Block(_)) => false,
            (x, y) if x == y => {
                let apart = a.offsets.hi < b.offsets.lo || b.offsets.hi < a.offsets.lo;
                apart && self.is_one_object(x)
            }
            _ => inside(a) && inside(b),
        }
    }

    fn cast(&self, state: &Cells, operand: ExprId, ty: TypeId) -> Known {
        let value = self.evaluate(state, operand);
        let types = &self.program.types;
        match (types.get(ty), value) {
            (Type::Int(IntKind::Bool), value) => truth_value(value.truth()),
            (Type::Int(_), Known::Int(interval)) => {
                self.shape(ty).map_or(Known::Nothing, |shape| Known::Int(interval.cast(shape)))
            }
            (Type::Pointer(_), Known::Int(interval)) if interval == Interval::point(0) => {
                Known::Pointer(PointsTo::null())
            }
            (Type::Pointer(_), Known::Pointer(pointer)) => Known::Pointer(pointer),
            _ => self.anything(ty),
        }
    }
}

fn truth_value(truth: Option<bool>) -> Known {
    Known::Int(match truth {
        Some(truth) => Interval::point(truth.into()),
        None => Interval { lo: 0, hi: 1 },
    })
}
