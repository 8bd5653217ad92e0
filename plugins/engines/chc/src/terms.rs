//! Terms over mathematical integers: an arena whose constructors simplify and which knows bounds of every term.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tandem_plugin_api::service::horn::{HornNode, HornTerm};

/// A bound beyond this stands for no bound.
pub const UNBOUNDED: i128 = 1 << 100;

/// All values of an integer term are between these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub low: i128,
    pub high: i128,
}

impl Bounds {
    pub const ANY: Bounds = Bounds { low: -UNBOUNDED, high: UNBOUNDED };

    pub fn new(low: i128, high: i128) -> Bounds {
        Bounds { low: low.max(-UNBOUNDED), high: high.min(UNBOUNDED) }
    }

    pub fn within(self, other: Bounds) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    fn plus(self, other: Bounds) -> Bounds {
        let low = if self.low == -UNBOUNDED || other.low == -UNBOUNDED { -UNBOUNDED } else { self.low + other.low };
        let high = if self.high == UNBOUNDED || other.high == UNBOUNDED { UNBOUNDED } else { self.high + other.high };
        Bounds::new(low, high)
    }

    fn times(self, factor: i128) -> Bounds {
        let scale = |bound: i128| {
            if bound.abs() == UNBOUNDED {
                return bound * factor.signum();
            }
            bound.checked_mul(factor).unwrap_or(UNBOUNDED * bound.signum() * factor.signum())
        };
        let (a, b) = (scale(self.low), scale(self.high));
        Bounds::new(a.min(b), a.max(b))
    }

    fn join(self, other: Bounds) -> Bounds {
        Bounds::new(self.low.min(other.low), self.high.max(other.high))
    }
}

/// See the module.
pub struct Terms {
    pub nodes: Vec<HornNode>,
    known: FxHashMap<HornNode, HornTerm>,
    bounds: Vec<Bounds>,
    /// By variable: what is known of it.
    facts: Vec<Vec<HornTerm>>,
}

impl Terms {
    pub fn new() -> Self {
        Terms { nodes: Vec::new(), known: FxHashMap::default(), bounds: Vec::new(), facts: Vec::new() }
    }

    fn make(&mut self, node: HornNode) -> HornTerm {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let bounds = self.bounds_of(&node);
        let term = HornTerm(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.bounds.push(bounds);
        self.known.insert(node, term);
        term
    }

    fn bounds_of(&self, node: &HornNode) -> Bounds {
        let of = |term: &HornTerm| self.bounds[term.index()];
        match node {
            HornNode::Integer(value) => Bounds::new(*value, *value),
            HornNode::Add(list) => list.iter().fold(Bounds::new(0, 0), |sum, term| sum.plus(of(term))),
            HornNode::Mul(a, b) => match (self.constant(*a), self.constant(*b)) {
                (Some(factor), _) => of(b).times(factor),
                (_, Some(factor)) => of(a).times(factor),
                _ => Bounds::ANY,
            },
            HornNode::Div(a, b) => match self.constant(*b) {
                Some(by) if by > 0 => {
                    let Bounds { low, high } = of(a);
                    let low = if low == -UNBOUNDED { low } else { low.div_euclid(by) };
                    Bounds::new(low, if high == UNBOUNDED { high } else { high.div_euclid(by) })
                }
                _ => Bounds::ANY,
            },
            HornNode::Mod(_, b) => match self.constant(*b) {
                Some(by) if by != 0 => Bounds::new(0, by.abs() - 1),
                _ => Bounds::ANY,
            },
            HornNode::Ite(_, a, b) => of(a).join(of(b)),
            _ => Bounds::ANY,
        }
    }

    pub fn bounds(&self, term: HornTerm) -> Bounds {
        self.bounds[term.index()]
    }

    pub fn constant(&self, term: HornTerm) -> Option<i128> {
        match self.nodes[term.index()] {
            HornNode::Integer(value) => Some(value),
            _ => None,
        }
    }

    /// A new unknown between these bounds.
    pub fn unknown(&mut self, bounds: Bounds) -> HornTerm {
        let term = self.make(HornNode::Variable(self.facts.len() as u32));
        self.bounds[term.index()] = bounds;
        self.facts.push(Vec::new());
        let mut facts = Vec::new();
        if bounds.low != -UNBOUNDED {
            let low = self.integer(bounds.low);
            facts.push(self.make(HornNode::Le(low, term)));
        }
        if bounds.high != UNBOUNDED {
            let high = self.integer(bounds.high);
            facts.push(self.make(HornNode::Le(term, high)));
        }
        for fact in facts {
            self.know(term, fact);
        }
        term
    }

    /// Notes a fact that holds of an unknown wherever the unknown occurs.
    pub fn know(&mut self, unknown: HornTerm, fact: HornTerm) {
        if let HornNode::Variable(number) = self.nodes[unknown.index()]
            && let Some(list) = self.facts.get_mut(number as usize)
        {
            list.push(fact);
        }
    }

    /// All facts about the unknowns in these terms.
    pub fn facts(&self, roots: &[HornTerm]) -> Vec<HornTerm> {
        let mut open = roots.to_vec();
        let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match &self.nodes[term.index()] {
                HornNode::Variable(number) => {
                    for &fact in &self.facts[*number as usize] {
                        found.insert(fact);
                        open.push(fact);
                    }
                }
                node => open.extend(node.operands()),
            }
        }
        found.into_iter().collect()
    }

