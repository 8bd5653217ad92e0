//! The counterexample step by step: executes the test once more, with all variables in memory, where they can be read.

use super::values::Values;
use crate::artifact::html::shortened;
use crate::exec::trace::{Change, Kept, Step, Trace, Watch};
use crate::exec::{Executable, Runner};
use crate::replay::{LIMITS, Replayer};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tandem_plugin_api::artifact::TestCase;
use tandem_plugin_api::program::{EdgeId, FunctionId, Op, Program, VarId};
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit};
use tandem_plugin_api::service::{StopReason, StopSignal};

/// Steps that are kept at both ends of a run that has more.
pub const FIRST: u64 = 2_000;
pub const LAST: u64 = 3_000;
/// A run that takes longer is not followed.
const TIME: Duration = Duration::from_secs(20);

/// The steps of a run, as a page shows them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Followed {
    pub steps: Vec<ShownStep>,
    /// How many there were.
    pub total: u64,
    /// The globals, then by function that was called: its name and variables.
    pub frames: Vec<ShownFrame>,
    /// By the numbers that steps use: the text of an edge.
    pub texts: Vec<String>,
    pub inputs: Vec<ShownInput>,
    /// How the run ended.
    pub end: String,
    #[serde(skip)]
    pub target: Option<EdgeId>,
    /// Edges that were taken, target included.
    #[serde(skip)]
    pub taken: Vec<EdgeId>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct ShownFrame {
    pub function: String,
    pub variables: Vec<ShownVariable>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ShownVariable {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    /// Set if several variables of the function have the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// An input of a test.
#[derive(Clone, Debug, Serialize)]
pub struct ShownInput {
    pub function: String,
    pub line: u32,
    pub value: String,
}

/// One step; the names are short, since there may be thousands of steps.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ShownStep {
    #[serde(rename = "i")]
    pub number: u64,
    #[serde(rename = "l")]
    pub line: u32,
    #[serde(rename = "x")]
    pub texts: Vec<usize>,
    #[serde(rename = "r", skip_serializing_if = "is_zero")]
    pub returned: usize,
    /// Frames that were entered.
    #[serde(rename = "e", skip_serializing_if = "Vec::is_empty")]
    pub entered: Vec<usize>,
    /// Position in the stack, variable, value.
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<(usize, usize, String)>,
    /// The location in the program.
    #[serde(rename = "g")]
    pub location: u32,
    #[serde(skip)]
    pub edges: Vec<EdgeId>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Follows the test to the target, within a time. The error says why that is not possible.
pub fn follow(
    program: &Arc<Program>,
    targets: &[EdgeId],
    test: &TestCase,
    time: Option<Duration>,
) -> Result<Followed, String> {
    let options = ExecutionOptions { targets: targets.to_vec(), ..ExecutionOptions::default() };
    let executable = Executable::compile_traced(program.clone(), &options).map_err(|error| error.to_string())?;
    let stop = StopSignal::new();
    let timer = stop_later(&stop, time.unwrap_or(TIME).min(TIME));
    let mut runner = Runner::with_stop_signal(executable.clone(), stop).map_err(|error| error.to_string())?;
    let replayer = Replayer::new(program);
    let run = replayer.run(&mut runner, test, &LIMITS);
    let Exit::Target(target) = run.exit else {
        let depends = "what the run does depends on uninitialised memory";
        return Err(match run.exit {
            Exit::Cancelled(_) => "the run takes too long to be followed step by step".to_string(),
            _ => format!("with all variables in memory the run ends otherwise ({}): {depends}", run.exit),
        });
    };
    let inputs = runner.consumed().to_vec();
    let bits: Vec<u64> = inputs.iter().map(|input| input.bits).collect();
    let (mut exit, mut trace) = runner.trace(&bits, &LIMITS, Kept { first: FIRST + LAST, from: u64::MAX });
    if trace.total > FIRST + LAST {
        (exit, trace) = runner.trace(&bits, &LIMITS, Kept { first: FIRST, from: trace.total - LAST });
    }
    drop(timer);
    if !matches!(exit, Exit::Target(_)) {
        return Err(format!("the run could not be followed: {exit}"));
    }
    let Some(watch) = executable.watch() else { return Err("the program is not watched".into()) };
    let mut shown = shown(program, &executable, watch, &trace);
    let recorded = replayer.recorded(&inputs);
    shown.inputs = inputs
        .iter()
        .zip(&recorded.inputs)
        .map(|(read, input)| ShownInput {
            function: program.function(read.function).name.clone(),
            line: program.edge(read.edge).span.physical_line,
            value: input.value.to_string(),
        })
        .collect();
    shown.end = crate::replay::describe(program, &run);
    shown.target = Some(target);
    Ok(shown)
}

/// Ends the run when its time is over; dropping the sender ends the wait.
fn stop_later(stop: &StopSignal, time: Duration) -> std::sync::mpsc::Sender<()> {
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let stop = stop.clone();
    // Without a thread, only the limit on steps ends the run.
    let _ = std::thread::Builder::new().name("trace".into()).spawn(move || {
        if receiver.recv_timeout(time) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            stop.stop(StopReason::OutOfTime);
        }
    });
    sender
}

fn shown(program: &Program, executable: &Executable, watch: &Watch, trace: &Trace) -> Followed {
    let values = Values::new(program, executable, watch);
    let mut numbers =
        Numbers { program, watch, frames: Vec::new(), by_function: BTreeMap::new(), texts: BTreeMap::new() };
    numbers.frame(None);
    let mut stack: Vec<(FunctionId, u32)> = Vec::new();
    let mut steps = Vec::new();
    for step in &trace.steps {
        stack.truncate(stack.len().saturating_sub(step.returned));
        stack.extend(&step.entered);
        let change = |change: &Change| {
            let function = change.frame.checked_sub(1).and_then(|at| stack.get(at)).map(|(function, _)| *function);
            let slot = watch.slots(function).get(change.slot)?;
            let ty = program.variable(slot.variable).ty;
            let text = values.text(ty, &change.bytes, change.behind.as_deref(), &stack);
            Some((change.frame, change.slot, text))
        };
        let changes = step.changes.iter().filter_map(change).collect();
        steps.push(numbers.step(step, changes));
    }
    let mut taken: Vec<EdgeId> = trace.steps.iter().flat_map(|step| step.edges.iter().copied()).collect();
    taken.sort_unstable();
    taken.dedup();
    let mut texts: Vec<(usize, EdgeId)> = numbers.texts.iter().map(|(edge, number)| (*number, *edge)).collect();
    texts.sort_unstable();
    let texts = texts.into_iter().map(|(_, edge)| edge_text(program, edge)).collect();
    Followed { steps, total: trace.total, frames: numbers.frames, texts, taken, ..Followed::default() }
}

/// The text of an edge, for a reader who sees the source beside it.
fn edge_text(program: &Program, edge: EdgeId) -> String {
    let text = match &program.edge(edge).op {
        Op::Assume { condition, holds } => {
            format!("{} is {}", program.expr_to_c(*condition), if *holds { "true" } else { "false" })
        }
        _ => program.edge_text(edge).trim_end_matches(';').to_string(),
    };
    shortened(&text, 200)
}

/// Gives frames and texts the numbers by which steps name them.
struct Numbers<'p> {
    program: &'p Program,
    watch: &'p Watch,
    frames: Vec<ShownFrame>,
    by_function: BTreeMap<Option<FunctionId>, usize>,
    texts: BTreeMap<EdgeId, usize>,
}

