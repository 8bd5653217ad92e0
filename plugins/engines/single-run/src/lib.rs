//! Runs a program without inputs from its beginning to its end. If the run leaves nothing open it is the program's only
//! run, and proves that no run reaches the error.

mod code;
mod eval;
mod library;
mod machine;
mod memory;
mod steps;
mod value;

use machine::{End, State};
use steps::Steps;
use tandem_plugin_api::prelude::*;

/// Steps that a program with inputs may make before it reads the first of them, and steps of a test's run.
const MOST_BEFORE_INPUTS: u64 = 1_000_000;

struct SingleRun {
    follow_tests: bool,
}

impl Plugin for SingleRun {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "single-run",
            env!("CARGO_PKG_VERSION"),
            "Runs a program without inputs from its beginning to its end: the run is the proof.",
        )
        .details(
            "Executes the program step by step with symbolic addresses and with bytes that are known or indeterminate. A run \
             that ends without having read an input, an uninitialised value or anything that depends on addresses, without a signed \
             overflow or another operation that C leaves undefined, and without a call of a function without a definition, is the \
             only one that the program has: if it does not reach the error, no run does. In all other cases nothing is \
             proven. Proves programs with long loops over constants; some ten million steps in a second.",
        )
        .option(
            "follow-tests",
            "Whether it instead executes the tests that it gets, and returns those whose runs leave nothing open.",
            OptionType::Bool,
            OptionValue::Bool(false),
        )
        .gives(&[ArtifactKind::Tests, ArtifactKind::Gia])
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(SingleRun { follow_tests: setup.options.bool("follow-tests")? })
    }
}

impl Engine for SingleRun {
    fn run(&mut self, task: &Task, inputs: &Inputs, host: &Host) -> Result<Outcome> {
        if self.follow_tests {
            return Ok(followed(task, inputs, host));
        }
        if task.property.is_coverage() {
            return Ok(Outcome::unknown("a single run cannot cover goals: use an engine that writes tests"));
        }
        let program = &*task.program;
        let (homes, sizes) = steps::homes(program);
        let mut state = State::new(program, &homes, &sizes);
        let has_inputs = program.edges.iter().any(|edge| matches!(edge.op, Op::Input { .. }));
        let most = if has_inputs { MOST_BEFORE_INPUTS } else { u64::MAX };
        let end = machine::run(&mut state, &mut Steps::new(task, &homes), host, most);
        for convention in &state.conventions {
            host.convention(convention.clone());
        }
        let mut outcome = outcome(end, host);
        outcome.statistic("steps", state.steps);
        Ok(outcome)
    }
}

/// The tests that were given and in whose runs nothing is left open.
fn followed(task: &Task, inputs: &Inputs, host: &Host) -> Outcome {
    let (homes, sizes) = steps::homes(&task.program);
    let mut steps = Steps::new(task, &homes);
    let mut is_determined = |test: &&TestCase| {
        let mut state = State::new(&task.program, &homes, &sizes);
        state.inputs = Some(test.values().map(|value| value.bits()).collect());
        match machine::run(&mut state, &mut steps, host, MOST_BEFORE_INPUTS) {
            // The caller compares the memory that runs leave behind, so it must be known, too.
            End::Over => state.numbers_are_known(),
            End::Error => true,
            End::Refused(_) | End::Stopped => false,
        }
    };
    let given = inputs.tests.iter().flat_map(|suite| &suite.tests);
    let tests: Vec<TestCase> = given.filter(|test| is_determined(test)).cloned().collect();
    let mut outcome = Outcome::unknown(format!("nothing is left open in the runs of {} tests", tests.len()));
    outcome.tests = Some(TestSuite { tests });
    outcome
}

fn outcome(end: End, host: &Host) -> Outcome {
    match end {
        End::Over => {
            let mut outcome = Outcome::new(Verdict::True);
            outcome.gia = Some(Gia::all_ut());
            outcome.statistic("proof", "the only run of the program ends without reaching the error");
            outcome
        }
        End::Error => {
            let mut outcome = Outcome::new(Verdict::False);
            outcome.tests = Some(TestSuite { tests: vec![TestCase { covers_error: true, ..TestCase::of([]) }] });
            outcome
        }
        End::Stopped => match host.stopped() {
            Some(reason) => Outcome::unknown(format!("{reason} in the only run of the program")),
            None => Outcome::unknown("the program has inputs, and runs long before it reads one"),
        },
        End::Refused(refusal) => {
            let name = refusal.name.map_or(String::new(), |name| format!(": {name}"));
            Outcome::unknown(format!("the program may have more than one run: {}{name}", refusal.why))
        }
    }
}

tandem_plugin_api::export_plugin!(SingleRun);
