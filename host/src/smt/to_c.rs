//! From terms back to C: a term over values that variables have in a state becomes an expression over these variables.
//! Terms that have no short form in C (arrays, addresses, values that no variable has) are refused.

use super::encode::Encoder;
use super::state::State;
use super::term::{FloatOp, FloatOrder, FloatTest, FloatUnary, Node, Order, Sort, Term, WordOp};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use tandem_plugin_api::program::*;

/// Larger expressions are refused, since invariants of that size are useless.
const MAX_SIZE: u32 = 300;
const MAX_DEPTH: u32 = 100;

/// Writes terms as expressions over the variables that a function sees, with their values in one state.
pub struct ToC<'e> {
    encoder: &'e mut Encoder,
    /// Expressions that have the value of a term.
    named: FxHashMap<Term, ExprId>,
    /// The expressions that were written, with the sizes of their texts.
    written: FxHashMap<Term, Option<(ExprId, u32)>>,
    depth: u32,
}

impl<'e> ToC<'e> {
    /// `function` is the one whose variables may be used, beside global ones.
    pub fn new(encoder: &'e mut Encoder, state: &mut State, function: FunctionId) -> Self {
        let mut this = ToC { encoder, named: FxHashMap::default(), written: FxHashMap::default(), depth: 0 };
        this.name_variables(state, function);
        this
    }

    /// An expression that is non-zero just where the term is true.
    pub fn condition(&mut self, term: Term) -> Option<ExprId> {
        (self.encoder.terms.sort(term) == Sort::Bool).then(|| self.write(term)).flatten().map(|(expr, _)| expr)
    }

    fn name_variables(&mut self, state: &mut State, function: FunctionId) {
        let program = self.encoder.program.clone();
        let visible = |variable: &Variable| !variable.is_local() || variable.function == Some(function);
        // Those of the source first: temporaries are the last choice.
        let order = |variable: &Variable| matches!(variable.storage, Storage::Temporary | Storage::Result);
        let mut list: Vec<VarId> = (0..program.variables.len())
            .map(VarId::new)
            .filter(|id| visible(program.variable(*id)) && program.types.is_scalar(program.variable(*id).ty))
            .filter(|id| state.values.contains_key(id) || state.places.contains_key(id))
            .collect();
        list.sort_by_key(|id| order(program.variable(*id)));
        let mut values = Vec::new();
        for id in list {
            let ty = program.variable(id).ty;
            let expr = self.intern(ExprKind::Var(id), ty);
            let value = self.encoder.settled_value(state, expr);
            if !matches!(self.encoder.terms.node(value), Node::Bits(..) | Node::Bool(_) | Node::Float(..)) {
                self.named.entry(value).or_insert(expr);
                values.push((value, expr));
            }
        }
        for (value, expr) in values {
            self.name_operand(value, expr);
        }
    }

    /// Names an operand of a variable's value, where its value can be computed from the variable.
    fn name_operand(&mut self, value: Term, expr: ExprId) {
        let width = self.encoder.terms.width(value);
        let (operand, written) = match self.encoder.terms.node(value) {
            Node::Word(WordOp::Add, a, b) if self.encoder.terms.as_bits(b).is_some() => {
                let Some(distance) = self.encoder.terms.as_signed(b) else { return };
                let signed = self.is_signed(expr);
                let Some(ty) = self.word_type(width, signed) else { return };
                let base = self.cast(expr, ty);
                let wrapped = self.encoder.program.types.wrap(ty, -distance);
                let distance = self.intern(ExprKind::Int(wrapped), ty);
                (a, self.intern(ExprKind::Binary { op: BinaryOp::Add, lhs: base, rhs: distance }, ty))
            }
            Node::ZeroExtend(_, a) | Node::SignExtend(_, a) => {
                let inner = self.encoder.terms.width(a);
                let Some(ty) = self.word_type(inner, self.is_signed(expr)) else { return };
                (a, self.cast(expr, ty))
            }
            // A Boolean as a number.
            Node::Ite(c, a, b)
                if self.encoder.terms.as_bits(a) == Some(1) && self.encoder.terms.as_bits(b) == Some(0) =>
            {
                let zero = self.intern_zero(expr);
                (c, self.comparison(BinaryOp::Ne, expr, zero))
            }
            _ => return,
        };
        if let Entry::Vacant(place) = self.named.entry(operand) {
            place.insert(written);
            self.name_operand(operand, written);
        }
    }

