//! The speed of execution: nine programs, and measurements on them. Each program's first input is its number of
//! rounds, so that the same code serves for a long run (loops) and for a short one.

pub mod afl;
pub mod eca;
pub mod gcc;
pub mod large;
mod writer;

use std::sync::Arc;
use tandem::exec::{Executable, Runner};
use tandem::frontend::load_text;
use tandem_plugin_api::program::{DataModel, Program};
use tandem_plugin_api::service::execution::{ExecutionOptions, RunLimits, WhenInputsEnd};
use tandem_plugin_api::task::Property;

/// Runs of at most this many rounds are short; a power of two.
pub const SHORT_ROUNDS: u64 = 8;

pub struct SpeedProgram {
    pub name: &'static str,
    pub size: &'static str,
    pub text: String,
    /// Rounds of the long run.
    pub rounds: u64,
}

/// Inputs behind the number of rounds; no program reads more.
const VALUES: [u64; 8] = [20, 5, 7, 1, 11, 3, 2, 9];

impl SpeedProgram {
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    pub fn long_run(&self) -> Vec<u64> {
        self.inputs(self.rounds)
    }

    pub fn short_run(&self) -> Vec<u64> {
        self.inputs(SHORT_ROUNDS / 2)
    }

    pub fn inputs(&self, rounds: u64) -> Vec<u64> {
        [rounds].into_iter().chain(VALUES).collect()
    }

    pub fn load(&self, model: DataModel) -> Result<Arc<Program>, String> {
        let file = format!("{}.c", self.name);
        load_text(&self.text, &file, model).map(Arc::new).map_err(|problem| problem.to_string())
    }
}

/// Three small, three medium and three large programs. The large ones are generated, always the same.
pub fn programs() -> Vec<SpeedProgram> {
    let fixed = |name, size, rounds, text: &str| SpeedProgram { name, size, text: text.into(), rounds };
    vec![
        fixed("checksum", "small", 6_000_000, include_str!("../../speed/checksum.c")),
        fixed("sort", "small", 25_000, include_str!("../../speed/sort.c")),
        fixed("sieve", "small", 60_000, include_str!("../../speed/sieve.c")),
        fixed("machine", "medium", 15_000, include_str!("../../speed/machine.c")),
        fixed("store", "medium", 25_000, include_str!("../../speed/store.c")),
        fixed("elevator", "medium", 120_000, include_str!("../../speed/elevator.c")),
        SpeedProgram { name: "controllers", size: "large", text: large::controllers(), rounds: 400_000 },
        SpeedProgram { name: "devices", size: "large", text: large::devices(), rounds: 80_000 },
        SpeedProgram { name: "filters", size: "large", text: large::filters(), rounds: 80_000 },
    ]
}

/// As the fuzzer compiles: runs end at an error, and edges are counted.
pub fn fuzzing_options(program: &Program) -> ExecutionOptions {
    ExecutionOptions { coverage: true, ..plain_options(program) }
}

/// Runs end at an error; nothing is recorded.
pub fn plain_options(program: &Program) -> ExecutionOptions {
    let property = Property::UnreachableCall { function: "reach_error".into() };
    ExecutionOptions { targets: property.targets(program), ..ExecutionOptions::default() }
}

pub fn runner(program: &Arc<Program>, options: &ExecutionOptions) -> Result<Runner, String> {
    let executable = Executable::compile(Arc::clone(program), options).map_err(|error| error.to_string())?;
    Runner::new(executable).map_err(|error| error.to_string())
}

pub const UNLIMITED: RunLimits = RunLimits { steps: u64::MAX, when_inputs_end: WhenInputsEnd::Stop };