impl Numbers<'_> {
    fn step(&mut self, step: &Step, changes: Vec<(usize, usize, String)>) -> ShownStep {
        let entered = step.entered.iter().map(|(function, _)| self.frame(Some(*function))).collect();
        let texts = step.edges.iter().map(|edge| {
            let next = self.texts.len();
            *self.texts.entry(*edge).or_insert(next)
        });
        let texts = texts.collect();
        let first = step.edges.first().copied();
        ShownStep {
            number: step.number,
            line: first.map_or(0, |edge| self.program.edge(edge).span.physical_line),
            texts,
            returned: step.returned,
            entered,
            changes,
            location: first.map_or(0, |edge| self.program.edge(edge).from.0),
            edges: step.edges.clone(),
        }
    }

    fn frame(&mut self, function: Option<FunctionId>) -> usize {
        if let Some(&known) = self.by_function.get(&function) {
            return known;
        }
        let program = self.program;
        let name = |id: VarId| program.variable(id).name.as_str();
        let slots = self.watch.slots(function);
        let variable = |at: usize| {
            let id = slots[at].variable;
            let is_twin = slots.iter().enumerate().any(|(other, slot)| other != at && name(slot.variable) == name(id));
            ShownVariable {
                name: name(id).to_string(),
                ty: program.type_to_c(program.variable(id).ty).trim().to_string(),
                line: is_twin.then(|| program.variable(id).span.physical_line),
            }
        };
        let variables = (0..slots.len()).map(variable).collect();
        let function_name = function.map_or(String::new(), |id| program.function(id).name.clone());
        self.frames.push(ShownFrame { function: function_name, variables });
        self.by_function.insert(function, self.frames.len() - 1);
        self.frames.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::artifact::InputValue;
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::task::{Property, Task};

    const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); void reach_error(void) {}\n";

    fn followed(text: &str, inputs: &[i128]) -> Result<Followed, String> {
        let program = Arc::new(load_text(&format!("{PRELUDE}{text}"), "p.c", DataModel::Lp64).unwrap());
        let task = Task::new(program.clone(), Property::UnreachableCall { function: "reach_error".into() });
        let test = TestCase::of(inputs.iter().map(|value| InputValue::integer(32, true, *value)));
        follow(&program, &task.targets, &test, None)
    }

    /// The line, the functions called, and the variables with their values, innermost function first.
    type State = (u32, String, Vec<(String, String)>);

    fn states(followed: &Followed) -> Vec<State> {
        let mut stack: Vec<(usize, BTreeMap<usize, String>)> = vec![(0, BTreeMap::new())];
        let mut states = Vec::new();
        for step in &followed.steps {
            stack.truncate(stack.len() - step.returned);
            stack.extend(step.entered.iter().map(|frame| (*frame, BTreeMap::new())));
            for (frame, variable, text) in &step.changes {
                stack[*frame].1.insert(*variable, text.clone());
            }
            let names: Vec<&str> =
                stack[1..].iter().map(|(frame, _)| followed.frames[*frame].function.as_str()).collect();
            let values = stack.iter().rev().flat_map(|(frame, values)| {
                let name = |variable: &usize| followed.frames[*frame].variables[*variable].name.clone();
                values.iter().map(|(variable, value)| (name(variable), value.clone())).collect::<Vec<_>>()
            });
            states.push((step.line, names.join(" "), values.collect()));
        }
        states
    }

    fn value<'s>(state: &'s State, name: &str) -> Option<&'s str> {
        state.2.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn recursion_has_a_frame_for_each_call() {
        let text = "int fact(int n) {\n  int r = 1;\n  if (n > 1)\n    r = n * fact(n - 1);\n  return r;\n}\n\
                    int main(void) {\n  int x = fact(3);\n  if (x == 6)\n    reach_error();\n  return 0;\n}\n";
        let states = states(&followed(text, &[]).unwrap());
        let deepest = states.iter().find(|state| state.1 == "main fact fact fact" && state.0 == 6).unwrap();
        let locals: Vec<&str> = deepest.2.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(locals, ["1", "1", "2", "1", "3", "1"], "n and r of each call, the innermost first");
        let last = states.last().unwrap();
        assert_eq!((last.0, last.1.as_str(), value(last, "x")), (11, "main", Some("6")));
        // `x` has no value before the call returns.
        assert!(states.iter().filter(|state| state.1 != "main").all(|state| value(state, "x").is_none()));
    }

    #[test]
    fn values_are_written_as_c_programmers_read_them() {
        let text = "#define NULL 0\nstruct s { int a; unsigned b : 3; struct s *next; } g;\nint main(void) {\n\
            char c = 'A'; unsigned char u = 200; double d = 0.5; int arr[3] = {1, -2, 3}; char str[4] = \"hi\";\n\
            int *p = &arr[2]; struct s *q = &g; int (*f)(void) = main; _Bool yes = 1; long big = -1L << 40;\n\
            g.a = 7; g.b = 5; g.next = &g;\n  reach_error();\n}\n";
        let followed = followed(&text.replace("#define NULL 0\n", "\n"), &[]).unwrap();
        let last = states(&followed).pop().unwrap();
        for (name, expected) in [
            ("c", "65 'A'"),
            ("u", "200"),
            ("d", "0.5"),
            ("arr", "[1, -2, 3]"),
            ("str", "\"hi\""),
            ("p", "&arr[2]"),
            ("q", "&g"),
            ("f", "&main"),
            ("yes", "1"),
            ("big", "-1099511627776"),
            ("g", "{.a = 7, .b = 5, .next = &g}"),
        ] {
            assert_eq!(value(&last, name), Some(expected), "{name}");
        }
    }

    #[test]
    fn what_is_behind_a_pointer_to_the_heap_is_shown() {
        let text = "void *malloc(unsigned long);\nstruct n { int v; struct n *next; };\nint main(void) {\n\
            struct n *a = malloc(sizeof *a);\n a->v = __VERIFIER_nondet_int();\n a->next = 0;\n\
            if (a->v == 9)\n reach_error(); }\n";
        let last = states(&followed(text, &[9]).unwrap()).pop().unwrap();
        let shown = value(&last, "a").unwrap();
        assert!(shown.starts_with("heap+0x") && shown.ends_with("→ {.v = 9, .next = NULL}"), "{shown}");
    }

    #[test]
    fn long_runs_keep_both_ends() {
        let text = "int main(void) {\n  int n = 0;\n  while (n < 20000)\n    n++;\n  reach_error();\n}\n";
        let followed = followed(text, &[]).unwrap();
        assert_eq!((followed.total, followed.steps.len() as u64), (40_003, FIRST + LAST));
        let states = states(&followed);
        assert_eq!((states[5].0, value(&states[5], "n")), (4, Some("2")));
        // The first step behind the gap has the values of that moment.
        let behind = &states[FIRST as usize];
        let number = followed.steps[FIRST as usize].number;
        assert_eq!(number, 40_003 - LAST);
        assert_eq!(value(behind, "n").map(str::to_string), Some(((number - 1) / 2).to_string()));
        assert_eq!(value(states.last().unwrap(), "n"), Some("20000"));
    }

    #[test]
    fn one_line_is_one_step_and_each_time_round_another() {
        let text = "int main(void) {\n  int i; for (i = 0; i < 3; i++) ;\n  if (i == 3) reach_error();\n}\n";
        let lines: Vec<u32> = followed(text, &[]).unwrap().steps.iter().map(|step| step.line).collect();
        assert_eq!(lines, [3, 3, 3, 4]);
    }

    #[test]
    fn a_test_that_reaches_nothing_is_told() {
        let text = "int main(void) {\n  if (__VERIFIER_nondet_int() == 5) reach_error();\n  return 0;\n}\n";
        assert!(followed(text, &[4]).unwrap_err().contains("main returned 0"));
        assert_eq!(followed(text, &[5]).unwrap().inputs[0].value, "5");
    }
}
