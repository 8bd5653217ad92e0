//! The tests behind the rt paths of a GIA: the inputs that its conditions name, if they name all of them.

use rustc_hash::FxHashSet;
use tandem_plugin_api::artifact::{Acceptance, Gia, InputValue, StateId, TestCase, TestInput, TestSuite, Transition};
use tandem_plugin_api::program::{Op, Program};

/// Paths beyond these are not looked at.
const MOST_TESTS: usize = 100_000;
const MOST_STEPS: usize = 10_000_000;

/// A test for each way through the automaton to an rt state on which every input has a value.
pub fn tests(gia: &Gia, program: &Program) -> TestSuite {
    let mut search = Search { gia, program, suite: TestSuite::new(), seen: FxHashSet::default(), steps: 0 };
    search.run();
    search.suite
}

struct Search<'a> {
    gia: &'a Gia,
    program: &'a Program,
    suite: TestSuite,
    seen: FxHashSet<Vec<String>>,
    steps: usize,
}

/// A way through the automaton so far: its states from the start, and its inputs.
struct Way {
    states: Vec<StateId>,
    inputs: Vec<TestInput>,
    /// The next transition of the last state to follow.
    next: usize,
}

impl Search<'_> {
    /// Depth first, without cycles.
    fn run(&mut self) {
        let mut stack = vec![Way { states: vec![self.gia.initial()], inputs: Vec::new(), next: 0 }];
        while let Some(way) = stack.last_mut() {
            self.steps += 1;
            if self.suite.tests.len() >= MOST_TESTS || self.steps > MOST_STEPS {
                return;
            }
            let at = way.states[way.states.len() - 1];
            if self.gia.acceptance(at) == Acceptance::Rt {
                let inputs = std::mem::take(&mut way.inputs);
                stack.pop();
                self.add(inputs);
                continue;
            }
            let Some(transition) = self.gia.leaving(at).get(way.next) else {
                stack.pop();
                continue;
            };
            way.next += 1;
            if way.states.contains(&transition.target) {
                continue;
            }
            if let Some(read) = self.read(transition) {
                let states = way.states.iter().copied().chain([transition.target]).collect();
                let inputs = way.inputs.iter().cloned().chain(read).collect();
                stack.push(Way { states, inputs, next: 0 });
            }
        }
    }

    fn add(&mut self, inputs: Vec<TestInput>) {
        let key = inputs.iter().map(|input| input.value.to_string()).collect();
        if self.seen.insert(key) {
            self.suite.tests.push(TestCase { inputs, covers_error: false });
        }
    }

    /// The inputs that a transition reads, at most one; `None` if it may read one without a value.
    fn read(&self, transition: &Transition) -> Option<Vec<TestInput>> {
        let Some(edges) = transition.edges.edges() else { return Some(Vec::new()) };
        let reads =
            |edge: &&tandem_plugin_api::program::EdgeId| matches!(self.program.edge(**edge).op, Op::Input { .. });
        match edges.iter().filter(reads).count() {
            0 => Some(Vec::new()),
            1 if edges.len() == 1 => {
                let Op::Input { target: Some(target), .. } = self.program.edge(edges[0]).op else { return None };
                let place = self.program.expr_to_c(target);
                let value = value(transition.condition.text(), &place)?;
                Some(vec![TestInput::new(InputValue::Text(value.into())).for_variable(place)])
            }
            _ => None,
        }
    }
}

/// The value that a condition `place == value` names.
fn value(condition: &str, place: &str) -> Option<String> {
    if condition == format!("{place} != {place}") {
        return Some("nan".into());
    }
    let value = condition.strip_prefix(place)?.trim_start().strip_prefix("==")?.trim();
    match value {
        "(-9223372036854775807LL - 1)" => return Some("-9223372036854775808".into()),
        "1.0 / 0.0" => return Some("inf".into()),
        "-1.0 / 0.0" => return Some("-inf".into()),
        _ => {}
    }
    let value = value.strip_prefix("(void *)").unwrap_or(value);
    let number = value.trim_end_matches(['u', 'U', 'l', 'L', 'f', 'F']);
    let plain = number.strip_prefix('-').unwrap_or(number);
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit())
        && plain.chars().all(|c| c.is_ascii_alphanumeric() || ".+-".contains(c));
    is_number.then(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_of_conditions() {
        let cases = [
            ("x == 7", Some("7")),
            ("x == -3", Some("-3")),
            ("x == 5000000000LL", Some("5000000000")),
            ("x == 1.5f", Some("1.5")),
            ("x == 1e-5", Some("1e-5")),
            ("x == (void *)16", Some("16")),
            ("x != x", Some("nan")),
            ("x > 7", None),
            ("x == y", None),
            ("y == 7", None),
            ("true", None),
            ("x == 7 && y == 3", None),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text, "x").as_deref(), expected, "{text}");
        }
    }
}
