//! The rules for TRUE, FALSE and UNKNOWN. All verdicts of the host are made here; only `Verdict::given`, by which no proof rests on an unsound
//! step, is in the plugin API.

use crate::opinion::{Difference, OnProof, Opinion};
use tandem_plugin_api::artifact::{Outcome, Soundness, Verdict};
use tandem_plugin_api::task::Property;

/// The result of an exploration of abstract states.
pub struct Explored<'a> {
    pub property: &'a Property,
    /// A test was executed and reached a target.
    pub executed: bool,
    /// Why the error may be reachable all the same, or a goal may have no test, if so: a target that is not excluded, states that wait.
    pub open: Option<String>,
    pub rests_on: &'a Soundness,
}

/// FALSE was executed. TRUE needs that nothing is open, and that nothing on the way was unsound. A question for tests has no FALSE.
pub fn of_exploration(explored: &Explored<'_>) -> Verdict {
    if explored.executed && !explored.property.is_coverage() {
        return Verdict::False;
    }
    match explored.open.clone().or_else(|| explored.rests_on.objection(false)) {
        Some(reason) => Verdict::unknown(reason),
        None => Verdict::True,
    }
}

/// The verdict of an actor after the execution of its tests that claim to reach the error; `executed` is the result, if there was one. A test
/// that reaches the error makes any verdict FALSE, and FALSE without such a test becomes UNKNOWN.
pub fn of_claim(claimed: Verdict, actor: &str, property: &Property, executed: Option<Result<(), String>>) -> Verdict {
    if property.is_coverage() {
        return match claimed {
            Verdict::False => {
                Verdict::unknown(format!("actor `{actor}` says FALSE, which does not answer a question for tests"))
            }
            other => other,
        };
    }
    match (claimed, executed) {
        (_, Some(Ok(()))) => Verdict::False,
        (Verdict::False, Some(Err(why))) => Verdict::unknown(format!("actor `{actor}` claims a violation, but {why}")),
        (Verdict::False, None) => Verdict::unknown(format!("actor `{actor}` claims a violation that was not executed")),
        (other, _) => other,
    }
}

/// The verdict for a residual program whose graph reaches no target. Other actors have proven the paths that the reducer left out.
pub fn without_targets() -> Verdict {
    Verdict::True
}

/// Adds the reason to an UNKNOWN that is due to a lack of time, with the actor's name if it has a limit of its own.
pub fn out_of_time(verdict: Verdict, actor_with_limit: Option<&str>) -> Verdict {
    match verdict {
        Verdict::Unknown { reason } => {
            let whose = actor_with_limit.map_or(String::new(), |actor| format!(" of actor `{actor}`"));
            Verdict::unknown(format!("time limit{whose}: {reason}"))
        }
        decided => decided,
    }
}

/// Whether an outcome decides the question. A proof over an unsound step does not.
pub fn decides(outcome: &Outcome) -> bool {
    !outcome.reported_verdict(false).is_unknown()
}

/// The verdict of several steps of which none decides: the reasons of all.
pub fn of_undecided<'a>(steps: impl Iterator<Item = (&'a str, &'a Outcome)>) -> Verdict {
    let told = |(name, outcome): (&str, &Outcome)| match outcome.reported_verdict(false) {
        Verdict::Unknown { reason } => format!("{name}: {reason}"),
        verdict => format!("{name}: {verdict}"),
    };
    Verdict::unknown(steps.map(told).collect::<Vec<_>>().join("; "))
}

/// The verdict for an error that our execution reached: FALSE only if gcc's build reaches it, too, or does not exist.
pub fn with_opinion(opinion: &Opinion) -> Verdict {
    match opinion {
        Opinion::Rejected(message) => rejected(message),
        Opinion::Differs(how) => Verdict::unknown(format!(
            "our execution and gcc's differ: ours reaches the error, and gcc's build {how} on the same inputs"
        )),
        _ => Verdict::False,
    }
}

