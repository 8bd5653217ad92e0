//! Terms as Z3 has them. Each term is translated once; operands come before what uses them, so nothing recurses.

use super::float::{Formats, layout};
use super::strategy::Theories;
use crate::smt::term::{FloatOrder, Node, Order, Sort, Symbol, Term, WordOp};
use ::z3::ast::{Array, BV, Bool, Float};

/// A translated term.
#[derive(Clone)]
pub enum Ast {
    Truth(Bool),
    Word(BV),
    Float(Float),
    Array(Array),
}

#[derive(Default)]
pub struct Translation {
    /// By term.
    known: Vec<Option<Entry>>,
    symbols: Vec<(Symbol, Sort, Term)>,
    formats: Formats,
}

struct Entry {
    ast: Ast,
    node: Node,
    theories: Theories,
}

/// The error for a malformed term.
const MALFORMED: &str = "a term's operands do not have the sorts that it needs";

impl Translation {
    /// Takes in terms, operands first.
    pub fn add(&mut self, terms: &[(Term, Node, Sort)]) -> Result<(), String> {
        if let Some(&(last, ..)) = terms.last() {
            let size = (last.index() + 1).max(self.known.len());
            self.known.resize_with(size, || None);
        }
        for &(term, node, sort) in terms {
            if let Node::Symbol(symbol) = node {
                self.symbols.push((symbol, sort, term));
            }
            let ast = self.translate(node, sort).ok_or(MALFORMED)?;
            let own = Theories { arrays: matches!(sort, Sort::Array { .. }), floats: matches!(sort, Sort::Float(_)) };
            let theories = crate::smt::term::operands(node)
                .filter_map(|operand| self.entry(operand))
                .fold(own, |all, operand| all.or(operand.theories));
            self.known[term.index()] = Some(Entry { ast, node, theories });
        }
        Ok(())
    }

    fn entry(&self, term: Term) -> Option<&Entry> {
        self.known.get(term.index())?.as_ref()
    }

    pub fn symbols(&self) -> impl Iterator<Item = (Symbol, Sort, &Ast)> {
        self.symbols.iter().filter_map(|&(symbol, sort, term)| Some((symbol, sort, &self.entry(term)?.ast)))
    }

