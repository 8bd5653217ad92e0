//! AFL++ as an actor: gets the program with a harness around it, and tests of others as seeds; gives back inputs that crash it at the error,
//! executed here, and its corpus as tests.

mod harness;
mod inputs;

use harness::Harness;
use inputs::Width;
use std::time::Duration;
use tandem_plugin_api::artifact::{TestCase, TestSuite};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits};
use tandem_plugin_api::service::recorded;

const INSTALL: &str = "install it with `apt-get install afl++`";
/// Of a large corpus, the newest inputs are executed.
const MOST_TESTS: usize = 2_000;
/// Time reserved for compiling, for starting, and for reading the results.
const RESERVE: Duration = Duration::from_millis(1500);

struct Afl {
    seed: i64,
    width: Width,
}

impl Plugin for Afl {
    type Kind = kind::Adapter;

    fn descriptor() -> Descriptor {
        let version = env!("CARGO_PKG_VERSION");
        Descriptor::of::<Self>("afl", version, "AFL++: coverage-guided fuzzing of the compiled program.")
            .details(
                "Compiles the program with afl-cc (`apt-get install afl++`) and a harness in which every input function takes the next \
                 bytes of standard input, and the error is a crash; other crashes and failed assumptions end a run quietly. Tests that \
                 others found are seeds. What crashes is executed again here before it counts: a violation is a test that reached the \
                 error. Programs for 32 bits are compiled for 64, since Debian's AFL++ does no other: where sizes matter, crashes may \
                 turn out not to reach the error.",
            )
            .gives(&[ArtifactKind::Tests])
            .option(
                "seed",
                "seed of its random numbers; 0 for another one each time",
                OptionType::Integer { min: 0, max: i64::from(i32::MAX) },
                OptionValue::Integer(1),
            )
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Afl { seed: setup.options.integer("seed")?, width: Width::of(&setup.task.program) })
    }
}

impl Adapter for Afl {
    fn prepare(&mut self, task: &Task, inputs: &Inputs, host: &Host) -> Result<Invocation> {
        if task.property.is_coverage() {
            return Err(PluginError::unsupported("AFL++ looks for errors, not for coverage: use the engine `fuzz`"));
        }
        let time = host.budget().time.unwrap_or(Duration::from_secs(3600)).saturating_sub(RESERVE);
        let mut invocation = Invocation::new("afl-fuzz")
            .before(
                "afl-cc",
                &["-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-std=gnu11", "-o", "program", "program.c"],
            )
            .file("program.c", Harness::around(&task.program, &task.targets, self.width))
            .collect("out/default/crashes")
            .collect("out/default/queue");
        for (number, seed) in self.width.seeds(inputs).into_iter().enumerate() {
            invocation = invocation.file(format!("seeds/{number}"), seed);
        }
        let seconds = time.as_secs().max(1).to_string();
        let seed = self.seed.to_string();
        let mut arguments = vec!["-i", "seeds", "-o", "out", "-V", &seconds, "-t", "1000", "-m", "none"];
        if self.seed != 0 {
            arguments.extend(["-s", &seed]);
        }
        arguments.extend(["--", "./program"]);
        invocation.arguments = arguments.into_iter().map(str::to_string).collect();
        let quiet =
            ["SKIP_CPUFREQ", "I_DONT_CARE_ABOUT_MISSING_CRASHES", "NO_UI", "NO_AFFINITY", "BENCH_UNTIL_CRASH", "QUIET"];
        invocation.environment = quiet.iter().map(|name| (format!("AFL_{name}"), "1".to_string())).collect();
        Ok(invocation)
    }

    fn interpret(&mut self, task: &Task, run: &ToolRun, host: &Host) -> Result<Outcome> {
        check(run)?;
        let options = ExecutionOptions { targets: task.targets.clone(), ..ExecutionOptions::default() };
        let mut execution = host.execution(&options)?;
        let mut found = Replay { task, tests: Vec::new(), crashes: 0 };
        for file in run.files.iter().filter(|file| file.path.contains("/crashes/id")) {
            found.crashes += 1;
            if found.run(&mut *execution, &self.width.vector(&file.content)) {
                break;
            }
        }
        let corpus: Vec<_> = run.files.iter().filter(|file| file.path.contains("/queue/id")).collect();
        for file in corpus.iter().rev().take(MOST_TESTS) {
            if found.is_done() || host.stopped().is_some() {
                break;
            }
            found.run(&mut *execution, &self.width.vector(&file.content));
        }
        Ok(found.outcome(corpus.len()))
    }
}

/// Whether the tool did its work at all.
fn check(run: &ToolRun) -> Result<()> {
    let said = || {
        let text = String::from_utf8_lossy(if run.standard_error.is_empty() {
            &run.standard_output
        } else {
            &run.standard_error
        });
        let line = text
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| line.contains("ABORT") || line.contains("error"))
            .map(str::to_string);
        line.unwrap_or_else(|| "it gives no reason".to_string())
    };
    match (&run.exit, run.before.len()) {
        (ToolExit::NotStarted(_), _) => Err(PluginError::unavailable(format!("AFL++ is not there: {INSTALL}"))),
        (ToolExit::Code(_) | ToolExit::Signal(_), 0) => {
            Err(PluginError::unsupported(format!("afl-cc does not compile the program: {}", said())))
        }
        // AFL++ usually ends because its time is up, and after a crash it ends with 1.
        (ToolExit::Code(_) | ToolExit::OutOfTime | ToolExit::Cancelled, _)
            if run.files.iter().any(|file| file.path.contains("/queue/")) =>
        {
            Ok(())
        }
        (exit @ (ToolExit::Code(_) | ToolExit::Signal(_)), _) => {
            Err(PluginError::new(format!("afl-fuzz failed ({exit:?}): {}", said())))
        }
        (ToolExit::OutOfMemory, _) => Err(PluginError::new("AFL++ ran out of memory")),
        (ToolExit::OutOfTime | ToolExit::Cancelled, _) => Err(PluginError::new("AFL++ had too little time to begin")),
    }
}

/// The results of executing AFL's inputs.
struct Replay<'t> {
    task: &'t Task,
    tests: Vec<TestCase>,
    crashes: usize,
}

impl Replay<'_> {
    /// Whether the error is reached.
    fn run(&mut self, execution: &mut dyn Execution, vector: &[u64]) -> bool {
        let exit = execution.run(vector, &RunLimits::default());
        let reached = matches!(exit, Exit::Target(_));
        let case = recorded::test_case(&self.task.program, execution.consumed());
        self.tests.push(TestCase { covers_error: reached, ..case });
        reached
    }

    fn is_done(&self) -> bool {
        self.tests.iter().any(|test| test.covers_error)
    }

    fn outcome(self, corpus: usize) -> Outcome {
        let mut outcome = if self.is_done() {
            Outcome::new(Verdict::False)
        } else if self.crashes > 0 {
            Outcome::unknown(format!(
                "AFL++ found {} crashes, none of which reaches the error when it is executed here",
                self.crashes
            ))
        } else {
            Outcome::unknown(format!("AFL++ found no crash; its corpus has {corpus} inputs"))
        };
        outcome.statistic("AFL++ corpus", corpus);
        outcome.statistic("AFL++ crashes", self.crashes);
        outcome.tests = Some(TestSuite { tests: self.tests });
        outcome
    }
}

tandem_plugin_api::export_plugin!(Afl);

#[cfg(test)]
mod tests;