    fn intern(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        Arc::make_mut(&mut self.encoder.program).exprs.intern(kind, ty)
    }

    fn intern_type(&mut self, ty: Type) -> TypeId {
        Arc::make_mut(&mut self.encoder.program).types.intern(ty)
    }

    fn ty(&self, expr: ExprId) -> TypeId {
        self.encoder.program.exprs.ty(expr)
    }

    fn is_signed(&self, expr: ExprId) -> bool {
        self.encoder.program.types.word_shape(self.ty(expr)).is_some_and(|(_, signed)| signed)
    }

    /// The integer type of exactly this width.
    fn word_type(&mut self, width: u32, signed: bool) -> Option<TypeId> {
        let kind = match width {
            8 => IntKind::SChar,
            16 => IntKind::Short,
            32 => IntKind::Int,
            64 => IntKind::LongLong,
            128 => IntKind::Int128,
            _ => return None,
        };
        Some(self.intern_type(Type::Int(if signed { kind } else { kind.to_unsigned() })))
    }

    fn int(&mut self) -> TypeId {
        self.intern_type(Type::Int(IntKind::Int))
    }

    fn cast(&mut self, expr: ExprId, ty: TypeId) -> ExprId {
        let from = self.ty(expr);
        if from == ty {
            return expr;
        }
        let types = &self.encoder.program.types;
        let same_shape = |a, b| types.word_shape(a) == types.word_shape(b);
        // A conversion back to where a value came from undoes one that keeps all bits.
        if let ExprKind::Cast(inner) = self.encoder.program.exprs.kind(expr)
            && self.ty(inner) == ty
            && types.is_integer(ty)
            && types.size_of(from) == types.size_of(ty)
            && !same_shape(from, ty)
            && types.word_shape(ty).map(|s| s.0) == types.word_shape(from).map(|s| s.0)
        {
            return inner;
        }
        if let Some(value) = self.encoder.program.exprs.as_int(expr)
            && types.is_integer(ty)
        {
            let wrapped = types.wrap(ty, value);
            return self.intern(ExprKind::Int(wrapped), ty);
        }
        self.intern(ExprKind::Cast(expr), ty)
    }

    fn intern_zero(&mut self, like: ExprId) -> ExprId {
        let ty = self.ty(like);
        self.intern(ExprKind::Int(0), ty)
    }

    fn comparison(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let int = self.int();
        self.intern(ExprKind::Binary { op, lhs, rhs }, int)
    }

    fn write(&mut self, term: Term) -> Option<(ExprId, u32)> {
        if let Some(known) = self.written.get(&term) {
            return *known;
        }
        if let Some(&named) = self.named.get(&term) {
            return Some((named, 1));
        }
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let written = self.write_node(term);
        self.depth -= 1;
        let operands: u32 = self.encoder.terms.operands(term).map(|operand| self.size(operand)).sum();
        let written = written.map(|expr| (expr, operands.saturating_add(1))).filter(|(_, size)| *size <= MAX_SIZE);
        self.written.insert(term, written);
        written
    }

    fn size(&self, term: Term) -> u32 {
        self.written.get(&term).copied().flatten().map_or(1, |(_, size)| size)
    }

    fn write_node(&mut self, term: Term) -> Option<ExprId> {
        match self.encoder.terms.sort(term) {
            Sort::Bool => self.truth(term),
            Sort::Bits(width) => self.word(term, width),
            Sort::Float(kind) => self.float(term, kind),
            Sort::Array { .. } => None,
        }
    }

    fn any(&mut self, term: Term) -> Option<ExprId> {
        self.write(term).map(|(expr, _)| expr)
    }

