//! Formulas as a hash-consed graph: equal terms have equal numbers, and every constructor simplifies. Terms that
//! constructors fold never reach a solver.

mod array;
mod bits;
mod boolean;
mod evaluate;
mod float;
#[cfg(test)]
pub mod tests;

pub use evaluate::{Assignment, Value};
pub use float::format_bits;

use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::program::FloatKind;

/// A term of a [`Terms`] graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub u32);

impl Term {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// A machine word of so many bits.
    Bits(u32),
    Float(FloatKind),
    /// From words of `index` bits to words of `element` bits.
    Array {
        index: u32,
        element: u32,
    },
}

/// A symbol, whose value the solver chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// Operations on words, with both operands and the result of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WordOp {
    Add,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    ULt,
    ULe,
    SLt,
    SLe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    /// To an integral value, as the current direction says (to nearest, ties to even).
    RoundEven,
    Floor,
    Ceil,
    Trunc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatOrder {
    Eq,
    Lt,
    Le,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatTest {
    Nan,
    Infinite,
    Zero,
    Normal,
    Subnormal,
    Negative,
}

/// A term's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    Bool(bool),
    /// The value within the width, zero-extended.
    Bits(u32, u128),
    /// In the bits of its format.
    Float(FloatKind, u128),
    Symbol(Symbol),
    Not(Term),
    And(Term, Term),
    Or(Term, Term),
    /// Of any sort.
    Ite(Term, Term, Term),
    /// Of words, Booleans or arrays; floats compare bit by bit only as words.
    Eq(Term, Term),
    Compare(Order, Term, Term),
    Word(WordOp, Term, Term),
    Neg(Term),
    BitNot(Term),
    Concat(Term, Term),
    /// From the lowest to the highest bit, both included.
    Extract {
        high: u32,
        low: u32,
        term: Term,
    },
    ZeroExtend(u32, Term),
    SignExtend(u32, Term),
    Select(Term, Term),
    Store(Term, Term, Term),
    /// The same element everywhere.
    Uniform {
        index: u32,
        element: Term,
    },
    FloatOp(FloatOp, Term, Term),
    FloatUnary(FloatUnary, Term),
    FloatCompare(FloatOrder, Term, Term),
    FloatTest(FloatTest, Term),
    FloatFromBits(FloatKind, Term),
    FloatToBits(Term),
    FloatConvert(FloatKind, Term),
    FloatFromInt {
        kind: FloatKind,
        signed: bool,
        term: Term,
    },
    /// Towards zero; any value where it does not fit.
    FloatToInt {
        bits: u32,
        signed: bool,
        term: Term,
    },
}

/// The graph.
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    /// For a tree of choices between constants: its number of leaves, at most [`MAX_LEAVES`]; 0 for all other terms.
    leaves: Vec<u8>,
    index: FxHashMap<Node, Term>,
    symbols: Vec<(Sort, String)>,
    /// Symbols that are addresses of objects, with the objects' sizes where they are constant.
    bases: FxHashMap<Term, Option<u128>>,
    /// Those symbols that are addresses of string literals.
    shared_bases: FxHashSet<Term>,
    /// By base: the number of bases when its object was made, and when the object's end was first seen.
    lifetimes: FxHashMap<Term, (usize, Option<usize>)>,
    /// Parts that were cut out of sums, products and bitwise operations. They share operands, so each must be cut only
    /// once.
    cut: FxHashMap<(Term, u32, u32), Term>,
    /// How deep constructors that go down into their operands are.
    depth: u32,
}

/// No object and no function of the program lies below; null does.
pub const LOWEST_ADDRESS: u128 = 0x0804_8000;

/// Constructors go at most so deep into their operands: terms may be deeper than the stack.
const MAX_DEPTH: u32 = 200;

/// Operations go into choices between at most so many constants.
const MAX_LEAVES: u8 = 16;

pub const TRUE: Term = Term(0);
pub const FALSE: Term = Term(1);