    pub fn integer(&mut self, value: i128) -> HornTerm {
        self.make(HornNode::Integer(value))
    }

    pub fn truth(&mut self, value: bool) -> HornTerm {
        self.make(HornNode::Truth(value))
    }

    pub fn add(&mut self, a: HornTerm, b: HornTerm) -> HornTerm {
        let mut constant: i128 = 0;
        let mut list = Vec::new();
        for term in [a, b] {
            match &self.nodes[term.index()] {
                HornNode::Integer(value) => constant = constant.saturating_add(*value),
                HornNode::Add(parts) => {
                    for &part in parts {
                        match self.constant(part) {
                            Some(value) => constant = constant.saturating_add(value),
                            None => list.push(part),
                        }
                    }
                }
                _ => list.push(term),
            }
        }
        list.sort_unstable();
        if constant != 0 || list.is_empty() {
            list.push(self.integer(constant));
        }
        match list.as_slice() {
            [single] => *single,
            _ => self.make(HornNode::Add(list)),
        }
    }

    pub fn times(&mut self, factor: i128, term: HornTerm) -> HornTerm {
        match (factor, self.constant(term)) {
            (1, _) => term,
            (0, _) => self.integer(0),
            (_, Some(value)) => {
                let product = factor.saturating_mul(value);
                self.integer(product)
            }
            _ => {
                if let HornNode::Mul(inner, rest) = self.nodes[term.index()]
                    && let Some(product) = self.constant(inner).and_then(|value| value.checked_mul(factor))
                {
                    return self.times(product, rest);
                }
                let factor = self.integer(factor);
                self.make(HornNode::Mul(factor, term))
            }
        }
    }

    pub fn subtract(&mut self, a: HornTerm, b: HornTerm) -> HornTerm {
        if a == b {
            return self.integer(0);
        }
        let minus = self.times(-1, b);
        self.add(a, minus)
    }

    /// Euclid's quotient by a positive constant.
    pub fn quotient(&mut self, a: HornTerm, by: i128) -> HornTerm {
        match self.constant(a) {
            _ if by == 1 => a,
            Some(value) => self.integer(value.div_euclid(by)),
            None => {
                let by = self.integer(by);
                self.make(HornNode::Div(a, by))
            }
        }
    }

    /// Euclid's remainder by a positive constant.
    pub fn remainder(&mut self, a: HornTerm, by: i128) -> HornTerm {
        match self.constant(a) {
            Some(value) => self.integer(value.rem_euclid(by)),
            None if self.bounds(a).within(Bounds::new(0, by - 1)) => a,
            None => {
                let by = self.integer(by);
                self.make(HornNode::Mod(a, by))
            }
        }
    }

    pub fn le(&mut self, a: HornTerm, b: HornTerm) -> HornTerm {
        let (left, right) = (self.bounds(a), self.bounds(b));
        let known = |bound: i128| bound.abs() != UNBOUNDED;
        if a == b || (known(left.high) && known(right.low) && left.high <= right.low) {
            return self.truth(true);
        }
        if known(left.low) && known(right.high) && left.low > right.high {
            return self.truth(false);
        }
        if let Some(condition) = self.choice_of_constants(a, &|value| self.compared(value, b)) {
            return self.condition_of_choice(condition);
        }
        self.make(HornNode::Le(a, b))
    }

