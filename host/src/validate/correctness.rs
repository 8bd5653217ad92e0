//! Correctness witnesses: the invariants become checks in the program, and claims for the verifiers. A proof of the
//! program with checks confirms the witness; an execution that fails a check refutes it.

use super::{Answer, Claim, Induction, Prover};
use crate::cpa::grounds;
use crate::exec::{Executable, Runner};
use crate::frontend::parse_expression;
use crate::instrument::{Editor, probed_values};
use crate::replay::Replayer;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Condition, Invariant, InvariantKind, Invariants, TestCase, Verdict};
use tandem_plugin_api::program::{EdgeId, EdgeNames, ExprId, LocationNames, Program};
use tandem_plugin_api::service::Scope;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::task::{Inputs, Property, Task};

/// A run that shows what was claimed wrongly is short.
const LIMITS: RunLimits = RunLimits { steps: 2_000_000_000, when_inputs_end: WhenInputsEnd::Zero };
/// Time for the induction if there is no limit.
const LONGEST: Duration = Duration::from_secs(30);
/// Messages show no more inputs than these.
const MOST_INPUTS: usize = 20;

/// A program that calls its error where a claim does not hold.
struct Checked {
    program: Arc<Program>,
    /// By the call where a claim fails: which one, and which part of it.
    checks: BTreeMap<EdgeId, (usize, ExprId)>,
    /// The comparisons that show values, with what they compare.
    probes: Vec<(EdgeId, ExprId)>,
}

pub fn validate(task: &Task, claims: &[Claim], prover: &Prover) -> Answer {
    let Some(function) = error_function(&task.property) else {
        return Answer::Unknown("only calls of an error function can be checked".into());
    };
    let (open, all_proven) = by_induction(task, claims, prover);
    if all_proven {
        return Answer::Confirmed;
    }
    // Claims that are proven are not checked again, but help to prove the rest.
    let checked = match instrument(&task.program, function, &open, None) {
        Ok(checked) => checked,
        Err(why) => return Answer::Unknown(why),
    };
    let with_checks = SharedTask::new(&SharedProgram::new(Arc::clone(&checked.program)), task.property.clone());
    let inputs = Inputs { invariants: Some(as_hints(&checked.program, claims)), ..Inputs::default() };
    let outcome = prover.run(&with_checks, inputs);
    match outcome.reported_verdict(false) {
        Verdict::True => Answer::Confirmed,
        Verdict::False => {
            let tests = outcome.tests.iter().flat_map(|suite| &suite.tests);
            let Some(test) = tests.into_iter().find(|test| test.covers_error) else {
                return Answer::Unknown("a violation was found, but no test shows it".into());
            };
            refuted(task, &open, &checked, test)
        }
        Verdict::Unknown { reason } => Answer::Unknown(reason),
    }
}

/// The function that is called where a claim fails: one whose call violates the property.
fn error_function(property: &Property) -> Option<&str> {
    if property.is_coverage() { None } else { property.functions().first().map(String::as_str) }
}

/// The claims that an induction over them alone does not prove; and whether it proves all of them and the property as well.
fn by_induction(task: &Task, claims: &[Claim], prover: &Prover) -> (Vec<Claim>, bool) {
    if claims.is_empty() {
        return (Vec::new(), false);
    }
    let left = prover.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let time = left.map_or(LONGEST, |left| left * 3 / 10);
    let stop = prover.stop.child();
    let Ok(_alarm) = stop.after(time) else { return (claims.to_vec(), false) };
    let hints = as_hints(&task.program, claims);
    let mut induction = Induction::of(task, &hints, Instant::now() + time, stop.signal());
    // Formulas give every expression a value, even those that C does not define.
    let mut editor = Editor::new(&task.program, "");
    let mut proves =
        |claim: &Claim| is_defined(&task.program, &mut editor, claim) && induction.proves(claim.at, &claim.text);
    let open: Vec<Claim> = claims.iter().filter(|claim| !proves(claim)).cloned().collect();
    let all = open.is_empty() && induction.proves_property && grounds(task, None).objection(false).is_none();
    (open, all)
}

/// Whether a claim can be evaluated in every state.
fn is_defined(program: &Program, editor: &mut Editor, claim: &Claim) -> bool {
    let parsed = parse_expression(program, &claim.text, Scope::Location(claim.at)).ok();
    let root = parsed.and_then(|parsed| editor.expressions.add(program, &parsed).ok());
    root.is_some_and(|root| editor.partial_operators(root).is_empty() && !editor.reads_beyond(root))
}