    fn truth(&mut self, term: Term) -> Option<ExprId> {
        let int = self.int();
        match self.encoder.terms.node(term) {
            Node::Bool(value) => Some(self.intern(ExprKind::Int(value.into()), int)),
            Node::Not(a) => self.negation(a),
            Node::And(a, b) => {
                let (lhs, rhs) = (self.any(a)?, self.any(b)?);
                Some(self.intern(ExprKind::And { lhs, rhs }, int))
            }
            Node::Or(a, b) => {
                let (lhs, rhs) = (self.any(a)?, self.any(b)?);
                Some(self.intern(ExprKind::Or { lhs, rhs }, int))
            }
            Node::Ite(c, a, b) => self.choice(c, a, b, Some(int)),
            Node::Eq(a, b) => self.equality(a, b, BinaryOp::Eq),
            Node::Compare(order, a, b) => self.ordered(order, a, b, false),
            Node::FloatCompare(order, a, b) => {
                let (lhs, rhs) = (self.any(a)?, self.any(b)?);
                let op = match order {
                    FloatOrder::Eq => BinaryOp::Eq,
                    FloatOrder::Lt => BinaryOp::Lt,
                    FloatOrder::Le => BinaryOp::Le,
                };
                Some(self.comparison(op, lhs, rhs))
            }
            Node::FloatTest(FloatTest::Nan, a) => {
                let value = self.any(a)?;
                Some(self.comparison(BinaryOp::Ne, value, value))
            }
            _ => None,
        }
    }

    fn negation(&mut self, term: Term) -> Option<ExprId> {
        match self.encoder.terms.node(term) {
            Node::Eq(a, b) => self.equality(a, b, BinaryOp::Ne),
            Node::Compare(order, a, b) => self.ordered(order, a, b, true),
            _ => {
                let operand = self.any(term)?;
                let int = self.int();
                Some(self.intern(ExprKind::Unary { op: UnaryOp::LogicalNot, operand }, int))
            }
        }
    }

    fn equality(&mut self, a: Term, b: Term, op: BinaryOp) -> Option<ExprId> {
        match self.encoder.terms.sort(a) {
            Sort::Bool => {
                let (lhs, rhs) = (self.negation(a)?, self.negation(b)?);
                let (lhs, rhs) = (self.zero_or_one(lhs), self.zero_or_one(rhs));
                Some(self.comparison(op, lhs, rhs))
            }
            Sort::Bits(_) => {
                let (lhs, rhs) = (self.any(a)?, self.any(b)?);
                // In the signedness of the first that is not a constant.
                let is_constant = self.encoder.program.exprs.as_int(lhs).is_some();
                let ty = self.ty(if is_constant { rhs } else { lhs });
                let types = &self.encoder.program.types;
                let fits = |expr: ExprId| match types.get(ty) {
                    // A conversion to `_Bool` would change the value.
                    Type::Int(IntKind::Bool) => false,
                    Type::Int(_) => true,
                    _ => {
                        types.is_pointer(self.encoder.program.exprs.ty(expr))
                            || self.encoder.program.exprs.as_int(expr) == Some(0)
                    }
                };
                let (lhs, rhs) = match self.ty(lhs) == self.ty(rhs) || fits(lhs) && fits(rhs) {
                    true => (self.cast(lhs, ty), self.cast(rhs, ty)),
                    false => self.alike(a, b)?,
                };
                Some(self.comparison(op, lhs, rhs))
            }
            _ => None,
        }
    }

    /// Conditions may be any numbers where only their truth matters; here they become 0 or 1.
    fn zero_or_one(&mut self, expr: ExprId) -> ExprId {
        let is_truth = match self.encoder.program.exprs.kind(expr) {
            ExprKind::Binary { op, .. } => op.is_comparison(),
            ExprKind::Unary { op: UnaryOp::LogicalNot, .. } | ExprKind::And { .. } | ExprKind::Or { .. } => true,
            ExprKind::Int(value) => value == 0 || value == 1,
            _ => false,
        };
        if is_truth {
            return expr;
        }
        let zero = self.intern_zero(expr);
        self.comparison(BinaryOp::Ne, expr, zero)
    }