impl Default for Terms {
    fn default() -> Self {
        let mut terms = Terms {
            nodes: Vec::new(),
            sorts: Vec::new(),
            leaves: Vec::new(),
            index: FxHashMap::default(),
            symbols: Vec::new(),
            bases: FxHashMap::default(),
            shared_bases: FxHashSet::default(),
            lifetimes: FxHashMap::default(),
            cut: FxHashMap::default(),
            depth: 0,
        };
        terms.intern(Node::Bool(true), Sort::Bool);
        terms.intern(Node::Bool(false), Sort::Bool);
        terms
    }
}

impl Terms {
    /// The term of exactly this shape. Constructors call it after simplification.
    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&known) = self.index.get(&node) {
            return known;
        }
        let term = Term(self.nodes.len() as u32);
        let leaves = match node {
            Node::Bool(_) | Node::Bits(..) | Node::Float(..) => 1,
            Node::Ite(_, a, b) => match (self.leaves[a.index()], self.leaves[b.index()]) {
                (0, _) | (_, 0) => 0,
                (a, b) if a + b <= MAX_LEAVES => a + b,
                _ => 0,
            },
            _ => 0,
        };
        self.nodes.push(node);
        self.sorts.push(sort);
        self.leaves.push(leaves);
        self.index.insert(node, term);
        term
    }

    /// The result of `f` one level down, or `None` where that is too deep.
    fn deeper<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        Some(result)
    }

    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bits of a word; 0 for other sorts.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            _ => 0,
        }
    }

    /// A new symbol.
    pub fn symbol(&mut self, sort: Sort, name: impl Into<String>) -> Term {
        let symbol = Symbol(self.symbols.len() as u32);
        self.symbols.push((sort, name.into()));
        self.intern(Node::Symbol(symbol), sort)
    }

    /// A new symbol that is the address of an object of the program.
    pub fn base_symbol(&mut self, width: u32, name: impl Into<String>, size: Option<u128>) -> Term {
        let base = self.symbol(Sort::Bits(width), name);
        self.bases.insert(base, size);
        self.lifetimes.insert(base, (self.bases.len(), None));
        base
    }

    /// Notes that an object has ended, at least on some path: objects that are made from now on may get its memory.
    pub fn end_lifetime(&mut self, base: Term) {
        let now = self.bases.len();
        if let Some((_, gone)) = self.lifetimes.get_mut(&base) {
            gone.get_or_insert(now);
        }
    }

    /// Whether two objects may have the same memory: string literals, or objects of which one was made when the other
    /// had ended.
    pub fn may_share(&self, a: Term, b: Term) -> bool {
        let (Some(&a_life), Some(&b_life)) = (self.lifetimes.get(&a), self.lifetimes.get(&b)) else { return false };
        let (older, newer) = if a_life.0 < b_life.0 { (a_life, b_life) } else { (b_life, a_life) };
        older.1.is_some_and(|gone| newer.0 > gone) || self.shared_bases.contains(&a) && self.shared_bases.contains(&b)
    }

    /// The object may share its memory with others of this kind: string literals.
    pub fn share_base(&mut self, base: Term) {
        self.shared_bases.insert(base);
    }

    /// The object's address and the distance from it, of a term that is an address at a constant distance from one.
    fn as_address(&self, term: Term) -> Option<(Term, u128, Option<u128>)> {
        let (base, distance) = match self.node(term) {
            Node::Symbol(_) => (term, 0),
            Node::Word(WordOp::Add, base, distance) => (base, self.as_bits(distance)?),
            _ => return None,
        };
        self.bases.get(&base).map(|size| (base, distance, *size))
    }

    /// Whether two addresses are surely different: addresses inside of different objects, or an address of an object
    /// and a number that is not an address.
    fn are_apart(&self, a: Term, b: Term) -> bool {
        let inside =
            |(_, distance, size): (Term, u128, Option<u128>)| size.map_or(distance == 0, |size| distance < size);
        match (self.as_address(a), self.as_address(b), self.as_bits(b)) {
            (Some(x), Some(y), _) => x.0 != y.0 && inside(x) && inside(y) && !self.may_share(x.0, y.0),
            (Some(x), None, Some(value)) => value < LOWEST_ADDRESS && (inside(x) || Some(x.1) == x.2),
            _ => false,
        }
    }

    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.0 as usize].0
    }

    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize].1
    }

    pub fn bool(&self, value: bool) -> Term {
        if value { TRUE } else { FALSE }
    }

    /// A constant word; high bits of `value` are dropped.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        self.intern(Node::Bits(width, mask(width) & value), Sort::Bits(width))
    }

    pub fn signed(&mut self, width: u32, value: i128) -> Term {
        self.bits(width, value as u128)
    }

    pub fn float(&mut self, kind: FloatKind, bits: u128) -> Term {
        self.intern(Node::Float(kind, bits), Sort::Float(kind))
    }

    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant word, zero-extended.
    pub fn as_bits(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Bits(_, value) => Some(value),
            _ => None,
        }
    }

    pub fn as_signed(&self, term: Term) -> Option<i128> {
        match self.node(term) {
            Node::Bits(width, value) => Some(sign_extend(value, width)),
            _ => None,
        }
    }

    /// Whether the term is a constant or a tree of choices between few constants.
    fn is_choice_of_constants(&self, term: Term) -> bool {
        self.leaves[term.index()] > 1
    }

    fn is_constant(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Bool(_) | Node::Bits(..) | Node::Float(..))
    }

    /// Applies `f` to the constants that a choice is between. The result of `f` need not be constant.
    fn map_leaves(&mut self, term: Term, f: &mut dyn FnMut(&mut Terms, Term) -> Term) -> Term {
        match self.node(term) {
            Node::Ite(condition, then, otherwise) => {
                let then = self.map_leaves(then, f);
                let otherwise = self.map_leaves(otherwise, f);
                self.ite(condition, then, otherwise)
            }
            _ => f(self, term),
        }
    }

    /// `binary` with a choice of constants on one side and a constant on the other, pushed to the leaves.
    fn distribute(&mut self, a: Term, b: Term, binary: &mut dyn FnMut(&mut Terms, Term, Term) -> Term) -> Option<Term> {
        if self.is_choice_of_constants(a) && self.is_constant(b) {
            return Some(self.map_leaves(a, &mut |terms, leaf| binary(terms, leaf, b)));
        }
        if self.is_choice_of_constants(b) && self.is_constant(a) {
            return Some(self.map_leaves(b, &mut |terms, leaf| binary(terms, a, leaf)));
        }
        None
    }

    /// Direct operands, in order.
    pub fn operands(&self, term: Term) -> impl Iterator<Item = Term> + use<> {
        operands(self.node(term))
    }
}

