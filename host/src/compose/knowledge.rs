//! The knowledge about a program at some moment of a run, with what it rests on: the value that flows from actor to
//! actor.

use crate::artifact::located::combine_on;
use tandem_plugin_api::artifact::{Acceptance, Gia, Outcome, Precision, Soundness};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::task::Inputs;

/// Larger automata are not combined, since that would take longer than it can save.
const MOST_STATES: usize = 100_000;

/// GIA, precision, tests and invariants, and what the GIA's proofs rest on. (Invariants say of themselves whether they are proven.)
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// As plugins get it.
    pub inputs: Inputs,
    /// What an outcome rests on that leaves out the paths which the GIA claims to be proven.
    pub grounds: Soundness,
}

impl Knowledge {
    pub fn of(inputs: Inputs) -> Self {
        Knowledge { inputs, grounds: Soundness::clean() }
    }

    /// Adds what an analysis tracks, or did.
    pub fn add_precision(&mut self, precision: Option<&Precision>) {
        if let Some(precision) = precision {
            self.inputs.precision.get_or_insert_default().merge(precision);
        }
    }

    /// Adds what an actor found (Theorem 3 of the GIA paper: nothing that was proven is lost). Returns what could not be added, in
    /// words for the user.
    pub fn learn(&mut self, program: &Program, found: &Outcome) -> Vec<String> {
        self.add_precision(found.precision.as_ref());
        let inputs = &mut self.inputs;
        if let Some(tests) = &found.tests {
            inputs.tests.get_or_insert_default().merge(tests.clone());
        }
        if let Some(invariants) = &found.invariants {
            inputs.invariants.get_or_insert_default().merge(invariants.clone());
        }
        found.gia.as_ref().and_then(|gia| self.learn_gia(program, gia, &found.soundness)).into_iter().collect()
    }

    /// Results that rest on an unsound step are not proven, and not passed on.
    fn learn_gia(&mut self, program: &Program, found: &Gia, rests_on: &Soundness) -> Option<String> {
        let found = if rests_on.objection(false).is_some() { found.without_proofs() } else { found.clone() };
        let known = &self.inputs.gia;
        if found == Gia::nothing_known() || found == *known {
            return None;
        }
        let states = [known, &found].map(|gia| gia.states().len());
        if states[0].saturating_add(states[1]) > MOST_STATES {
            return Some(format!(
                "what it found is not passed on: together with what was known it is an automaton of more than {MOST_STATES} states \
                 ({} and {})",
                states[0], states[1]
            ));
        }
        match combine_on(program, known, &found) {
            Ok(combined) => {
                self.inputs.gia = combined;
                if found.has(Acceptance::Ut) {
                    self.grounds.absorb(rests_on);
                }
                None
            }
            // A path that was executed reaches its target: proofs that say otherwise are wrong, and none of them is trusted.
            Err(contradiction) => {
                self.inputs.gia = Gia::nothing_known();
                self.grounds = Soundness::clean();
                Some(format!("two actors contradict each other: {contradiction}; what they proved is not used"))
            }
        }
    }
}