/// The verdict for a run through inline assembly, whose outputs our execution does not compute.
pub fn through_assembly(line: u32) -> Verdict {
    Verdict::unknown(format!(
        "our execution reaches the error, but through the inline assembly on line {line}, whose outputs are not computed"
    ))
}

/// The verdict for a proof after runs of gcc's build were compared with ours: TRUE only if gcc reads the program as we do.
pub fn compared(answer: &OnProof) -> Verdict {
    match answer {
        OnProof::Same(_) => Verdict::True,
        OnProof::Rejected(message) => rejected(message),
        OnProof::Differs(Difference { ours, theirs, .. }) => Verdict::unknown(format!(
            "our execution and gcc's differ: on the same inputs ours {ours}, and gcc's build {theirs}, so that a proof about our reading \
             of the program says nothing"
        )),
    }
}

/// The program has no verdict, since gcc's build of it does not exist.
fn rejected(message: &str) -> Verdict {
    Verdict::unknown(format!("gcc does not accept the program: {message} (--no-gcc does without gcc's opinion)"))
}

/// The verdict if the validator refutes its witness.
pub fn with_refuted_witness(verdict: &Verdict, reason: &str) -> Verdict {
    Verdict::unknown(format!("the witness of {verdict} is refuted: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn property() -> Property {
        Property::UnreachableCall { function: "reach_error".into() }
    }

    #[test]
    fn an_exploration_proves_only_what_it_explored_soundly() {
        let verdict = |property: &Property, executed, open: Option<&str>, unsound: bool| {
            let mut rests_on = Soundness::clean();
            rests_on.convention("a convention");
            if unsound {
                rests_on.unsound("a limit dropped states");
            }
            of_exploration(&Explored { property, executed, open: open.map(str::to_string), rests_on: &rests_on })
        };
        let (reach, tests) = (property(), Property::CoverBranches);
        assert_eq!(verdict(&reach, false, None, false), Verdict::True);
        assert_eq!(verdict(&reach, false, None, true), Verdict::unknown("a limit dropped states"));
        assert_eq!(verdict(&reach, false, Some("open"), true), Verdict::unknown("open"));
        assert_eq!(verdict(&reach, true, Some("open"), true), Verdict::False);
        assert_eq!(verdict(&tests, true, Some("open"), false), Verdict::unknown("open"));
    }

    #[test]
    fn false_needs_an_execution() {
        let claim = |claimed: Verdict, executed| of_claim(claimed, "a", &property(), executed);
        assert_eq!(claim(Verdict::True, Some(Ok(()))), Verdict::False);
        assert_eq!(claim(Verdict::True, Some(Err("no".into()))), Verdict::True);
        assert_eq!(claim(Verdict::unknown("x"), None), Verdict::unknown("x"));
        let refused = Verdict::unknown("actor `a` claims a violation, but it ended");
        assert_eq!(claim(Verdict::False, Some(Err("it ended".into()))), refused);
        assert!(claim(Verdict::False, None).is_unknown());
        assert!(of_claim(Verdict::False, "a", &Property::CoverBranches, Some(Ok(()))).is_unknown());
    }

    #[test]
    fn a_time_limit_is_named_with_its_owner() {
        assert_eq!(out_of_time(Verdict::unknown("x"), None), Verdict::unknown("time limit: x"));
        assert_eq!(out_of_time(Verdict::unknown("x"), Some("a")), Verdict::unknown("time limit of actor `a`: x"));
        assert_eq!(out_of_time(Verdict::True, Some("a")), Verdict::True);
    }

    #[test]
    fn gcc_may_take_both_verdicts_back() {
        let (rejected, differs) = (Opinion::Rejected("line 1".into()), Opinion::Differs("ended".into()));
        assert!(with_opinion(&rejected).is_unknown() && with_opinion(&differs).is_unknown());
        assert!(with_opinion(&Opinion::Missing("no gcc".into())).is_false());
        assert!(compared(&OnProof::Same(3)).is_true());
        assert!(compared(&OnProof::Rejected("line 1".into())).is_unknown());
    }
}
