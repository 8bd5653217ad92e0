//! Compares the translation with C: random expressions have the values that C gives them, as terms and translated back.

use crate::back::Reader;
use crate::terms::Terms;
use crate::translate::{Arithmetic, Translator, Values};
use std::collections::BTreeMap;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, DataModel, ExprKind, Exprs, IntKind, TypeId, Types, UnaryOp};
use tandem_plugin_api::service::formulas::Expressions;
use tandem_plugin_api::service::horn::{HornNode, HornTerm};

const KINDS: [IntKind; 6] =
    [IntKind::Int, IntKind::UInt, IntKind::Char, IntKind::UShort, IntKind::LongLong, IntKind::ULongLong];

/// Numbers without a pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    /// Small values, and ones close to the bounds of types.
    fn value(&mut self) -> i128 {
        let small = self.below(40) as i128 - 20;
        match self.below(4) {
            0 => small + (1 << [7, 8, 15, 16, 31, 32, 63][self.below(7)]),
            1 => small - (1 << [7, 8, 15, 16, 31, 32, 63][self.below(7)]),
            _ => small,
        }
    }
}

/// Random expressions over a variable of each type.
struct World {
    pool: Expressions,
    variables: Vec<ExprId>,
    values: Vec<i128>,
    random: Random,
}

impl World {
    fn new(seed: u64) -> World {
        let mut pool = Expressions { types: Types::new(DataModel::Lp64), exprs: Exprs::default() };
        let mut random = Random(seed);
        let (mut variables, mut values) = (Vec::new(), Vec::new());
        for (index, kind) in KINDS.into_iter().enumerate() {
            let ty = pool.types.int(kind);
            variables.push(pool.exprs.intern(ExprKind::Var(VarId::new(index)), ty));
            let value = random.value();
            values.push(pool.types.wrap(ty, value));
        }
        World { pool, variables, values, random }
    }

    fn constant(&mut self, ty: TypeId) -> ExprId {
        let value = self.random.value();
        let value = self.pool.types.wrap(ty, value);
        self.pool.exprs.intern(ExprKind::Int(value), ty)
    }

    fn cast(&mut self, expr: ExprId, ty: TypeId) -> ExprId {
        if self.pool.exprs.ty(expr) == ty { expr } else { self.pool.exprs.intern(ExprKind::Cast(expr), ty) }
    }

    /// An expression whose translation is exact: linear, divided by constants only, with masks of low bits.
    fn expression(&mut self, depth: u32) -> ExprId {
        if depth == 0 || self.random.below(8) == 0 {
            let at = self.random.below(KINDS.len());
            return self.variables[at];
        }
        let kind = [IntKind::Int, IntKind::UInt, IntKind::LongLong, IntKind::ULongLong][self.random.below(4)];
        let (ty, int) = (self.pool.types.int(kind), self.pool.types.int(IntKind::Int));
        let left = self.expression(depth - 1);
        let lhs = self.cast(left, ty);
        use BinaryOp::*;
        let op = match self.random.below(12) {
            0 => return self.pool.exprs.intern(ExprKind::Unary { op: UnaryOp::Negate, operand: lhs }, ty),
            1 => return self.pool.exprs.intern(ExprKind::Unary { op: UnaryOp::BitNot, operand: lhs }, ty),
            2 => {
                let narrow = self.pool.types.int(KINDS[self.random.below(KINDS.len())]);
                return self.cast(lhs, narrow);
            }
            at => [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, Lt][at - 3],
        };
        let (rhs, result) = match op {
            Add | Sub | Lt => {
                let right = self.expression(depth - 1);
                (self.cast(right, ty), if op == Lt { int } else { ty })
            }
            Shl | Shr => (self.number(self.random.0 as i128 % 31, int), ty),
            BitAnd => (self.number([1, 3, 7, 255][self.random.0 as usize % 4], ty), ty),
            Div | Rem => {
                let by = self.constant(ty);
                let zero = self.pool.exprs.as_int(by) == Some(0);
                (if zero { self.number(3, ty) } else { by }, ty)
            }
            _ => {
                let factor = self.random.below(30) as i128;
                (self.number(factor, ty), ty)
            }
        };
        self.pool.exprs.intern(ExprKind::Binary { op, lhs, rhs }, result)
    }