/// Direct operands of a shape, in order.
pub fn operands(node: Node) -> impl Iterator<Item = Term> + use<> {
    use Node::*;
    let list = match node {
        Bool(_) | Bits(..) | Float(..) | Symbol(_) => [None; 3],
        Not(a) | Neg(a) | BitNot(a) | ZeroExtend(_, a) | SignExtend(_, a) => [Some(a), None, None],
        Extract { term: a, .. } | Uniform { element: a, .. } | FloatUnary(_, a) | FloatTest(_, a) => {
            [Some(a), None, None]
        }
        FloatFromBits(_, a) | FloatToBits(a) | FloatConvert(_, a) => [Some(a), None, None],
        FloatFromInt { term: a, .. } | FloatToInt { term: a, .. } => [Some(a), None, None],
        And(a, b) | Or(a, b) | Eq(a, b) | Compare(_, a, b) | Word(_, a, b) => [Some(a), Some(b), None],
        Concat(a, b) | Select(a, b) | FloatOp(_, a, b) | FloatCompare(_, a, b) => [Some(a), Some(b), None],
        Ite(a, b, c) | Store(a, b, c) => [Some(a), Some(b), Some(c)],
    };
    list.into_iter().flatten()
}

/// Ones in the lowest bits.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

pub fn sign_extend(value: u128, width: u32) -> i128 {
    if width == 0 || width >= 128 {
        return value as i128;
    }
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}