    pub fn theories<'a>(&self, roots: impl Iterator<Item = &'a Term>) -> Theories {
        roots.filter_map(|&root| self.entry(root)).fold(Theories::default(), |all, entry| all.or(entry.theories))
    }

    /// A Boolean symbol or its negation.
    pub fn is_literal(&self, term: Term) -> bool {
        match self.entry(term).map(|entry| entry.node) {
            Some(Node::Symbol(_)) => true,
            Some(Node::Not(inner)) => matches!(self.entry(inner).map(|entry| entry.node), Some(Node::Symbol(_))),
            _ => false,
        }
    }

    /// The conjuncts of a term.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let (mut open, mut found) = (vec![term], Vec::new());
        while let Some(term) = open.pop() {
            match self.entry(term).map(|entry| entry.node) {
                Some(Node::And(a, b)) => open.extend([b, a]),
                _ => found.push(term),
            }
        }
        found
    }

    pub fn truth(&self, term: Term) -> Result<&Bool, String> {
        self.bool(term).ok_or_else(|| MALFORMED.to_string())
    }

    fn bool(&self, term: Term) -> Option<&Bool> {
        match &self.entry(term)?.ast {
            Ast::Truth(ast) => Some(ast),
            _ => None,
        }
    }

    fn word(&self, term: Term) -> Option<&BV> {
        match &self.entry(term)?.ast {
            Ast::Word(ast) => Some(ast),
            _ => None,
        }
    }

    fn float(&self, term: Term) -> Option<&Float> {
        match &self.entry(term)?.ast {
            Ast::Float(ast) => Some(ast),
            _ => None,
        }
    }

    fn array(&self, term: Term) -> Option<&Array> {
        match &self.entry(term)?.ast {
            Ast::Array(ast) => Some(ast),
            _ => None,
        }
    }

    fn translate(&mut self, node: Node, sort: Sort) -> Option<Ast> {
        match sort {
            Sort::Bool => self.translate_bool(node).map(Ast::Truth),
            Sort::Bits(width) => self.translate_word(node, width).map(Ast::Word),
            Sort::Float(_) => self.translate_float(node, sort).map(Ast::Float),
            Sort::Array { index, element } => self.translate_array(node, index, element).map(Ast::Array),
        }
    }

    fn translate_bool(&mut self, node: Node) -> Option<Bool> {
        Some(match node {
            Node::Bool(value) => Bool::from_bool(value),
            Node::Symbol(symbol) => Bool::new_const(symbol.0),
            Node::Not(a) => self.bool(a)?.not(),
            Node::And(a, b) => Bool::and(&[self.bool(a)?, self.bool(b)?]),
            Node::Or(a, b) => Bool::or(&[self.bool(a)?, self.bool(b)?]),
            Node::Ite(c, a, b) => self.bool(c)?.ite(self.bool(a)?, self.bool(b)?),
            Node::Eq(a, b) => match (&self.entry(a)?.ast, &self.entry(b)?.ast) {
                (Ast::Truth(a), Ast::Truth(b)) => a.iff(b),
                (Ast::Word(a), Ast::Word(b)) => a.safe_eq(b).ok()?,
                (Ast::Array(a), Ast::Array(b)) => a.safe_eq(b).ok()?,
                (Ast::Float(a), Ast::Float(b)) => a.safe_eq(b).ok()?,
                _ => return None,
            },
            Node::Compare(order, a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                match order {
                    Order::ULt => a.bvult(b),
                    Order::ULe => a.bvule(b),
                    Order::SLt => a.bvslt(b),
                    Order::SLe => a.bvsle(b),
                }
            }
            Node::FloatCompare(order, a, b) => {
                let (a, b) = (self.float(a)?, self.float(b)?);
                match order {
                    FloatOrder::Eq => a.eq_fpa(b),
                    FloatOrder::Lt => a.lt(b),
                    FloatOrder::Le => a.le(b),
                }
            }
            Node::FloatTest(test, a) => Formats::test(test, self.float(a)?),
            _ => return None,
        })
    }

    fn translate_word(&mut self, node: Node, width: u32) -> Option<BV> {
        Some(match node {
            Node::Bits(width, value) => constant(width, value)?,
            Node::Symbol(symbol) => BV::new_const(symbol.0, width),
            Node::Ite(c, a, b) => self.bool(c)?.ite(self.word(a)?, self.word(b)?),
            Node::Word(op, a, b) => word_op(op, self.word(a)?, self.word(b)?),
            Node::Neg(a) => self.word(a)?.bvneg(),
            Node::BitNot(a) => self.word(a)?.bvnot(),
            Node::Concat(a, b) => self.word(a)?.concat(self.word(b)?),
            Node::Extract { high, low, term } => self.word(term)?.extract(high, low),
            Node::ZeroExtend(to, a) => {
                let a = self.word(a)?;
                a.zero_ext(to.checked_sub(a.get_size())?)
            }
            Node::SignExtend(to, a) => {
                let a = self.word(a)?;
                a.sign_ext(to.checked_sub(a.get_size())?)
            }
            Node::Select(array, index) => self.array(array)?.select(self.word(index)?).as_bv()?,
            Node::FloatToBits(a) => Formats::to_bits(self.float(a)?)?,
            Node::FloatToInt { bits, signed, term } => {
                let float = self.float(term)?.clone();
                self.formats.integer(bits, signed, &float)?
            }
            _ => return None,
        })
    }

    fn translate_float(&mut self, node: Node, sort: Sort) -> Option<Float> {
        let Sort::Float(kind) = sort else { return None };
        Some(match node {
            Node::Float(kind, bits) => self.formats.constant(kind, bits)?,
            Node::Symbol(symbol) => {
                let (exponent, significand) = layout(kind);
                Float::new_const(symbol.0, exponent, significand)
            }
            Node::Ite(c, a, b) => self.bool(c)?.ite(self.float(a)?, self.float(b)?),
            Node::FloatOp(op, a, b) => Formats::op(op, self.float(a)?, self.float(b)?),
            Node::FloatUnary(op, a) => Formats::unary(op, self.float(a)?),
            Node::FloatFromBits(kind, a) => {
                let bits = self.word(a)?.clone();
                self.formats.of_bits(kind, &bits)?
            }
            Node::FloatConvert(kind, a) => Formats::convert(kind, self.float(a)?),
            Node::FloatFromInt { kind, signed, term } => {
                let word = self.word(term)?.clone();
                self.formats.of_int(kind, signed, &word)?
            }
            _ => return None,
        })
    }

    fn translate_array(&mut self, node: Node, index: u32, element: u32) -> Option<Array> {
        let index_sort = ::z3::Sort::bitvector(index);
        Some(match node {
            Node::Symbol(symbol) => Array::new_const(symbol.0, &index_sort, &::z3::Sort::bitvector(element)),
            Node::Ite(c, a, b) => self.bool(c)?.ite(self.array(a)?, self.array(b)?),
            Node::Store(array, at, value) => self.array(array)?.store(self.word(at)?, self.word(value)?),
            Node::Uniform { element, .. } => Array::const_array(&index_sort, self.word(element)?),
            _ => return None,
        })
    }
}

/// A constant word.
pub fn constant(width: u32, value: u128) -> Option<BV> {
    match u64::try_from(value) {
        Ok(small) => Some(BV::from_u64(small, width)),
        Err(_) => BV::from_str(width, &value.to_string()),
    }
}

fn word_op(op: WordOp, a: &BV, b: &BV) -> BV {
    match op {
        WordOp::Add => a.bvadd(b),
        WordOp::Mul => a.bvmul(b),
        WordOp::UDiv => a.bvudiv(b),
        WordOp::SDiv => a.bvsdiv(b),
        WordOp::URem => a.bvurem(b),
        WordOp::SRem => a.bvsrem(b),
        WordOp::Shl => a.bvshl(b),
        WordOp::LShr => a.bvlshr(b),
        WordOp::AShr => a.bvashr(b),
        WordOp::And => a.bvand(b),
        WordOp::Or => a.bvor(b),
        WordOp::Xor => a.bvxor(b),
    }
}