    fn ordered(&mut self, order: Order, a: Term, b: Term, negated: bool) -> Option<ExprId> {
        let signed = matches!(order, Order::SLt | Order::SLe);
        let width = self.encoder.terms.width(a);
        let (lhs, rhs) = match self.word_type(width, signed) {
            Some(_) => (self.in_type(a, signed)?, self.in_type(b, signed)?),
            None if !signed => (self.any(a)?, self.any(b)?),
            None => return None,
        };
        let op = match (matches!(order, Order::SLt | Order::ULt), negated) {
            (true, false) => BinaryOp::Lt,
            (true, true) => BinaryOp::Ge,
            (false, false) => BinaryOp::Le,
            (false, true) => BinaryOp::Gt,
        };
        // Constants stand on the right.
        let exprs = &self.encoder.program.exprs;
        if exprs.as_int(lhs).is_some() && exprs.as_int(rhs).is_none() {
            let mirrored = match op {
                BinaryOp::Lt => BinaryOp::Gt,
                BinaryOp::Le => BinaryOp::Ge,
                BinaryOp::Gt => BinaryOp::Lt,
                _ => BinaryOp::Le,
            };
            return Some(self.comparison(mirrored, rhs, lhs));
        }
        Some(self.comparison(op, lhs, rhs))
    }

    /// A word of a width that C has, in one signedness.
    fn in_type(&mut self, term: Term, signed: bool) -> Option<ExprId> {
        let ty = self.word_type(self.encoder.terms.width(term), signed)?;
        let expr = self.any(term)?;
        Some(self.cast(expr, ty))
    }

    /// A word of a width that C has, as an integer of its own signedness. Pointers and `_Bool` are excluded, since they
    /// compute differently.
    fn number(&mut self, term: Term) -> Option<ExprId> {
        let expr = self.any(term)?;
        let signed = self.is_signed(expr);
        self.in_type(term, signed)
    }

    fn choice(&mut self, c: Term, a: Term, b: Term, ty: Option<TypeId>) -> Option<ExprId> {
        let condition = self.any(c)?;
        let (then, otherwise) = (self.any(a)?, self.any(b)?);
        let ty = ty.unwrap_or_else(|| self.ty(then));
        let (then, otherwise) = match self.encoder.terms.sort(a) {
            Sort::Bool => (self.zero_or_one(then), self.zero_or_one(otherwise)),
            Sort::Bits(width) if self.word_type(width, false).is_some() => (self.number(a)?, self.number(b)?),
            _ => (then, otherwise),
        };
        let ty = if self.encoder.terms.width(a) > 0 { self.ty(then) } else { ty };
        let otherwise = self.cast(otherwise, ty);
        Some(self.intern(ExprKind::Conditional { condition, then, otherwise }, ty))
    }

    /// The type that holds a word: exactly as wide where C has that width, else a wider unsigned one, whose other bits are
    /// zero.
    fn holder(&mut self, width: u32) -> Option<TypeId> {
        let next = [8, 16, 32, 64, 128].into_iter().find(|w| *w >= width)?;
        self.word_type(next, false)
    }