    fn compared(&self, value: i128, b: HornTerm) -> Option<bool> {
        self.constant(b).map(|bound| value <= bound)
    }

    pub fn equal(&mut self, a: HornTerm, b: HornTerm) -> HornTerm {
        if let (Some(x), Some(y)) = (self.constant(a), self.constant(b)) {
            return self.truth(x == y);
        }
        if a == b {
            return self.truth(true);
        }
        if let Some(condition) = self.choice_of_constants(a, &|value| self.constant(b).map(|other| value == other)) {
            return self.condition_of_choice(condition);
        }
        let (left, right) = (self.bounds(a), self.bounds(b));
        if left.high < right.low || right.high < left.low {
            return self.truth(false);
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.make(HornNode::Equal(a, b))
    }

    /// `c ? 1 : 0` compared with a constant is a condition on `c`.
    fn choice_of_constants(
        &self,
        term: HornTerm,
        compare: &dyn Fn(i128) -> Option<bool>,
    ) -> Option<(HornTerm, bool, bool)> {
        let HornNode::Ite(c, then, otherwise) = self.nodes[term.index()] else { return None };
        Some((c, compare(self.constant(then)?)?, compare(self.constant(otherwise)?)?))
    }

    fn condition_of_choice(&mut self, (c, then, otherwise): (HornTerm, bool, bool)) -> HornTerm {
        match (then, otherwise) {
            (true, false) => c,
            (false, true) => self.not(c),
            (same, _) => self.truth(same),
        }
    }

    pub fn not(&mut self, a: HornTerm) -> HornTerm {
        match self.nodes[a.index()] {
            HornNode::Truth(value) => self.truth(!value),
            HornNode::Not(inner) => inner,
            _ => self.make(HornNode::Not(a)),
        }
    }

    pub fn and(&mut self, list: &[HornTerm]) -> HornTerm {
        self.connect(list, true)
    }

    pub fn or(&mut self, list: &[HornTerm]) -> HornTerm {
        self.connect(list, false)
    }

    fn connect(&mut self, list: &[HornTerm], conjunction: bool) -> HornTerm {
        let mut parts = BTreeSet::new();
        for &term in list {
            match &self.nodes[term.index()] {
                HornNode::Truth(value) if *value == conjunction => {}
                HornNode::Truth(_) => return self.truth(!conjunction),
                HornNode::And(inner) if conjunction => parts.extend(inner.iter().copied()),
                HornNode::Or(inner) if !conjunction => parts.extend(inner.iter().copied()),
                _ => {
                    parts.insert(term);
                }
            }
        }
        let opposite = |term: &HornTerm| matches!(self.nodes[term.index()], HornNode::Not(a) if parts.contains(&a));
        if parts.iter().any(opposite) {
            return self.truth(!conjunction);
        }
        let parts: Vec<HornTerm> = parts.into_iter().collect();
        match parts.as_slice() {
            [] => self.truth(conjunction),
            [single] => *single,
            _ if conjunction => self.make(HornNode::And(parts)),
            _ => self.make(HornNode::Or(parts)),
        }
    }

    pub fn choose(&mut self, c: HornTerm, then: HornTerm, otherwise: HornTerm) -> HornTerm {
        match self.nodes[c.index()] {
            HornNode::Truth(true) => then,
            HornNode::Truth(false) => otherwise,
            _ if then == otherwise => then,
            HornNode::Not(inner) => self.make(HornNode::Ite(inner, otherwise, then)),
            _ => self.make(HornNode::Ite(c, then, otherwise)),
        }
    }

    /// 1 where the condition holds, else 0.
    pub fn number(&mut self, condition: HornTerm) -> HornTerm {
        let (one, zero) = (self.integer(1), self.integer(0));
        self.choose(condition, one, zero)
    }

    pub fn is_true(&self, term: HornTerm) -> bool {
        self.nodes[term.index()] == HornNode::Truth(true)
    }

    pub fn is_false(&self, term: HornTerm) -> bool {
        self.nodes[term.index()] == HornNode::Truth(false)
    }
}
