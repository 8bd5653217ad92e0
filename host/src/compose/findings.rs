//! The joint result of several actors: the answer of the actor that has one, and everything that others can use. Every
//! combinator collects its outcomes here, so that none of them loses anything (Theorem 3 of the GIA paper).

use super::knowledge::Knowledge;
use super::run::Composition;
use crate::verdict::{decides, of_undecided};
use std::sync::Arc;
use tandem_plugin_api::artifact::{Gia, Invariants, Outcome};
use tandem_plugin_api::service::LogLevel;

/// The outcomes of the steps of one combinator, and what is known with them.
pub struct Findings {
    composition: Arc<Composition>,
    known: Knowledge,
    outcomes: Vec<(String, Outcome)>,
}

impl Findings {
    /// Begins with what the combinator was given.
    pub fn new(composition: &Arc<Composition>, known: &Knowledge) -> Self {
        Findings { composition: composition.clone(), known: known.clone(), outcomes: Vec::new() }
    }

    /// Adds the outcome of a step.
    pub fn add(&mut self, step: String, outcome: Outcome) {
        for lost in self.known.learn(self.composition.task.program(), &outcome) {
            self.composition.events.log(&step, LogLevel::Warning, &lost);
        }
        self.outcomes.push((step, outcome));
    }

    /// Adds the outcome of a step that had earlier turns, whose outcome it replaces. `at` is its place among the steps.
    pub fn replace(&mut self, at: usize, step: String, mut outcome: Outcome) {
        if at < self.outcomes.len() {
            let (_, earlier) = self.outcomes.remove(at);
            let mut tests = earlier.tests.unwrap_or_default();
            tests.merge(outcome.tests.take().unwrap_or_default());
            outcome.tests = (!tests.tests.is_empty()).then_some(tests);
        }
        self.add(step, outcome);
        // `add` puts it last.
        if let Some(last) = self.outcomes.pop() {
            self.outcomes.insert(at.min(self.outcomes.len()), last);
        }
    }

    /// The knowledge with which the next step starts.
    pub fn known(&self) -> &Knowledge {
        &self.known
    }

    /// One outcome of all. The answer is the first actor's that has one, and rests on what that actor's outcome rests
    /// on; the others' artifacts are hints. Without an answer, the outcome is UNKNOWN with the reasons of all, and has
    /// all that is known.
    pub fn into_outcome(self) -> Outcome {
        let Findings { known, mut outcomes, .. } = self;
        let answer = outcomes.iter().position(|(_, outcome)| decides(outcome));
        let mut combined = match answer {
            Some(at) => outcomes.remove(at).1,
            None if outcomes.len() == 1 => outcomes.swap_remove(0).1,
            None => without_answer(&outcomes),
        };
        for (name, outcome) in outcomes {
            take_over(&mut combined, &name, outcome);
        }
        if combined.verdict.is_unknown() && known.inputs.gia != Gia::nothing_known() {
            combined.gia = Some(known.inputs.gia);
            combined.soundness.absorb(&known.grounds);
        }
        combined
    }
}

/// An UNKNOWN with the reasons of all steps. Results that rest on an unsound step are passed on as claims only, so that
/// no later proof rests on that step.
fn without_answer(outcomes: &[(String, Outcome)]) -> Outcome {
    let mut none = Outcome::new(of_undecided(outcomes.iter().map(|(name, outcome)| (name.as_str(), outcome))));
    for (_, outcome) in outcomes.iter().filter(|(_, outcome)| outcome.soundness.objection(false).is_none()) {
        none.soundness.absorb(&outcome.soundness);
    }
    none
}