    fn constant(&mut self, value: i128, ty: TypeId) -> ExprId {
        let wrapped = self.encoder.program.types.wrap(ty, value);
        self.intern(ExprKind::Int(wrapped), ty)
    }

    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let ty = self.ty(lhs);
        self.intern(ExprKind::Binary { op, lhs, rhs }, ty)
    }

    fn word(&mut self, term: Term, width: u32) -> Option<ExprId> {
        let is_exact = self.word_type(width, true).is_some();
        match self.encoder.terms.node(term) {
            Node::Bits(_, value) => {
                let signed = self.encoder.terms.as_signed(term)?;
                match self.word_type(width, true) {
                    Some(ty) => Some(self.constant(signed, ty)),
                    None => {
                        let ty = self.holder(width)?;
                        Some(self.constant(value as i128, ty))
                    }
                }
            }
            Node::Symbol(_) => self.function(term, width),
            Node::Ite(c, a, b) => self.choice(c, a, b, None),
            Node::Word(op, a, b) if is_exact => self.word_operation(op, a, b, width),
            Node::Neg(a) if is_exact => {
                let operand = self.number(a)?;
                let ty = self.ty(operand);
                Some(self.intern(ExprKind::Unary { op: UnaryOp::Negate, operand }, ty))
            }
            Node::BitNot(a) if is_exact => {
                let operand = self.number(a)?;
                let ty = self.ty(operand);
                Some(self.intern(ExprKind::Unary { op: UnaryOp::BitNot, operand }, ty))
            }
            Node::ZeroExtend(_, a) => {
                let ty = self.holder(width)?;
                let inner = self.encoder.terms.width(a);
                let value = if self.word_type(inner, false).is_some() { self.in_type(a, false)? } else { self.any(a)? };
                Some(self.cast(value, ty))
            }
            Node::SignExtend(_, a) if is_exact => {
                let ty = self.word_type(width, true)?;
                let value = self.in_type(a, true)?;
                Some(self.cast(value, ty))
            }
            Node::Extract { high, low, term } => self.cut(term, high, low),
            Node::Concat(a, b) => self.concat(a, b, width),
            _ => None,
        }
    }

    /// The address of a function.
    fn function(&mut self, term: Term, width: u32) -> Option<ExprId> {
        let id = self.encoder.function_at(term)?;
        let of_function = self.encoder.program.functions.get(id.index())?.ty;
        let ty = self.intern_type(Type::Pointer(of_function));
        let address = self.intern(ExprKind::FunctionAddress(id), ty);
        let number = self.word_type(width, false)?;
        Some(self.cast(address, number))
    }

    /// A word without sign in a type that holds `width` bits.
    fn widened(&mut self, term: Term, width: u32) -> Option<ExprId> {
        let own = self.encoder.terms.width(term);
        let value = if self.word_type(own, false).is_some() { self.in_type(term, false)? } else { self.any(term)? };
        let ty = self.holder(width)?;
        Some(self.cast(value, ty))
    }

    fn cut(&mut self, term: Term, high: u32, low: u32) -> Option<ExprId> {
        let width = high - low + 1;
        let own = self.encoder.terms.width(term);
        let mut value = self.widened(term, own)?;
        let wide = self.ty(value);
        if low > 0 {
            let int = self.int();
            let count = self.constant(low.into(), int);
            value = self.binary(BinaryOp::Shr, value, count);
        }
        let ty = self.holder(width)?;
        if self.word_type(width, false).is_some() {
            return Some(self.cast(value, ty));
        }
        let mask = self.constant(((1u128 << width) - 1) as i128, wide);
        let masked = self.binary(BinaryOp::BitAnd, value, mask);
        Some(self.cast(masked, ty))
    }

    fn concat(&mut self, a: Term, b: Term, width: u32) -> Option<ExprId> {
        let low = self.encoder.terms.width(b);
        let (upper, lower) = (self.widened(a, width)?, self.widened(b, width)?);
        let int = self.int();
        let count = self.constant(low.into(), int);
        let shifted = self.binary(BinaryOp::Shl, upper, count);
        Some(self.binary(BinaryOp::BitOr, shifted, lower))
    }

    fn word_operation(&mut self, op: WordOp, a: Term, b: Term, width: u32) -> Option<ExprId> {
        let constant = self.encoder.terms.as_signed(b);
        let (op, signed) = match op {
            WordOp::Add => return self.sum(a, b),
            WordOp::Mul => (BinaryOp::Mul, None),
            WordOp::And => (BinaryOp::BitAnd, None),
            WordOp::Or => (BinaryOp::BitOr, None),
            WordOp::Xor => (BinaryOp::BitXor, None),
            // C traps where the term has a value, so that only divisors for which it never traps are allowed.
            WordOp::UDiv | WordOp::URem | WordOp::SDiv | WordOp::SRem if matches!(constant, None | Some(0 | -1)) => {
                return None;
            }
            WordOp::UDiv => (BinaryOp::Div, Some(false)),
            WordOp::URem => (BinaryOp::Rem, Some(false)),
            WordOp::SDiv => (BinaryOp::Div, Some(true)),
            WordOp::SRem => (BinaryOp::Rem, Some(true)),
            WordOp::Shl | WordOp::LShr | WordOp::AShr => return self.shift(op, a, b, width),
        };
        let (lhs, rhs) = match signed {
            Some(signed) => (self.in_type(a, signed)?, self.in_type(b, signed)?),
            None => self.alike(a, b)?,
        };
        Some(self.binary(op, lhs, rhs))
    }

    /// Both words in the signedness of the one that is not a constant.
    fn alike(&mut self, a: Term, b: Term) -> Option<(ExprId, ExprId)> {
        let (lhs, rhs) = (self.any(a)?, self.any(b)?);
        let is_constant = self.encoder.program.exprs.as_int(lhs).is_some();
        let signed = self.is_signed(if is_constant { rhs } else { lhs });
        let ty = self.word_type(self.encoder.terms.width(a), signed)?;
        Some((self.cast(lhs, ty), self.cast(rhs, ty)))
    }

    fn sum(&mut self, a: Term, b: Term) -> Option<ExprId> {
        if let Node::Neg(subtracted) = self.encoder.terms.node(b) {
            let (lhs, rhs) = self.alike(a, subtracted)?;
            return Some(self.binary(BinaryOp::Sub, lhs, rhs));
        }
        let (lhs, rhs) = self.alike(a, b)?;
        if let Some(value) = self.encoder.program.exprs.as_int(rhs)
            && value < 0
            && self.is_signed(rhs)
        {
            let ty = self.ty(rhs);
            let opposite = self.constant(-value, ty);
            return Some(self.binary(BinaryOp::Sub, lhs, opposite));
        }
        Some(self.binary(BinaryOp::Add, lhs, rhs))
    }

    fn shift(&mut self, op: WordOp, a: Term, b: Term, width: u32) -> Option<ExprId> {
        let in_range = match self.encoder.terms.node(b) {
            Node::Bits(_, count) => count < width.into(),
            Node::Word(WordOp::And, _, mask) => self.encoder.terms.as_bits(mask).is_some_and(|m| m < width.into()),
            _ => false,
        };
        if !in_range {
            return None;
        }
        let value = match op {
            WordOp::Shl => self.number(a)?,
            _ => self.in_type(a, op == WordOp::AShr)?,
        };
        let count = self.in_type(b, true)?;
        let op = if op == WordOp::Shl { BinaryOp::Shl } else { BinaryOp::Shr };
        Some(self.binary(op, value, count))
    }

    fn float(&mut self, term: Term, kind: FloatKind) -> Option<ExprId> {
        let ty = self.intern_type(Type::Float(kind));
        match self.encoder.terms.node(term) {
            Node::Float(_, bits) => Some(self.intern(ExprKind::Float(bits), ty)),
            Node::Ite(c, a, b) => self.choice(c, a, b, Some(ty)),
            Node::FloatOp(op, a, b) => {
                let (lhs, rhs) = (self.any(a)?, self.any(b)?);
                let op = match op {
                    FloatOp::Add => BinaryOp::Add,
                    FloatOp::Sub => BinaryOp::Sub,
                    FloatOp::Mul => BinaryOp::Mul,
                    FloatOp::Div => BinaryOp::Div,
                };
                Some(self.intern(ExprKind::Binary { op, lhs, rhs }, ty))
            }
            Node::FloatUnary(FloatUnary::Neg, a) => {
                let operand = self.any(a)?;
                Some(self.intern(ExprKind::Unary { op: UnaryOp::Negate, operand }, ty))
            }
            Node::FloatConvert(_, a) => {
                let value = self.any(a)?;
                Some(self.intern(ExprKind::Cast(value), ty))
            }
            Node::FloatFromInt { signed, term, .. } => {
                let value = self.in_type(term, signed)?;
                Some(self.intern(ExprKind::Cast(value), ty))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
