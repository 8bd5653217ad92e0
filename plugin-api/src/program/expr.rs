//! Typed expressions without side effects, hash-consed in one arena: equal expressions have equal ids, so that
//! analyses can cache by id. All of C's implicit conversions are explicit casts here.

use super::ids::{ExprId, FunctionId, TypeId, VarId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnaryOp {
    Negate,
    BitNot,
    /// `!e`: 1 if e is zero, else 0; of type `int`.
    LogicalNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Pointer plus integer, scaled by the size of what is pointed to.
    PointerAdd,
    /// Difference of two pointers, in elements.
    PointerDiff,
}

impl BinaryOp {
    /// Comparisons yield an `int` 0 or 1, and both operands have the same type.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    pub fn c_symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add | PointerAdd => "+",
            Sub | PointerDiff => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            BitAnd => "&",
            BitOr => "|",
            BitXor => "^",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
        }
    }
}

/// An expression's shape. `Var`, `Deref`, `Field` and `Index` denote places; used as a value, they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ExprKind {
    /// An integer or pointer constant, within the range of its type.
    Int(i128),
    /// A floating-point constant, as the bits of its type's own format.
    Float(u128),
    Var(VarId),
    Deref(ExprId),
    /// A member of a place (or of a value) of struct or union type.
    Field {
        base: ExprId,
        field: u32,
    },
    /// An element of a place of array type.
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// The address of a place. An array decays as the address of its element 0.
    AddressOf(ExprId),
    FunctionAddress(FunctionId),
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// Conversion to the type of this node.
    Cast(ExprId),
    /// All bytes zero, of any type; only as the whole value of an assignment.
    Zeroed,
    /// `a && b` in predicates and invariants; the front end lowers the program's own to branches.
    And {
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `a || b`, likewise.
    Or {
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `c ? a : b`, likewise.
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
}

impl ExprKind {
    /// The same with other numbers for the operands; `None` if `number` has no number for one of them.
    pub fn map(self, number: &mut dyn FnMut(ExprId) -> Option<ExprId>) -> Option<ExprKind> {
        use ExprKind::*;
        Some(match self {
            plain @ (Int(_) | Float(_) | Var(_) | FunctionAddress(_) | Zeroed) => plain,
            Deref(e) => Deref(number(e)?),
            AddressOf(e) => AddressOf(number(e)?),
            Cast(e) => Cast(number(e)?),
            Field { base, field } => Field { base: number(base)?, field },
            Index { base, index } => Index { base: number(base)?, index: number(index)? },
            Unary { op, operand } => Unary { op, operand: number(operand)? },
            Binary { op, lhs, rhs } => Binary { op, lhs: number(lhs)?, rhs: number(rhs)? },
            And { lhs, rhs } => And { lhs: number(lhs)?, rhs: number(rhs)? },
            Or { lhs, rhs } => Or { lhs: number(lhs)?, rhs: number(rhs)? },
            Conditional { condition, then, otherwise } => {
                Conditional { condition: number(condition)?, then: number(then)?, otherwise: number(otherwise)? }
            }
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
}

/// The arena of expressions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Exprs {
    nodes: Vec<Expr>,
    #[serde(skip)]
    index: FxHashMap<Expr, ExprId>,
}

impl Exprs {
    /// The id of this expression, which is added where it is new.
    pub fn intern(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        if self.index.len() != self.nodes.len() {
            // Fresh from deserialisation: the index is not stored.
            self.index = self.nodes.iter().enumerate().map(|(i, e)| (*e, ExprId::new(i))).collect();
        }
        let expr = Expr { kind, ty };
        if let Some(&id) = self.index.get(&expr) {
            return id;
        }
        let id = ExprId::new(self.nodes.len());
        self.nodes.push(expr);
        self.index.insert(expr, id);
        id
    }

    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id.index()]
    }

    pub fn kind(&self, id: ExprId) -> ExprKind {
        self.nodes[id.index()].kind
    }

    pub fn ty(&self, id: ExprId) -> TypeId {
        self.nodes[id.index()].ty
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value of an integer constant.
    pub fn as_int(&self, id: ExprId) -> Option<i128> {
        match self.kind(id) {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Direct operands, in order of evaluation.
    pub fn operands(&self, id: ExprId) -> impl Iterator<Item = ExprId> + use<> {
        use ExprKind::*;
        let list = match self.kind(id) {
            Int(_) | Float(_) | Var(_) | FunctionAddress(_) | Zeroed => [None; 3],
            Deref(e) | AddressOf(e) | Cast(e) | Field { base: e, .. } => [Some(e), None, None],
            Unary { operand, .. } => [Some(operand), None, None],
            Index { base, index } => [Some(base), Some(index), None],
            Binary { lhs, rhs, .. } | And { lhs, rhs } | Or { lhs, rhs } => [Some(lhs), Some(rhs), None],
            Conditional { condition, then, otherwise } => [Some(condition), Some(then), Some(otherwise)],
        };
        list.into_iter().flatten()
    }

    /// Evaluating it can neither fail nor touch memory that is not there.
    pub fn is_harmless(&self, root: ExprId) -> bool {
        use BinaryOp::*;
        let mut harmless = true;
        self.walk(root, &mut |id| match self.kind(id) {
            ExprKind::Deref(_) | ExprKind::Index { .. } => harmless = false,
            ExprKind::Binary { op: Div | Rem | Shl | Shr | PointerAdd | PointerDiff, .. } => harmless = false,
            _ => {}
        });
        harmless
    }

    /// Visits `root` and all below it, parents first.
    pub fn walk(&self, root: ExprId, visit: &mut dyn FnMut(ExprId)) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            visit(id);
            let at = stack.len();
            stack.extend(self.operands(id));
            stack[at..].reverse();
        }
    }
}