    fn number(&mut self, value: i128, ty: TypeId) -> ExprId {
        let value = self.pool.types.wrap(ty, value.abs());
        self.pool.exprs.intern(ExprKind::Int(value), ty)
    }

    /// The value that C computes, and whether an operation or a conversion lost part of a value.
    fn evaluate(&self, expr: ExprId, lost: &mut Lost) -> i128 {
        let node = self.pool.exprs.get(expr);
        let exact = match node.kind {
            ExprKind::Int(value) => value,
            ExprKind::Var(id) => self.values[id.index()],
            ExprKind::Cast(operand) => {
                let value = self.evaluate(operand, lost);
                lost.in_conversion |= self.pool.types.wrap(node.ty, value) != value;
                value
            }
            ExprKind::Unary { op, operand } => {
                let value = self.evaluate(operand, lost);
                let wrapped = self.pool.types.wrap(node.ty, !value);
                match op {
                    UnaryOp::Negate => -value,
                    UnaryOp::BitNot => wrapped,
                    UnaryOp::LogicalNot => i128::from(value == 0),
                }
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.evaluate(lhs, lost), self.evaluate(rhs, lost));
                // Where nothing overflows, a large unsigned constant is meant as a negative number.
                lost.meant_negative |= matches!(op, BinaryOp::Add | BinaryOp::Sub) && a.max(b) >= 1 << 31;
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::Rem => a % b,
                    BinaryOp::Shl => a << b,
                    BinaryOp::Shr => a >> b,
                    BinaryOp::BitAnd => a & b,
                    BinaryOp::BitOr => a | b,
                    BinaryOp::BitXor => a ^ b,
                    BinaryOp::Lt => i128::from(a < b),
                    BinaryOp::Le => i128::from(a <= b),
                    BinaryOp::Ge => i128::from(a >= b),
                    BinaryOp::Eq => i128::from(a == b),
                    BinaryOp::Ne => i128::from(a != b),
                    _ => panic!("{op:?} is not made"),
                }
            }
            ExprKind::Or { lhs, rhs } => i128::from(self.evaluate(lhs, lost) != 0 || self.evaluate(rhs, lost) != 0),
            ExprKind::And { lhs, rhs } => i128::from(self.evaluate(lhs, lost) != 0 && self.evaluate(rhs, lost) != 0),
            kind => panic!("{kind:?} is not made"),
        };
        let wrapped = self.pool.types.wrap(node.ty, exact);
        lost.in_operation |= wrapped != exact && !matches!(node.kind, ExprKind::Cast(_));
        wrapped
    }

    /// The term of an expression, and when something in it overflows.
    fn translate(&self, terms: &mut Terms, expr: ExprId, arithmetic: Arithmetic) -> (HornTerm, Vec<HornTerm>, Values) {
        let (mut values, mut overflows) = (Values::new(), Vec::new());
        let is_followed = |_: ExprId| true;
        let mut translator = Translator {
            pool: &self.pool,
            terms,
            arithmetic,
            is_followed: &is_followed,
            overflows: &mut overflows,
            unknown: &mut BTreeMap::new(),
        };
        let term = translator.value(&mut values, expr);
        (term, overflows, values)
    }

    /// The numbers of the variables that stand for cells.
    fn assignment(&self, terms: &Terms, values: &Values) -> BTreeMap<u32, i128> {
        let mut assignment = BTreeMap::new();
        for (cell, term) in values {
            let (ExprKind::Var(id), HornNode::Variable(number)) =
                (self.pool.exprs.kind(*cell), &terms.nodes[term.index()])
            else {
                panic!("a cell that is not a variable")
            };
            assignment.insert(*number, self.values[id.index()]);
        }
        assignment
    }
}

