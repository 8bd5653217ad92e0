//! Small problems, and the texts that answers are read from.

use super::*;
use tandem_plugin_api::service::horn::*;

/// Builds terms with little writing.
#[derive(Default)]
struct Builder {
    problem: HornProblem,
}

impl Builder {
    fn make(&mut self, node: HornNode) -> HornTerm {
        self.problem.nodes.push(node);
        HornTerm(self.problem.nodes.len() as u32 - 1)
    }

    fn rule(&mut self, body: Vec<HornAtom>, constraint: HornTerm, head: Option<HornAtom>) {
        self.problem.rules.push(HornRule { body, constraint, head });
    }
}

fn atom(relation: u32, arguments: &[HornTerm]) -> HornAtom {
    HornAtom { relation, arguments: arguments.to_vec() }
}

/// `x = 0; y = first; while (*) { x += 2; y += 1; }` with the error x != 2 · y + `off`.
fn doubled(first: i128, off: i128) -> HornProblem {
    let mut b = Builder::default();
    b.problem.relations = vec![2];
    let (x, y) = (b.make(HornNode::Variable(0)), b.make(HornNode::Variable(1)));
    let (zero, one, two) = (b.make(HornNode::Integer(0)), b.make(HornNode::Integer(1)), b.make(HornNode::Integer(2)));
    let (start, always) = (b.make(HornNode::Integer(first)), b.make(HornNode::Truth(true)));
    b.rule(vec![], always, Some(atom(0, &[zero, start])));
    let (more, next) = (b.make(HornNode::Add(vec![x, two])), b.make(HornNode::Add(vec![y, one])));
    b.rule(vec![atom(0, &[x, y])], always, Some(atom(0, &[more, next])));
    let off = b.make(HornNode::Integer(off));
    let double = b.make(HornNode::Mul(two, y));
    let expected = b.make(HornNode::Add(vec![double, off]));
    let same = b.make(HornNode::Equal(x, expected));
    let wrong = b.make(HornNode::Not(same));
    b.rule(vec![atom(0, &[x, y])], wrong, None);
    b.problem
}

#[test]
fn a_relation_between_two_variables_is_found() {
    let limits = Limits::time(Duration::from_secs(20));
    let answer = solve(doubled(0, 0), &limits).unwrap();
    let HornAnswer::Unreachable { nodes, meanings } = answer else { panic!("{answer:?}") };
    let holds = |x: i128, y: i128| {
        meanings[0].iter().all(|term| evaluate(&nodes, *term, &[x, y]).unwrap_or_else(|| panic!("{nodes:?}")) != 0)
    };
    for y in 0..5 {
        assert!(holds(2 * y, y) && !holds(2 * y + 1, y), "{nodes:?} {meanings:?}");
    }
    assert_eq!(solve(doubled(1, 0), &limits).unwrap(), HornAnswer::Reachable);
}

#[test]
fn what_is_no_problem_is_refused_and_time_is_kept() {
    let mut problem = doubled(0, 0);
    problem.rules[1].body[0].arguments.pop();
    assert!(solve(problem, &Limits::time(Duration::from_secs(1))).is_err());
    let started = Instant::now();
    let stop = tandem_plugin_api::service::StopSignal::new();
    stop.stop(tandem_plugin_api::service::StopReason::Cancelled);
    let limits = Limits { time: None, stop: Some(stop) };
    // Either it was faster than the first look at the signal, or it was stopped.
    let answer = solve(doubled(0, 0), &limits).unwrap();
    assert!(matches!(answer, HornAnswer::Unknown(_) | HornAnswer::Unreachable { .. }));
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn texts_are_read_and_what_is_strange_is_left_out() {
    let text = "(and (forall ((A Int) (B Int)) (! (= (r1 A B) (let ((a!1 (+ A (* (- 2) B)))) \
                (and (<= a!1 7) (strange A) (not (>= a!1 (- 3))) (or (< A B) (= (mod A 2) 1))))) :weight 0)) (= goal false))";
    let HornAnswer::Unreachable { nodes, meanings } = read::meanings(text, 2) else { panic!("not read") };
    assert!(meanings[0].is_empty());
    assert_eq!(meanings[1].len(), 3);
    let holds = |a, b| meanings[1].iter().all(|term| evaluate(&nodes, *term, &[a, b]) == Some(1));
    assert!(holds(1, 3) && !holds(10, 0) && !holds(0, 0) && !holds(6, 5));
    assert!(matches!(read::meanings("(and (", 1), HornAnswer::Unknown(_)));
}

/// The value of a term, with 0 and 1 for conditions.
fn evaluate(nodes: &[HornNode], term: HornTerm, arguments: &[i128]) -> Option<i128> {
    let value = |term: &HornTerm| evaluate(nodes, *term, arguments);
    Some(match &nodes[term.index()] {
        HornNode::Truth(truth) => i128::from(*truth),
        HornNode::Integer(value) => *value,
        HornNode::Variable(number) => *arguments.get(*number as usize)?,
        HornNode::Add(list) => list.iter().map(value).sum::<Option<i128>>()?,
        HornNode::Mul(a, b) => value(a)? * value(b)?,
        HornNode::Div(a, b) => value(a)?.div_euclid(value(b)?),
        HornNode::Mod(a, b) => value(a)?.rem_euclid(value(b)?),
        HornNode::Le(a, b) => i128::from(value(a)? <= value(b)?),
        HornNode::Equal(a, b) => i128::from(value(a)? == value(b)?),
        HornNode::Not(a) => 1 - value(a)?,
        HornNode::And(list) => i128::from(list.iter().map(value).collect::<Option<Vec<_>>>()?.iter().all(|v| *v == 1)),
        HornNode::Or(list) => i128::from(list.iter().map(value).collect::<Option<Vec<_>>>()?.contains(&1)),
        HornNode::Ite(c, a, b) => {
            if value(c)? == 1 {
                value(a)?
            } else {
                value(b)?
            }
        }
    })
}
