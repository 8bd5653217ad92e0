//! Constrained Horn clauses over mathematical integers, as the host solves them: relations, rules and an answer that
//! gives every relation a meaning. The host does not know how the clauses relate to a program; their author does.

use serde::{Deserialize, Serialize};

/// A term by its place in a list of [`HornNode`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HornTerm(pub u32);

impl HornTerm {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operands stand before what they are operands of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HornNode {
    Truth(bool),
    Integer(i128),
    /// An unknown integer of a rule; in a relation's meaning, the argument at this place.
    Variable(u32),
    Add(Vec<HornTerm>),
    Mul(HornTerm, HornTerm),
    /// The quotient that leaves a remainder between zero and the divisor (Euclid's, as SMT-LIB has it).
    Div(HornTerm, HornTerm),
    Mod(HornTerm, HornTerm),
    Le(HornTerm, HornTerm),
    Equal(HornTerm, HornTerm),
    Not(HornTerm),
    And(Vec<HornTerm>),
    Or(Vec<HornTerm>),
    /// Between two integers.
    Ite(HornTerm, HornTerm, HornTerm),
}

impl HornNode {
    pub fn operands(&self) -> Vec<HornTerm> {
        match self {
            HornNode::Truth(_) | HornNode::Integer(_) | HornNode::Variable(_) => Vec::new(),
            HornNode::Add(list) | HornNode::And(list) | HornNode::Or(list) => list.clone(),
            HornNode::Mul(a, b)
            | HornNode::Div(a, b)
            | HornNode::Mod(a, b)
            | HornNode::Le(a, b)
            | HornNode::Equal(a, b) => vec![*a, *b],
            HornNode::Not(a) => vec![*a],
            HornNode::Ite(c, a, b) => vec![*c, *a, *b],
        }
    }

    /// Whether it is a condition rather than an integer.
    pub fn is_condition(&self) -> bool {
        matches!(
            self,
            HornNode::Truth(_)
                | HornNode::Le(..)
                | HornNode::Equal(..)
                | HornNode::Not(_)
                | HornNode::And(_)
                | HornNode::Or(_)
        )
    }
}

/// A relation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HornAtom {
    pub relation: u32,
    pub arguments: Vec<HornTerm>,
}

/// Where the body's relations hold and the constraint is true, so does the head. A rule without a head must never apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HornRule {
    pub body: Vec<HornAtom>,
    pub constraint: HornTerm,
    pub head: Option<HornAtom>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HornProblem {
    /// How many arguments each relation has; all are integers.
    pub relations: Vec<u32>,
    pub nodes: Vec<HornNode>,
    pub rules: Vec<HornRule>,
}

impl HornProblem {
    /// The first mistake in it, if any: places that do not exist, sorts that do not fit.
    pub fn mistake(&self) -> Option<String> {
        let is_integer = |term: &HornTerm| self.nodes.get(term.index()).is_some_and(|node| !node.is_condition());
        let is_condition = |term: &HornTerm| self.nodes.get(term.index()).is_some_and(HornNode::is_condition);
        for (at, node) in self.nodes.iter().enumerate() {
            let operands = node.operands();
            let fits = match node {
                HornNode::Not(_) | HornNode::And(_) | HornNode::Or(_) => operands.iter().all(is_condition),
                HornNode::Ite(c, a, b) => is_condition(c) && is_integer(a) && is_integer(b),
                _ => operands.iter().all(is_integer),
            };
            if !fits || operands.iter().any(|operand| operand.index() >= at) {
                return Some(format!("term {at} has operands that do not fit: {node:?}"));
            }
        }
        for (at, rule) in self.rules.iter().enumerate() {
            let fits = |atom: &HornAtom| {
                self.relations.get(atom.relation as usize).is_some_and(|arity| *arity as usize == atom.arguments.len())
                    && atom.arguments.iter().all(is_integer)
            };
            if !rule.body.iter().chain(&rule.head).all(fits) || !is_condition(&rule.constraint) {
                return Some(format!("rule {at} has parts that do not fit"));
            }
        }
        None
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HornAnswer {
    /// No rule without a head ever applies. For each relation the conditions that together are its meaning: they make all
    /// rules true. A condition that the host could not read back is left out.
    Unreachable {
        nodes: Vec<HornNode>,
        meanings: Vec<Vec<HornTerm>>,
    },
    /// Some rule without a head applies.
    Reachable,
    Unknown(String),
}
