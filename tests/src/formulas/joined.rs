//! The same comparison for states that stand for many paths at once: all paths of a program are joined where they meet,
//! and each executed run must be among the joined paths, with its final values.

use super::query::{Valuation, inputs};
use super::{Report, Subject, word_of};
use std::sync::Arc;
use tandem::smt::encode::Encoder;
use tandem::smt::state::State;
use tandem::smt::term::{FALSE, Term, Value};
use tandem_plugin_api::kit::unroll::{Agenda, Unrolling};
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::execution::*;

/// All paths of a program within limits.
pub struct Joined {
    encoder: Encoder,
    /// States at the end of `main`.
    ends: Vec<State>,
    /// Whether there are further paths.
    cut: bool,
}

/// Visits beyond this are not made.
const MOST_VISITS: usize = 6000;
/// Iterations and open calls beyond this are not followed.
const BOUND: u32 = 12;

impl Joined {
    pub fn new(program: Arc<Program>) -> Self {
        let mut encoder = Encoder::new(program.clone());
        let mut unrolling = Unrolling::new(program.clone());
        let mut agenda: Agenda<(), State> = Agenda::default();
        let (mut ends, mut cut) = (Vec::new(), false);
        let first = encoder.initial();
        if let Some(start) = unrolling.start() {
            agenda.add(start, first, |(), ()| {});
        }
        let mut visits = 0;
        while let Some((visit, states)) = agenda.take() {
            visits += 1;
            if visits > MOST_VISITS {
                cut = true;
                break;
            }
            let mut states = states.into_iter();
            let Some(mut state) = states.next() else { continue };
            for other in states {
                state = state.join(&other, &mut encoder.terms);
            }
            let edges = unrolling.edges(&visit);
            if edges.is_empty() && visit.frame.is_none() {
                ends.push(state);
                continue;
            }
            for edge in edges {
                let next = encoder.post(&state, edge);
                if next.guard == FALSE {
                    continue;
                }
                let Some((to, _)) = unrolling.step(&visit, edge) else { continue };
                let deep = to.frame.as_ref().is_some_and(|frame| frame.depth > BOUND);
                if deep || to.loops.iter().any(|(iteration, ())| *iteration > BOUND) {
                    cut = true;
                } else {
                    agenda.add(to, next, |(), ()| {});
                }
            }
        }
        Joined { encoder, ends, cut }
    }

    /// Whether the run with these inputs is one of the joined paths.
    pub fn contains(&mut self, subject: &mut Subject, vector: &[u64]) -> Report {
        let mut report = Report::default();
        let exit = subject.run(vector, WhenInputsEnd::Zero);
        if !matches!(exit, Exit::Returned(_)) {
            report.allowed.push("joined paths: the run does not end in main".into());
            return report;
        }
        let consumed: Vec<u64> = subject.runner.consumed().iter().map(|input| input.bits).collect();
        let mut open = None;
        for index in 0..self.ends.len() {
            let state = self.ends[index].clone();
            let mut valuation = Valuation::default();
            valuation.place_globals(&self.encoder, &state, &subject.executable);
            if let Some(undecided) = self.assign(&mut valuation, &state, &consumed) {
                open = super::dependence(&self.encoder, &mut valuation, undecided).or(Some("anything"));
                continue;
            }
            match valuation.truth(&self.encoder.terms, state.guard) {
                Some(true) => {
                    report.complete = true;
                    self.compare(subject, &mut valuation, &state, &mut report);
                }
                Some(false) => {}
                None => open = super::dependence(&self.encoder, &mut valuation, state.guard).or(Some("anything")),
            }
        }
        if !report.complete {
            match open {
                Some(cause) => report.allowed.push(format!("joined paths depend on {cause}")),
                None if self.cut => report.allowed.push("joined paths: the run goes beyond the bound".into()),
                None => report.disagreements.push("joined paths: the run is not among them".into()),
            }
        }
        report
    }

    /// Gives the inputs that the run reads their values. A guard stands for an input that may or may not be read.
    fn assign(&self, valuation: &mut Valuation, state: &State, consumed: &[u64]) -> Option<Term> {
        let mut read = consumed.iter();
        for input in inputs(state) {
            match valuation.truth(&self.encoder.terms, input.guard) {
                Some(true) => {
                    let &bits = read.next()?;
                    valuation.set_input(&self.encoder.terms, &input, bits);
                }
                Some(false) => {}
                None => return Some(input.guard),
            }
        }
        None
    }

    fn compare(&mut self, subject: &mut Subject, valuation: &mut Valuation, state: &State, report: &mut Report) {
        let program = subject.program.clone();
        for (index, variable) in program.variables.iter().enumerate().filter(|(_, v)| !v.is_local()) {
            let id = VarId::new(index);
            let (Some(address), Some(size)) = (subject.executable.address(id), program.types.size_of(variable.ty))
            else {
                continue;
            };
            let Some(memory) = subject.runner.memory(address, size.min(2048) as u32).map(<[u8]>::to_vec) else {
                continue;
            };
            for (at, expected) in memory.chunks(4).enumerate() {
                let Some(term) = word_of(&mut self.encoder, state, id, at as u64 * 4, expected.len() as u32) else {
                    continue;
                };
                let Some(Value::Bits(value)) = valuation.value(&self.encoder.terms, term) else { continue };
                report.bytes += expected.len();
                if value.to_le_bytes()[..expected.len()] != *expected {
                    return report.disagreements.push(format!(
                        "joined paths: `{}` at byte {}: the run left {expected:02x?}, the formula says {value:x}",
                        variable.name,
                        at * 4
                    ));
                }
            }
        }
    }
}
