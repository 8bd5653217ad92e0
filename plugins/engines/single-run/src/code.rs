//! Expressions and places of the program, prepared once: types are looked up, constants are computed, variables get
//! their homes.

use crate::memory::Bits;
use crate::value::{Shape, Value, is_bool};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, ExprKind, FloatKind, Type, TypeId, UnaryOp};

/// Deeper expressions are refused, since functions that walk them are recursive.
const MOST_DEPTH: u32 = 1_000;

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A slot of the frame holds the value; no pointer can point to it.
    Register(u32),
    /// A slot of the frame holds the address of the object.
    Frame(u32),
    /// The object with this number among the globals.
    Global(u32),
}

/// How to compute a scalar.
pub enum Node {
    Constant(Value),
    Register(u32),
    Load(Place, Shape),
    LoadBits(Place, Bits),
    AddressOf(Place),
    Not(Box<Node>),
    Negate(Box<Node>, TypeId),
    BitNot(Box<Node>, TypeId),
    /// Both sides are integers of this shape; of a shift, the left one is.
    Int {
        op: BinaryOp,
        sides: Box<(Node, Node)>,
        bits: u32,
        signed: bool,
        ty: TypeId,
    },
    Float {
        op: BinaryOp,
        sides: Box<(Node, Node)>,
        kind: FloatKind,
    },
    /// A comparison of pointers.
    Compare {
        op: BinaryOp,
        sides: Box<(Node, Node)>,
    },
    PointerAdd {
        sides: Box<(Node, Node)>,
        size: i128,
    },
    PointerDiff {
        sides: Box<(Node, Node)>,
        size: i128,
    },
    /// To an integer from one.
    Resize {
        operand: Box<Node>,
        bits: u32,
        signed: bool,
    },
    Cast {
        operand: Box<Node>,
        from: TypeId,
        to: TypeId,
    },
    Refused(&'static str),
}

/// How to find a place.
pub enum Place {
    Frame(u32),
    Global(u32),
    Deref(Box<Node>),
    Field(Box<Place>, i128),
    /// Elements of this many bytes; `count` of them, if that is known; and whether the place behind the last one is
    /// allowed.
    Index {
        base: Box<Place>,
        index: Box<Node>,
        size: i128,
        count: Option<i128>,
        behind: bool,
    },
    Refused(&'static str),
}

/// The destination of a write.
pub enum Target {
    Register(u32),
    Scalar(Place, Shape),
    Bits(Place, Bits),
    /// An aggregate of this many bytes.
    Bytes(Place, usize),
    Refused(&'static str),
}

/// Prepares expressions of one program.
pub struct Preparer<'p> {
    pub program: &'p Program,
    pub homes: &'p [Home],
}

impl Preparer<'_> {
    pub fn node(&self, expr: ExprId) -> Node {
        self.at(expr, 0)
    }

    pub fn target(&self, place: ExprId) -> Target {
        let (exprs, types) = (&self.program.exprs, &self.program.types);
        let ty = exprs.ty(place);
        if let ExprKind::Var(variable) = exprs.kind(place)
            && let Home::Register(slot) = self.homes[variable.index()]
        {
            return Target::Register(slot);
        }
        match (self.bits(place), Shape::of(types, ty), types.size_of(ty)) {
            (Some(Err(why)), ..) => Target::Refused(why),
            (Some(Ok(bits)), ..) => Target::Bits(self.place(place), bits),
            (None, Some(shape), _) => Target::Scalar(self.place(place), shape),
            (None, None, Some(size)) => Target::Bytes(self.place(place), size as usize),
            _ => Target::Refused("it uses a type without a size"),
        }
    }

    pub fn place(&self, expr: ExprId) -> Place {
        self.place_at(expr, 0, false)
    }

    /// The bit-field that a place is, if it is one.
    fn bits(&self, place: ExprId) -> Option<std::result::Result<Bits, &'static str>> {
        let types = &self.program.types;
        let ExprKind::Field { base, field } = self.program.exprs.kind(place) else { return None };
        let Type::Composite(id) = types.get(self.program.exprs.ty(base)) else { return None };
        let field = types.composite(*id).fields.get(field as usize)?;
        let bits = field.bits?;
        let signed = types.word_shape(field.ty).is_some_and(|(_, signed)| signed);
        if bits.width == 0 || bits.start + bits.width > 128 {
            return Some(Err("it uses a very wide bit-field"));
        }
        Some(Ok(Bits { start: bits.start, width: bits.width, signed }))
    }

    fn boxed(&self, expr: ExprId, depth: u32) -> Box<Node> {
        Box::new(self.at(expr, depth))
    }

