//! The value of a term where its symbols have values: solvers' models are checked with it.

use super::{FloatTest, Node, Sort, Symbol, Term, Terms, bits, float, mask, sign_extend};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use tandem_plugin_api::program::constant;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Bool(bool),
    /// Words and floats.
    Bits(u128),
    Array {
        default: u128,
        elements: Arc<BTreeMap<u128, u128>>,
    },
}

impl Value {
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bits(_) | Sort::Float(_) => Value::Bits(0),
            Sort::Array { .. } => Value::Array { default: 0, elements: Arc::default() },
        }
    }

    /// Whether two values of one sort are the same. Arrays may be written down in several ways.
    pub fn same(&self, other: &Value, sort: Sort) -> bool {
        let (Value::Array { default: a, elements: x }, Value::Array { default: b, elements: y }) = (self, other) else {
            return self == other;
        };
        let agree = |at: &u128| x.get(at).unwrap_or(a) == y.get(at).unwrap_or(b);
        if !x.keys().chain(y.keys()).all(agree) {
            return false;
        }
        let Sort::Array { index, .. } = sort else { return false };
        let written = x.len() + y.keys().filter(|at| !x.contains_key(at)).count();
        a == b || (index < 64 && written as u128 == 1 << index)
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_bits(&self) -> Option<u128> {
        match self {
            Value::Bits(value) => Some(*value),
            _ => None,
        }
    }
}

/// Values of symbols. Those without one have no value.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    pub values: FxHashMap<Symbol, Value>,
    /// Symbols without a value are zero, since nothing depends on them.
    pub otherwise_zero: bool,
}

impl Assignment {
    pub fn value(&self, symbol: Symbol, sort: Sort) -> Option<Value> {
        match self.values.get(&symbol) {
            Some(value) => Some(value.clone()),
            None if self.otherwise_zero => Some(Value::zero(sort)),
            None => None,
        }
    }
}

impl Terms {
    /// The value of `root`; `None` where it depends on a symbol without a value or on an operation that is not computed
    /// here (square roots and rounding of floats, bits of NaNs, conversions that do not fit). `known` keeps values between calls.
    pub fn evaluate(
        &self,
        root: Term,
        assignment: &Assignment,
        known: &mut FxHashMap<Term, Option<Value>>,
    ) -> Option<Value> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = self.node(term);
            if let Some(needed) = self.operand_needed(node, known) {
                stack.push(needed);
                continue;
            }
            let value = self.evaluate_node(node, assignment, known);
            known.insert(term, value);
            stack.pop();
        }
        known.get(&root).cloned().flatten()
    }

    /// An operand whose value must be known first; only one arm of a choice is.
    fn operand_needed(&self, node: Node, known: &FxHashMap<Term, Option<Value>>) -> Option<Term> {
        if let Node::Ite(condition, then, otherwise) = node
            && let Some(condition) = known.get(&condition)
        {
            let arm = match condition {
                Some(Value::Bool(true)) => then,
                Some(Value::Bool(false)) => otherwise,
                _ => return None,
            };
            return (!known.contains_key(&arm)).then_some(arm);
        }
        super::operands(node).find(|operand| !known.contains_key(operand))
    }

    fn evaluate_node(
        &self,
        node: Node,
        assignment: &Assignment,
        known: &FxHashMap<Term, Option<Value>>,
    ) -> Option<Value> {
        let value = |term: Term| known.get(&term).cloned().flatten();
        let word = |term: Term| value(term)?.as_bits();
        let truth = |term: Term| value(term)?.as_bool();
        let kind = |term: Term| match self.sort(term) {
            super::Sort::Float(kind) => Some(kind),
            _ => None,
        };
        Some(match node {
            Node::Bool(b) => Value::Bool(b),
            Node::Bits(_, v) | Node::Float(_, v) => Value::Bits(v),
            Node::Symbol(symbol) => return assignment.value(symbol, self.symbol_sort(symbol)),
            Node::Not(a) => Value::Bool(!truth(a)?),
            Node::And(a, b) => match (truth(a), truth(b)) {
                (Some(false), _) | (_, Some(false)) => Value::Bool(false),
                (a, b) => Value::Bool(a? && b?),
            },
            Node::Or(a, b) => match (truth(a), truth(b)) {
                (Some(true), _) | (_, Some(true)) => Value::Bool(true),
                (a, b) => Value::Bool(a? || b?),
            },
            Node::Ite(c, a, b) => return if truth(c)? { value(a) } else { value(b) },
            Node::Eq(a, b) => Value::Bool(value(a)?.same(&value(b)?, self.sort(a))),
            Node::Compare(order, a, b) => Value::Bool(bits::fold_compare(order, self.width(a), word(a)?, word(b)?)),
            Node::Word(op, a, b) => Value::Bits(bits::fold_word(op, self.width(a), word(a)?, word(b)?)),
            Node::Neg(a) => Value::Bits(word(a)?.wrapping_neg() & mask(self.width(a))),
            Node::BitNot(a) => Value::Bits(!word(a)? & mask(self.width(a))),
            Node::Concat(a, b) => Value::Bits(word(a)? << self.width(b) | word(b)?),
            Node::Extract { high, low, term } => Value::Bits(word(term)? >> low & mask(high - low + 1)),
            Node::ZeroExtend(_, a) => Value::Bits(word(a)?),
            Node::SignExtend(width, a) => Value::Bits(sign_extend(word(a)?, self.width(a)) as u128 & mask(width)),
            Node::Select(array, index) => match value(array)? {
                Value::Array { default, elements } => {
                    Value::Bits(elements.get(&word(index)?).copied().unwrap_or(default))
                }
                _ => return None,
            },
            Node::Store(array, index, element) => match value(array)? {
                Value::Array { default, mut elements } => {
                    Arc::make_mut(&mut elements).insert(word(index)?, word(element)?);
                    Value::Array { default, elements }
                }
                _ => return None,
            },
            Node::Uniform { element, .. } => Value::Array { default: word(element)?, elements: Arc::default() },
            Node::FloatOp(op, a, b) => Value::Bits(float::fold_op(op, kind(a)?, word(a)?, word(b)?)?),
            Node::FloatUnary(op, a) => Value::Bits(float::fold_unary(op, kind(a)?, word(a)?)?),
            Node::FloatCompare(order, a, b) => Value::Bool(float::fold_compare(order, kind(a)?, word(a)?, word(b)?)?),
            Node::FloatTest(test, a) => Value::Bool(float::fold_test(test, kind(a)?, word(a)?)?),
            Node::FloatFromBits(_, a) => Value::Bits(word(a)?),
            // The bits of a NaN may be any of a NaN.
            Node::FloatToBits(a) if float::fold_test(FloatTest::Nan, kind(a)?, word(a)?)? => return None,
            Node::FloatToBits(a) => Value::Bits(word(a)?),
            Node::FloatConvert(to, a) => Value::Bits(constant::float_to_float(word(a)?, kind(a)?, to)),
            Node::FloatFromInt { kind, signed, term } => {
                let width = self.width(term);
                let value = if signed { sign_extend(word(term)?, width) } else { word(term)? as i128 };
                Value::Bits(constant::int_to_float(value, !signed && width == 128, kind))
            }
            Node::FloatToInt { bits, signed, term } => {
                Value::Bits(constant::float_to_int(word(term)?, kind(term)?, bits, signed)? as u128 & mask(bits))
            }
        })
    }
}
