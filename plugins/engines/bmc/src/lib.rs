//! Bounded model checking: unrolls the program deeper and deeper, and asks a solver whether an error is reached.
//! An unrolling that is complete is a proof; an error becomes a test that is executed.

use tandem_plugin_api::kit::unroll::{Explorer, Loops, Search, report};
use tandem_plugin_api::prelude::*;

struct Bmc {
    first_bound: u32,
    last_bound: u32,
}

impl Plugin for Bmc {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "bmc",
            env!("CARGO_PKG_VERSION"),
            "Bounded model checking: unrolls the program deeper and deeper and asks a solver for a way to the error.",
        )
        .details(
            "Follows all paths at once: where they meet, their values are joined. Loops and recursion are unrolled up to a \
             bound that doubles; iterations that constants decide do not count against it. Finds errors that lie at \
             moderate depth but need exact values, and proves programs whose loops all end within the bound. Whatever the \
             formulas do not describe, such as accesses outside of an object, must be unreachable for a proof to count.",
        )
        .option(
            "first-bound",
            "How often loops are unrolled at first.",
            OptionType::Integer { min: 1, max: 1 << 20 },
            OptionValue::Integer(1),
        )
        .option(
            "last-bound",
            "The bound doubles up to this.",
            OptionType::Integer { min: 1, max: 1 << 20 },
            OptionValue::Integer(1 << 20),
        )
        .gives(&[ArtifactKind::Tests, ArtifactKind::Gia])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let bound = |name: &str| Ok::<u32, PluginError>(u32::try_from(setup.options.integer(name)?).unwrap_or(1));
        Ok(Bmc { first_bound: bound("first-bound")?, last_bound: bound("last-bound")? })
    }
}

impl Engine for Bmc {
    fn run(&mut self, task: &Task, _inputs: &Inputs, host: &Host) -> Result<Outcome> {
        let mut search = Search::new(task, host)?;
        let mut bound = self.first_bound;
        let outcome = loop {
            let outcome = match unroll(&mut search, bound) {
                Ok(outcome) => outcome,
                Err(error) if error.kind == ErrorKind::Stopped => {
                    Some(Outcome::unknown(format!("{error} while unrolling {bound} times")))
                }
                Err(error) => return Err(error),
            };
            match outcome {
                Some(outcome) => break outcome,
                None if bound >= self.last_bound => {
                    break Outcome::unknown(format!("no error within {bound} loop iterations; a proof needs more"));
                }
                None => bound = bound.saturating_mul(2).min(self.last_bound),
            }
        };
        report(outcome, &mut search, bound)
    }
}

/// One unrolling; `None` if nothing is decided.
fn unroll(search: &mut Search, bound: u32) -> Result<Option<Outcome>> {
    search.progress("unrolling", bound);
    let exploration = Explorer::new(search.task, search.host, &mut search.formulas, Loops::Bounded(bound)).run()?;
    match search.errors(&exploration)? {
        Some(outcome) => Ok(Some(outcome)),
        None => search.completeness(&exploration),
    }
}

tandem_plugin_api::export_plugin!(Bmc);
