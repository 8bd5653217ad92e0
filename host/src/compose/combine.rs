//! What several actors found together: the answer of the one that has it, and everything that others can use.

use crate::artifact::located::combine_on;
use tandem_plugin_api::artifact::{Acceptance, Gia, Outcome, Soundness, Verdict};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::task::Inputs;

/// Whether an outcome decides the question. A proof over an unsound step does not.
pub fn is_answer(outcome: &Outcome) -> bool {
    !outcome.reported_verdict(false).is_unknown()
}

/// Combining larger automata would take longer than what they know is worth.
const MOST_STATES: usize = 100_000;

/// What the next actor gets: all that is known, with what was found just now. `grounds` is what the GIA rests on. A contradiction
/// between two actors is told.
pub fn add_to(program: &Program, inputs: &mut Inputs, outcome: &Outcome, grounds: &mut Soundness) -> Option<String> {
    let conflict = outcome.gia.as_ref().and_then(|gia| add_gia(program, inputs, gia, &outcome.soundness, grounds));
    if let Some(tests) = &outcome.tests {
        inputs.tests.get_or_insert_default().merge(tests.clone());
    }
    if let Some(precision) = &outcome.precision {
        inputs.precision.get_or_insert_default().merge(precision);
    }
    if let Some(invariants) = &outcome.invariants {
        inputs.invariants.get_or_insert_default().merge(invariants.clone());
    }
    conflict
}

/// Nothing proven is lost (Theorem 3 of the GIA paper). What was proven over an unsound step is not proven, and not passed on.
fn add_gia(
    program: &Program,
    inputs: &mut Inputs,
    found: &Gia,
    rests_on: &Soundness,
    grounds: &mut Soundness,
) -> Option<String> {
    let found = if rests_on.objection(false).is_some() { found.without_proofs() } else { found.clone() };
    if found.states().len().saturating_add(inputs.gia.states().len()) > MOST_STATES {
        return None;
    }
    if found.has(Acceptance::Ut) {
        grounds.absorb(rests_on);
    }
    match combine_on(program, &inputs.gia, &found) {
        Ok(combined) => {
            inputs.gia = combined;
            None
        }
        // A path that was executed reaches its target: proofs that say otherwise are wrong, and none of them is trusted.
        Err(contradiction) => {
            inputs.gia = Gia::nothing_known();
            Some(format!("two actors contradict each other: {contradiction}; what they proved is not used"))
        }
    }
}

/// One outcome of several, each with the name of its actor.
///
/// The answer is that of the first that has one, and rests on what that one rests on: the others' artifacts are hints to
/// whoever uses them. Where nobody has one, all reasons are told.
pub fn combine(mut outcomes: Vec<(String, Outcome)>) -> Outcome {
    if outcomes.len() == 1 {
        return outcomes.swap_remove(0).1;
    }
    let mut combined = match outcomes.iter().position(|(_, outcome)| is_answer(outcome)) {
        Some(at) => {
            let (name, mut answer) = outcomes.remove(at);
            answer.statistics.insert(0, ("answered by".into(), name));
            answer
        }
        None => {
            let reasons: Vec<String> = outcomes.iter().map(|(name, outcome)| told(name, outcome)).collect();
            let mut none = Outcome::unknown(reasons.join("; "));
            for (_, outcome) in &outcomes {
                none.soundness.absorb(&outcome.soundness);
            }
            none
        }
    };
    for (name, outcome) in outcomes {
        take_over(&mut combined, &name, outcome);
    }
    combined
}

fn told(name: &str, outcome: &Outcome) -> String {
    match outcome.reported_verdict(false) {
        Verdict::Unknown { reason } => format!("{name}: {reason}"),
        verdict => format!("{name}: {verdict}"),
    }
}

/// Artifacts and statistics of an actor that has not the last word.
fn take_over(combined: &mut Outcome, name: &str, outcome: Outcome) {
    if let Some(tests) = outcome.tests {
        combined.tests.get_or_insert_default().merge(tests);
    }
    if let Some(precision) = outcome.precision {
        combined.precision.get_or_insert_default().merge(&precision);
    }
    // The answer does not rest on them: beside it, they are claims.
    let is_claim = !combined.verdict.is_unknown();
    if let Some(invariants) = outcome.invariants.map(|list| if is_claim { list.unchecked() } else { list }) {
        combined.invariants.get_or_insert_default().merge(invariants);
    }
    if combined.verdict.is_unknown() && outcome.gia.is_some() {
        combined.gia = outcome.gia;
    }
    let named = outcome.statistics.into_iter().map(|(key, value)| (format!("{name}: {key}"), value));
    combined.statistics.extend(named);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::{TestCase, TestSuite};

    fn unknown(reason: &str) -> Outcome {
        Outcome::unknown(reason)
    }

    #[test]
    fn the_answer_counts_and_rests_on_its_own_grounds() {
        let mut unsound = Outcome::new(Verdict::True);
        unsound.soundness.unsound("a guess");
        let combined = combine(vec![("a".into(), unsound.clone()), ("b".into(), Outcome::new(Verdict::True))]);
        assert_eq!(combined.reported_verdict(false), Verdict::True);
        let combined = combine(vec![("a".into(), unsound), ("b".into(), unknown("no idea"))]);
        let reason = "a: the proof relies on: a guess; b: no idea";
        assert_eq!(combined.reported_verdict(false), Verdict::unknown(reason));
    }

    #[test]
    fn nothing_is_lost() {
        let suite = |count: usize| Some(TestSuite { tests: vec![TestCase::of([]); count] });
        let mut first = unknown("open");
        first.tests = suite(1);
        first.statistic("states", 3);
        let mut second = Outcome::new(Verdict::False);
        second.tests = suite(1);
        let combined = combine(vec![("a".into(), first), ("b".into(), second)]);
        assert_eq!(combined.verdict, Verdict::False);
        assert!(combined.tests.is_some_and(|suite| !suite.tests.is_empty()));
        let statistics = [("answered by".into(), "b".into()), ("a: states".into(), "3".into())];
        assert_eq!(combined.statistics, statistics);
    }
}