#[derive(Default, Clone, Copy)]
struct Lost {
    in_operation: bool,
    in_conversion: bool,
    meant_negative: bool,
}

/// The value of a term. A name for a term has the value of that term.
fn value(nodes: &[HornNode], facts: &[HornTerm], assignment: &BTreeMap<u32, i128>, term: HornTerm) -> i128 {
    let of = |term: &HornTerm| value(nodes, facts, assignment, *term);
    match &nodes[term.index()] {
        HornNode::Truth(truth) => i128::from(*truth),
        HornNode::Integer(value) => *value,
        HornNode::Variable(number) => match assignment.get(number) {
            Some(value) => *value,
            None => {
                let named = |fact: &HornTerm| match nodes[fact.index()] {
                    HornNode::Equal(a, b) if b == term => Some(a),
                    HornNode::Equal(a, b) if a == term => Some(b),
                    _ => None,
                };
                of(&facts.iter().find_map(named).expect("each unknown is a name"))
            }
        },
        HornNode::Add(list) => list.iter().map(of).sum(),
        HornNode::Mul(a, b) => of(a) * of(b),
        HornNode::Div(a, b) => of(a).div_euclid(of(b)),
        HornNode::Mod(a, b) => of(a).rem_euclid(of(b)),
        HornNode::Le(a, b) => i128::from(of(a) <= of(b)),
        HornNode::Equal(a, b) => i128::from(of(a) == of(b)),
        HornNode::Not(a) => 1 - of(a),
        HornNode::And(list) => i128::from(list.iter().all(|term| of(term) == 1)),
        HornNode::Or(list) => i128::from(list.iter().any(|term| of(term) == 1)),
        HornNode::Ite(c, a, b) => of(if of(c) == 1 { a } else { b }),
    }
}

#[test]
fn wrapped_integers_are_what_c_computes() {
    for seed in 0..3000 {
        let mut world = World::new(seed);
        let expr = world.expression(3);
        let expected = world.evaluate(expr, &mut Lost::default());
        let mut terms = Terms::new();
        let (term, _, values) = world.translate(&mut terms, expr, Arithmetic::Wrapped);
        let (facts, assignment) = (terms.facts(&[term]), world.assignment(&terms, &values));
        assert_eq!(value(&terms.nodes, &facts, &assignment, term), expected, "seed {seed}");
        for fact in facts {
            assert_eq!(
                value(&terms.nodes, &terms.facts(&[fact]), &assignment, fact),
                1,
                "seed {seed}: a fact is wrong"
            );
        }
        assert!(terms.bounds(term).low <= expected && expected <= terms.bounds(term).high, "seed {seed}");
    }
}

#[test]
fn integers_without_overflow_are_what_c_computes_where_nothing_overflows() {
    let (mut kept, mut lost_some) = (0, 0);
    for seed in 0..3000 {
        let mut world = World::new(seed);
        let expr = world.expression(3);
        let mut lost = Lost::default();
        let expected = world.evaluate(expr, &mut lost);
        for arithmetic in [Arithmetic::Ideal, Arithmetic::Checked] {
            let mut terms = Terms::new();
            let (term, overflows, values) = world.translate(&mut terms, expr, arithmetic);
            let (facts, assignment) = (terms.facts(&[term]), world.assignment(&terms, &values));
            let overflow = overflows.iter().any(|overflow| {
                let facts = terms.facts(&[*overflow]);
                value(&terms.nodes, &facts, &assignment, *overflow) == 1
            });
            // Constants are computed as C does, also where they overflow.
            let keeps = match arithmetic {
                Arithmetic::Checked => {
                    assert!(
                        !overflow || lost.in_operation,
                        "seed {seed}: an overflow is reported that C does not have"
                    );
                    !overflow
                }
                _ => !lost.in_operation && !lost.in_conversion && !lost.meant_negative,
            };
            if keeps {
                kept += 1;
                assert_eq!(value(&terms.nodes, &facts, &assignment, term), expected, "seed {seed} {arithmetic:?}");
            } else {
                lost_some += 1;
            }
        }
    }
    assert!(kept > 500 && lost_some > 500, "{kept} {lost_some}: one side is hardly tested");
}