    fn at(&self, expr: ExprId, depth: u32) -> Node {
        let (exprs, types) = (&self.program.exprs, &self.program.types);
        if depth > MOST_DEPTH {
            return Node::Refused("it has a very deep expression");
        }
        let depth = depth + 1;
        let ty = exprs.ty(expr);
        match exprs.kind(expr) {
            ExprKind::Int(value) => Node::Constant(Value::Int(value)),
            ExprKind::Float(bits) => Node::Constant(Value::Float(bits)),
            ExprKind::FunctionAddress(function) => Node::Constant(Value::Code(function)),
            ExprKind::Zeroed => match types.get(ty) {
                Type::Float(_) => Node::Constant(Value::Float(0)),
                _ => Node::Constant(Value::Int(0)),
            },
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                self.read(expr, depth)
            }
            ExprKind::AddressOf(place) => match exprs.kind(place) {
                ExprKind::Deref(pointer) => self.at(pointer, depth),
                _ => Node::AddressOf(self.place_at(place, depth, true)),
            },
            ExprKind::Unary { op, operand } => {
                let (inner, ty) = (self.boxed(operand, depth), exprs.ty(operand));
                match op {
                    UnaryOp::LogicalNot if types.is_float(ty) => Node::Refused("it takes a float for a condition"),
                    UnaryOp::LogicalNot => Node::Not(inner),
                    UnaryOp::Negate => Node::Negate(inner, ty),
                    UnaryOp::BitNot => Node::BitNot(inner, ty),
                }
            }
            ExprKind::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs, depth),
            ExprKind::Cast(inner) => self.cast(inner, ty, depth),
            ExprKind::And { .. } | ExprKind::Or { .. } | ExprKind::Conditional { .. } => {
                Node::Refused("it has an operator that branches")
            }
        }
    }

    fn read(&self, expr: ExprId, depth: u32) -> Node {
        let (exprs, types) = (&self.program.exprs, &self.program.types);
        if let ExprKind::Var(variable) = exprs.kind(expr)
            && let Home::Register(slot) = self.homes[variable.index()]
        {
            return Node::Register(slot);
        }
        let place = self.place_at(expr, depth, false);
        match (self.bits(expr), Shape::of(types, exprs.ty(expr))) {
            (Some(Err(why)), _) => Node::Refused(why),
            (Some(Ok(bits)), _) => Node::LoadBits(place, bits),
            (None, Some(shape)) => Node::Load(place, shape),
            (None, None) => Node::Refused("it takes an aggregate for a number"),
        }
    }

    fn binary(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId, depth: u32) -> Node {
        let (exprs, types) = (&self.program.exprs, &self.program.types);
        let sides = Box::new((self.at(lhs, depth), self.at(rhs, depth)));
        let ty = exprs.ty(lhs);
        let step = || types.pointee(ty).and_then(|target| types.size_of(target)).map(i128::from);
        match (op, types.get(ty)) {
            (BinaryOp::PointerAdd, _) => match step() {
                Some(size) => Node::PointerAdd { sides, size },
                None => Node::Refused("it moves a pointer to a type without a size"),
            },
            (BinaryOp::PointerDiff, _) => match step().filter(|&size| size > 0) {
                Some(size) => Node::PointerDiff { sides, size },
                None => Node::Refused("it subtracts pointers to a type without a size"),
            },
            (_, Type::Float(kind)) => Node::Float { op, sides, kind: *kind },
            (_, Type::Pointer(_)) if op.is_comparison() => Node::Compare { op, sides },
            (_, Type::Int(kind)) => Node::Int { op, sides, bits: kind.bits(types.model), signed: kind.is_signed(), ty },
            _ => Node::Refused("it computes with pointers as with numbers"),
        }
    }

    fn cast(&self, inner: ExprId, to: TypeId, depth: u32) -> Node {
        let types = &self.program.types;
        let (operand, from) = (self.boxed(inner, depth), self.program.exprs.ty(inner));
        let plain = types.is_integer(from) && types.is_integer(to) && !is_bool(types, to);
        match types.word_shape(to).filter(|_| plain) {
            Some((bits, signed)) => Node::Resize { operand, bits, signed },
            None => Node::Cast { operand, from, to },
        }
    }

    /// `behind`: only the address is used, which may be the one behind the last element.
    fn place_at(&self, expr: ExprId, depth: u32, behind: bool) -> Place {
        let (exprs, types) = (&self.program.exprs, &self.program.types);
        if depth > MOST_DEPTH {
            return Place::Refused("it has a very deep expression");
        }
        let depth = depth + 1;
        match exprs.kind(expr) {
            ExprKind::Var(variable) => match self.homes[variable.index()] {
                Home::Frame(slot) => Place::Frame(slot),
                Home::Global(number) => Place::Global(number),
                Home::Register(_) => Place::Refused("it takes the address of a register"),
            },
            ExprKind::Deref(pointer) => Place::Deref(self.boxed(pointer, depth)),
            ExprKind::Field { base, field } => {
                let Type::Composite(id) = types.get(exprs.ty(base)) else {
                    return Place::Refused("it selects a member of no struct");
                };
                match types.composite(*id).fields.get(field as usize) {
                    Some(field) => Place::Field(Box::new(self.place_at(base, depth, false)), field.offset.into()),
                    None => Place::Refused("it selects a member that is not there"),
                }
            }
            ExprKind::Index { base, index } => {
                let Some(size) = types.size_of(exprs.ty(expr)) else {
                    return Place::Refused("it uses an element without a size");
                };
                let count = match *types.get(exprs.ty(base)) {
                    // Members at the end of a struct with as many elements as were allocated.
                    Type::Array { length: 0, .. } => None,
                    Type::Array { length, .. } => Some(length.into()),
                    _ => None,
                };
                let base = Box::new(self.place_at(base, depth, false));
                Place::Index { base, index: self.boxed(index, depth), size: size.into(), count, behind }
            }
            _ => Place::Refused("it uses a value as a place"),
        }
    }
}
