//! Clauses as Z3 has them, the query, and what Spacer answers.

use super::read;
use ::z3::ast::{Ast, Bool, Int, forall_const};
use ::z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort};
use std::collections::BTreeSet;
use std::time::Duration;
use tandem_plugin_api::service::horn::*;

/// The relation that holds if a rule without a head applies.
const GOAL: &str = "goal";

/// Problems with more terms are mostly state machines.
const MOST_GUIDED: usize = 500;

/// The name of a relation.
pub fn relation_name(relation: usize) -> String {
    format!("r{relation}")
}

enum Translated {
    Integer(Int),
    Condition(Bool),
}

struct Translation {
    terms: Vec<Translated>,
    relations: Vec<FuncDecl>,
}

impl Translation {
    fn of(problem: &HornProblem) -> Option<Translation> {
        let (integer, truth) = (Sort::int(), Sort::bool());
        let declare = |(at, arity): (usize, &u32)| {
            let domain: Vec<&Sort> = (0..*arity).map(|_| &integer).collect();
            FuncDecl::new(relation_name(at), &domain, &truth)
        };
        let relations = problem.relations.iter().enumerate().map(declare).collect();
        let mut translation = Translation { terms: Vec::with_capacity(problem.nodes.len()), relations };
        for node in &problem.nodes {
            let term = translation.node(node)?;
            translation.terms.push(term);
        }
        Some(translation)
    }

    fn integer(&self, term: HornTerm) -> Option<&Int> {
        match self.terms.get(term.index())? {
            Translated::Integer(term) => Some(term),
            Translated::Condition(_) => None,
        }
    }

    fn condition(&self, term: HornTerm) -> Option<&Bool> {
        match self.terms.get(term.index())? {
            Translated::Condition(term) => Some(term),
            Translated::Integer(_) => None,
        }
    }

    fn node(&self, node: &HornNode) -> Option<Translated> {
        use Translated::{Condition, Integer};
        let conditions =
            |list: &[HornTerm]| list.iter().map(|&term| self.condition(term).cloned()).collect::<Option<Vec<Bool>>>();
        Some(match node {
            HornNode::Truth(value) => Condition(Bool::from_bool(*value)),
            HornNode::Integer(value) => Integer(Int::from_i128(*value)),
            HornNode::Variable(number) => Integer(variable(*number)),
            HornNode::Add(list) => {
                let list = list.iter().map(|&term| self.integer(term).cloned()).collect::<Option<Vec<Int>>>()?;
                Integer(if list.is_empty() { Int::from_i64(0) } else { Int::add(&list) })
            }
            HornNode::Mul(a, b) => Integer(Int::mul(&[self.integer(*a)?, self.integer(*b)?])),
            HornNode::Div(a, b) => Integer(self.integer(*a)?.div(self.integer(*b)?)),
            HornNode::Mod(a, b) => Integer(self.integer(*a)?.modulo(self.integer(*b)?)),
            HornNode::Le(a, b) => Condition(self.integer(*a)?.le(self.integer(*b)?)),
            HornNode::Equal(a, b) => Condition(self.integer(*a)?.eq(self.integer(*b)?)),
            HornNode::Not(a) => Condition(self.condition(*a)?.not()),
            HornNode::And(list) => Condition(Bool::and(&conditions(list)?)),
            HornNode::Or(list) => Condition(Bool::or(&conditions(list)?)),
            HornNode::Ite(c, a, b) => Integer(self.condition(*c)?.ite(self.integer(*a)?, self.integer(*b)?)),
        })
    }

    fn atom(&self, atom: &HornAtom) -> Option<Bool> {
        let arguments = atom.arguments.iter().map(|&term| self.integer(term)).collect::<Option<Vec<&Int>>>()?;
        let arguments: Vec<&dyn Ast> = arguments.into_iter().map(|term| term as &dyn Ast).collect();
        self.relations.get(atom.relation as usize)?.apply(&arguments).as_bool()
    }

    /// The rule for all values of its variables.
    fn rule(&self, problem: &HornProblem, rule: &HornRule, goal: &Bool) -> Option<Bool> {
        let mut body = vec![self.condition(rule.constraint)?.clone()];
        for atom in &rule.body {
            body.push(self.atom(atom)?);
        }
        let head = match &rule.head {
            Some(atom) => self.atom(atom)?,
            None => goal.clone(),
        };
        let bound: Vec<Int> = variables(problem, rule).into_iter().map(variable).collect();
        let bound: Vec<&dyn Ast> = bound.iter().map(|term| term as &dyn Ast).collect();
        Some(forall_const(&bound, &[], &Bool::and(&body).implies(&head)))
    }
}

fn variable(number: u32) -> Int {
    Int::new_const(format!("v{number}"))
}

/// The variables that occur in a rule, in order.
fn variables(problem: &HornProblem, rule: &HornRule) -> BTreeSet<u32> {
    let mut open: Vec<HornTerm> = vec![rule.constraint];
    open.extend(rule.body.iter().chain(&rule.head).flat_map(|atom| &atom.arguments));
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match problem.nodes.get(term.index()) {
            Some(HornNode::Variable(number)) => {
                found.insert(*number);
            }
            Some(node) => open.extend(node.operands()),
            None => {}
        }
    }
    found
}

/// Asks Spacer whether a rule without a head can apply.
pub fn query(problem: &HornProblem, time: Option<Duration>) -> HornAnswer {
    let not_translated = || HornAnswer::Unknown("the clauses could not be translated".into());
    let Some(translation) = Translation::of(problem) else { return not_translated() };
    let solver = Fixedpoint::new();
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    // An interrupt ends this process, not the query.
    params.set_bool("ctrl_c", false);
    // Clauses come as large blocks, and the meaning of each relation is needed.
    params.set_bool("xform.slice", false);
    params.set_bool("xform.inline_linear", false);
    params.set_bool("xform.inline_eager", false);
    // Lemmas that follow a pattern are generalised together (Vediramana Krishnan et al., CAV 2020): without that, relations
    // between counters are enumerated value by value. State machines have many values that follow no pattern.
    params.set_bool("spacer.global", problem.nodes.len() <= MOST_GUIDED);
    if let Some(time) = time {
        params.set_u32("timeout", u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1));
    }
    solver.set_params(&params);
    let goal = FuncDecl::new(GOAL, &[], &Sort::bool());
    solver.register_relation(&goal);
    for relation in &translation.relations {
        solver.register_relation(relation);
    }
    let Some(reached) = goal.apply(&[]).as_bool() else { return not_translated() };
    for rule in &problem.rules {
        let Some(rule) = translation.rule(problem, rule, &reached) else { return not_translated() };
        solver.add_rule(&rule, None);
    }
    match solver.query_relations(&[&goal]) {
        SatResult::Sat => HornAnswer::Reachable,
        SatResult::Unsat => match solver.get_answer() {
            Some(answer) => read::meanings(&answer.to_string(), problem.relations.len()),
            None => HornAnswer::Unknown("the solver gave no meaning of the relations".into()),
        },
        SatResult::Unknown => HornAnswer::Unknown(solver.get_reason_unknown()),
    }
}