/// Puts the claims into the program; `probed` is the claim whose values are wanted.
fn instrument(program: &Program, error: &str, claims: &[Claim], probed: Option<usize>) -> Result<Checked, String> {
    let mut editor = Editor::new(program, error);
    let (mut checks, mut probes) = (BTreeMap::new(), Vec::new());
    for (number, claim) in claims.iter().enumerate() {
        let unusable = |why: &str| format!("`{}` on line {} cannot be checked: {why}", claim.text, claim.line);
        let parsed = parse_expression(program, &claim.text, Scope::Location(claim.at));
        let parsed = parsed.map_err(|error| unusable(&error.message))?;
        let root = editor.expressions.add(program, &parsed).map_err(|error| unusable(&error.message))?;
        if !editor.can_branch(root) {
            return Err(unusable("it has `&&`, `||` or `?:` inside of other operators"));
        }
        let behind = editor.split(claim.at);
        let function = editor.program.location(behind).function;
        let mut at = claim.at;
        if probed == Some(number) {
            at = editor.probe(at, &[root], &mut probes);
        }
        let conjuncts = editor.conjuncts(root);
        let last = conjuncts.len().saturating_sub(1);
        for (place, part) in conjuncts.into_iter().enumerate() {
            let next = if place == last { behind } else { editor.location(function) };
            let failure = editor.location(function);
            editor.branch_if_defined(at, part, [next, failure], Some(failure));
            checks.insert(editor.fail(failure, behind), (number, part));
            at = next;
        }
    }
    Ok(Checked { program: Arc::new(editor.finish()), checks, probes })
}

/// The claims for verifiers that can use them; the locations have other names in the program with checks.
fn as_hints(program: &Program, claims: &[Claim]) -> Invariants {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let hint = |claim: &Claim| Invariant {
        location: Arc::clone(names.name(claim.at)),
        kind: InvariantKind::Loop,
        expression: Condition::in_function(claim.function.as_str(), claim.text.as_str()),
        origin: "witness".into(),
        checked: false,
    };
    claims.iter().map(hint).collect()
}

/// Executes a test that fails a check, or reaches the error itself.
fn refuted(task: &Task, claims: &[Claim], checked: &Checked, test: &TestCase) -> Answer {
    let unclear = |why: &str| Answer::Unknown(format!("a violation was found, but its test does not show it: {why}"));
    let Some((exit, _)) = execute(checked, &task.property, test) else { return unclear("it cannot be executed") };
    let Exit::Target(edge) = exit else { return unclear(&exit.to_string()) };
    let Some(&(number, part)) = checked.checks.get(&edge) else {
        let line = task.program.edge(edge).span.line;
        return Answer::Refuted(format!("the property does not hold: line {line} is reached{}", told_inputs(test)));
    };
    let Some(claim) = claims.get(number) else { return unclear("it fails an unknown check") };
    let text = checked.program.expr_to_c(part);
    let whole = if claim.text == text { String::new() } else { format!(" of `{}`", claim.text) };
    let values = values(task, claims, number, test).unwrap_or_default();
    let values = if values.is_empty() { String::new() } else { format!(" where {values}") };
    let kind = if claim.is_loop { "the loop invariant" } else { "the invariant" };
    Answer::Refuted(format!("{kind} `{text}`{whole} at {} does not hold{values}{}", claim.place(), told_inputs(test)))
}

fn told_inputs(test: &TestCase) -> String {
    let mut values: Vec<String> = test.values().take(MOST_INPUTS).map(|value| value.to_string()).collect();
    if values.is_empty() {
        return ", in a run without inputs".into();
    }
    if test.inputs.len() > MOST_INPUTS {
        values.push("…".into());
    }
    format!(", in the run with the inputs {}", values.join(", "))
}

fn execute(checked: &Checked, property: &Property, test: &TestCase) -> Option<(Exit, Runner)> {
    let targets = property.targets(&checked.program);
    let options = ExecutionOptions { targets, comparisons: !checked.probes.is_empty(), ..ExecutionOptions::default() };
    let executable = Executable::compile(Arc::clone(&checked.program), &options).ok()?;
    let mut runner = Runner::new(executable).ok()?;
    let run = Replayer::new(&checked.program).run(&mut runner, test, &LIMITS);
    Some((run.exit, runner))
}

/// The first claim that a test refutes when it is executed.
#[cfg(test)]
pub(super) fn failing_claim(task: &Task, claims: &[Claim], test: &TestCase) -> Result<Option<String>, String> {
    let function = error_function(&task.property).ok_or("there is no error function")?;
    let checked = instrument(&task.program, function, claims, None)?;
    let (exit, _) = execute(&checked, &task.property, test).ok_or("it cannot be executed")?;
    match exit {
        Exit::Target(edge) => Ok(checked.checks.get(&edge).map(|(_, part)| checked.program.expr_to_c(*part))),
        _ => Ok(None),
    }
}

/// The values of a claim's variables where it fails: `i = 7, n = 3`.
fn values(task: &Task, claims: &[Claim], number: usize, test: &TestCase) -> Option<String> {
    let function = error_function(&task.property)?;
    let probed = instrument(&task.program, function, claims, Some(number)).ok()?;
    let (_, runner) = execute(&probed, &task.property, test)?;
    let last = probed_values(&probed.program, &probed.probes, runner.comparisons());
    let shown: Vec<String> = last.iter().map(|(place, value)| format!("{place} = {value}")).collect();
    Some(shown.join(", "))
}