#[test]
fn what_has_no_linear_term_is_within_its_bounds() {
    use BinaryOp::*;
    for seed in 0..3000 {
        let mut world = World::new(seed);
        let kind = [IntKind::Int, IntKind::UInt][world.random.below(2)];
        let ty = world.pool.types.int(kind);
        let (a, b) = (world.variables[usize::from(kind == IntKind::UInt)], world.variables[3]);
        let rhs = world.cast(b, ty);
        let op = [BitAnd, BitOr, BitXor, Mul, Div, Rem][world.random.below(6)];
        if matches!(op, Div | Rem) && world.values[3] == 0 {
            continue;
        }
        let expr = world.pool.exprs.intern(ExprKind::Binary { op, lhs: a, rhs }, ty);
        let expected = world.evaluate(expr, &mut Lost::default());
        let mut terms = Terms::new();
        let (term, _, values) = world.translate(&mut terms, expr, Arithmetic::Wrapped);
        let mut assignment = world.assignment(&terms, &values);
        let HornNode::Variable(number) = terms.nodes[term.index()] else { panic!("not an unknown") };
        assignment.insert(number, expected);
        for fact in terms.facts(&[term]) {
            assert_eq!(value(&terms.nodes, &[], &assignment, fact), 1, "seed {seed}: {op:?} is out of its bounds");
        }
    }
}

#[test]
fn meanings_say_the_same_in_c() {
    for seed in 0..3000 {
        let mut world = World::new(seed);
        let mut terms = Terms::new();
        let cells: Vec<ExprId> = (0..3).map(|_| world.variables[world.random.below(KINDS.len())]).collect();
        let arguments: Vec<i128> = cells
            .iter()
            .map(|&cell| match world.pool.exprs.kind(cell) {
                ExprKind::Var(id) => world.values[id.index()],
                _ => 0,
            })
            .collect();
        let unknowns: Vec<HornTerm> = cells.iter().map(|_| terms.unknown(crate::terms::Bounds::ANY)).collect();
        let mut clause = Vec::new();
        for _ in 0..1 + world.random.below(2) {
            let constant = world.random.value();
            let mut sum = terms.integer(constant);
            for &unknown in &unknowns {
                let part = match world.random.below(5) {
                    0 => terms.remainder(unknown, 3),
                    1 => terms.quotient(unknown, 4),
                    _ => unknown,
                };
                let part = terms.times(world.random.below(7) as i128 - 3, part);
                sum = terms.add(sum, part);
            }
            let zero = terms.integer(0);
            let atom = if world.random.below(3) == 0 { terms.equal(sum, zero) } else { terms.le(sum, zero) };
            clause.push(if world.random.below(2) == 0 { terms.not(atom) } else { atom });
        }
        let condition = terms.or(&clause);
        let assignment: BTreeMap<u32, i128> = (0..).zip(arguments).collect();
        let expected = value(&terms.nodes, &[], &assignment, condition);
        let mut reader = Reader { pool: &mut world.pool, nodes: &terms.nodes, cells: &cells };
        let Some(expr) = reader.condition(condition) else { panic!("seed {seed}: not translated") };
        let mut lost = Lost::default();
        assert_eq!(world.evaluate(expr, &mut lost), expected, "seed {seed}: {clause:?}");
        assert!(!lost.in_operation && !lost.in_conversion, "seed {seed}: something overflows in a wide type");
        // A clause is one condition; equations come in addition, and hold wherever it does.
        let more = Reader { pool: &mut world.pool, nodes: &terms.nodes, cells: &cells }.conditions(&[condition]);
        for candidate in more {
            assert!(expected == 0 || world.evaluate(candidate, &mut lost) != 0, "seed {seed}");
        }
    }
}