/// Takes over artifacts and statistics of an actor that does not give the answer.
fn take_over(combined: &mut Outcome, name: &str, outcome: Outcome) {
    if let Some(tests) = outcome.tests {
        combined.tests.get_or_insert_default().merge(tests);
    }
    if let Some(precision) = outcome.precision {
        combined.precision.get_or_insert_default().merge(&precision);
    }
    // An answer does not rest on results of others: their invariants become claims beside it.
    let is_claim = !combined.verdict.is_unknown() || outcome.soundness.objection(false).is_some();
    if let Some(invariants) = outcome.invariants.map(|list| if is_claim { Invariants::unchecked(list) } else { list }) {
        combined.invariants.get_or_insert_default().merge(invariants);
    }
    let named = outcome.statistics.into_iter().map(|(key, value)| (format!("{name}: {key}"), value));
    combined.statistics.extend(named);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::services::Events;
    use crate::frontend::load_text;
    use std::sync::Mutex;
    use tandem_plugin_api::abi::{SharedProgram, SharedTask};
    use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, GiaBuilder, TestCase, TestSuite, Verdict};
    use tandem_plugin_api::program::{DataModel, EdgeId, Program};
    use tandem_plugin_api::service::Progress;
    use tandem_plugin_api::task::Property;

    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);
    impl Events for Log {
        fn log(&self, actor: &str, _: LogLevel, message: &str) {
            self.0.lock().unwrap().push(format!("{actor}: {message}"));
        }
        fn progress(&self, _: &str, _: &Progress) {}
    }

    const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
                           if (__VERIFIER_nondet_int()) {\nreach_error();\n}\nreturn 0; }\n";

    fn composition() -> (Arc<Composition>, Arc<Log>) {
        let program = load_text(PROGRAM, "p.c", DataModel::Ilp32).unwrap();
        let property = Property::UnreachableCall { function: "reach_error".into() };
        let (task, log) = (SharedTask::new(&SharedProgram::new(Arc::new(program)), property), Arc::<Log>::default());
        (Composition::for_test(&task, log.clone(), None), log)
    }

    fn combine(outcomes: Vec<(&str, Outcome)>) -> Outcome {
        let mut findings = Findings::new(&composition().0, &Knowledge::default());
        outcomes.into_iter().for_each(|(name, outcome)| findings.add(name.to_string(), outcome));
        findings.into_outcome()
    }

    /// The paths that end with one direction of the branch.
    fn paths(program: &Program) -> [Vec<EdgeId>; 2] {
        let mut path = Vec::new();
        let mut at = program.entry().unwrap();
        while let [edge] = program.location(at).leaving[..] {
            path.push(edge);
            at = program.edge(edge).to;
        }
        let branches = &program.location(at).leaving;
        [0, 1].map(|direction| [&path[..], &branches[direction..=direction]].concat())
    }

    /// An actor has proven one direction of the branch.
    fn half(composition: &Composition, direction: usize) -> Outcome {
        let paths = paths(composition.task.program());
        let (prefix, branches) =
            (&paths[0][..paths[0].len() - 1], [&paths[0], &paths[1]].map(|path| path[path.len() - 1]));
        let mut gia = GiaBuilder::new();
        let start = gia.state("start", Acceptance::None);
        let [proven, open] =
            [("proven", Acceptance::Ut), ("open", Acceptance::Cand)].map(|(name, kind)| gia.sink(name, kind));
        gia.transition(start, EdgeSet::of(prefix.iter().copied()), Condition::always(), start);
        gia.transition(start, EdgeSet::of([branches[direction]]), Condition::always(), proven);
        gia.transition(start, EdgeSet::of([branches[1 - direction]]), Condition::always(), open);
        let mut outcome = Outcome::unknown("half is open");
        outcome.gia = Some(gia.build(start).unwrap());
        outcome
    }

    fn proves(gia: &Gia, path: &[EdgeId]) -> bool {
        gia.covers(path, &mut |_, _| true).contains(Acceptance::Ut)
    }

    #[test]
    fn the_answer_counts_and_rests_on_its_own_grounds() {
        let mut unsound = Outcome::new(Verdict::True);
        unsound.soundness.unsound("a guess");
        let combined = combine(vec![("a", unsound.clone()), ("b", Outcome::new(Verdict::True))]);
        assert_eq!(combined.reported_verdict(false), Verdict::True);
        let combined = combine(vec![("a", unsound), ("b", Outcome::unknown("no idea"))]);
        let reason = "a: the proof relies on: a guess; b: no idea";
        assert_eq!(combined.reported_verdict(false), Verdict::unknown(reason));
    }

    #[test]
    fn tests_and_statistics_of_all_are_kept() {
        let suite = |count: usize| Some(TestSuite { tests: vec![TestCase::of([]); count] });
        let mut first = Outcome::unknown("open");
        first.tests = suite(1);
        first.statistic("states", 3);
        let mut second = Outcome::new(Verdict::False);
        second.tests = suite(1);
        let combined = combine(vec![("a", first), ("b", second)]);
        assert_eq!(combined.verdict, Verdict::False);
        assert!(combined.tests.is_some_and(|suite| !suite.tests.is_empty()));
        let statistics = [("a: states".into(), "3".into())];
        assert_eq!(combined.statistics, statistics);
    }

    #[test]
    fn the_proofs_of_all_are_kept_with_what_they_rest_on() {
        let (composition, log) = composition();
        let mut findings = Findings::new(&composition, &Knowledge::default());
        let [mut first, second] = [0, 1].map(|direction| half(&composition, direction));
        first.soundness.convention("a convention");
        findings.add("a".into(), first);
        findings.add("b".into(), second);
        let combined = findings.into_outcome();
        let gia = combined.gia.unwrap();
        assert!(paths(composition.task.program()).iter().all(|path| proves(&gia, path)));
        assert_eq!(combined.soundness.convention_texts(), ["a convention"]);
        assert!(log.0.lock().unwrap().is_empty());
    }

    #[test]
    fn what_rests_on_an_unsound_step_makes_no_later_proof_unsound() {
        let composition = composition().0;
        let mut findings = Findings::new(&composition, &Knowledge::default());
        let [mut unsound, sound] = [0, 1].map(|direction| half(&composition, direction));
        unsound.soundness.unsound("a guess");
        findings.add("a".into(), unsound);
        findings.add("b".into(), sound);
        let combined = findings.into_outcome();
        assert!(combined.soundness.objection(false).is_none(), "{:?}", combined.soundness);
        let (gia, paths) = (combined.gia.unwrap(), paths(composition.task.program()));
        assert_eq!(paths.map(|path| proves(&gia, &path)), [false, true]);
    }
}
