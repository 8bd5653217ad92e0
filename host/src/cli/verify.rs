//! `tandem verify`: runs a configuration on a task, and reports the verdict, with a witness. FALSE comes with the test that
//! shows it.

use super::exit::{Exit, Failure};
use super::question::Purpose;
use super::report::Statistic;
use super::task_run::{Finished, RunArgs, TaskRun, suite_folder};
use super::{Context, page, second_opinion, witness};
use crate::artifact::property;
use crate::artifact::test_suite::{self, Metadata};
use crate::diagnostic::Diagnostic;
use crate::validate::Answer;
use crate::verdict::with_refuted_witness;
use clap::Args;
use std::path::PathBuf;
use tandem_plugin_api::artifact::{TestSuite, Verdict};

#[derive(Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Allow no conventions: a verdict that rests on assumptions about functions without a body or inline assembly
    /// becomes UNKNOWN
    #[arg(long)]
    strict: bool,
    /// Check the witness of the verdict, as `tandem validate` does, before the verdict is reported: if the witness is
    /// refuted, the verdict becomes UNKNOWN
    #[arg(long)]
    validate: bool,
    /// Report FALSE without gcc's opinion; otherwise gcc's own build of the program has to reach the error, too
    #[arg(long)]
    no_gcc: bool,
    /// Write the verdict, with the steps of the counterexample, as SARIF 2.1.0 for code-scanning views
    #[arg(long, value_name = "FILE.sarif")]
    sarif: Option<PathBuf>,
}

pub fn run(context: &Context, arguments: VerifyArgs) -> Result<Exit, Failure> {
    let mut run = TaskRun::new(context, &arguments.run, Purpose::Verdict, arguments.run.output.clone());
    run.sarif = arguments.sarif;
    run.report(|| {
        let prepared = run.prepare()?;
        page::save_in_need(&run, &prepared);
        let gcc = (!arguments.no_gcc).then(|| second_opinion::start(&prepared));
        let mut finished = run.run(prepared);
        // A claim that a validation confirms is no longer a claim.
        let mut verdict = finished.outcome.reported_verdict(arguments.strict && !arguments.validate);
        match (&verdict, gcc) {
            (Verdict::False, gcc) => {
                run.extra(write_tests(&run, &finished));
                verdict = second_opinion::on_violation(&run, &finished, gcc);
            }
            (Verdict::True, Some(gcc)) => verdict = second_opinion::on_proof(&run, gcc),
            (_, gcc) => drop(gcc),
        }
        let in_witness = verdict.is_true() && (run.output.is_some() || arguments.validate);
        if in_witness || (run.recorder.is_some() && !verdict.is_false()) {
            finished.invariants = witness::proven_invariants(&run, &finished);
        }
        let verdict = match with_witness(&run, &mut finished, verdict, arguments.validate) {
            verdict @ Verdict::Unknown { .. } => verdict,
            _ => finished.outcome.reported_verdict(arguments.strict),
        };
        page::write(&run, &finished, &verdict);
        Ok(verdict)
    })
}

/// Writes the witness, and checks it if that is wanted; returns the verdict that may be reported then.
fn with_witness(run: &TaskRun<'_>, finished: &mut Finished, verdict: Verdict, check: bool) -> Verdict {
    if run.output.is_none() && !check {
        return verdict;
    }
    let written = match witness::of(run, finished, &verdict) {
        Ok(Some(written)) => written,
        Ok(None) => return verdict,
        Err(problem) => {
            run.extra(Err(problem));
            return verdict;
        }
    };
    if let Some(directory) = &run.output {
        run.extra(witness::write(&written, directory));
    }
    if !check {
        return verdict;
    }
    // A witness that cannot be checked is not refuted.
    let answer = witness::validated(run, finished.task.task(), &written)
        .unwrap_or_else(|Failure(problems)| Answer::Unknown(problems.iter().map(|one| one.message.clone()).collect()));
    run.context.console.stage_done();
    run.context.console.note(&format!("witness: {answer}"));
    run.reporter.update(|report| {
        report.statistics.push(Statistic { name: "witness".into(), value: answer.to_string() });
    });
    match answer {
        Answer::Refuted(reason) => with_refuted_witness(&verdict, &reason),
        Answer::Confirmed => {
            finished.outcome.soundness = finished.outcome.soundness.without_claims();
            run.reporter.update(|report| report.rests_on(&finished.outcome.soundness));
            verdict
        }
        Answer::Unknown(reason) => {
            run.reporter.update(|report| report.not_confirmed = Some(reason));
            verdict
        }
    }
}

/// Writes the tests that were executed and reached the error.
fn write_tests(run: &TaskRun<'_>, finished: &Finished) -> Result<(), Diagnostic> {
    let Some(output) = &run.output else { return Ok(()) };
    let tests = finished.outcome.tests.iter().flat_map(|suite| &suite.tests);
    let suite = TestSuite { tests: tests.filter(|test| test.covers_error).cloned().collect() };
    let specification = property::write(&finished.task.task().property, "main");
    test_suite::write_directory(&suite_folder(output), &suite, &Metadata::of(finished.task.program(), &specification))
}
