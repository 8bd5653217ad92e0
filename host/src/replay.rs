//! Runs test cases: their texts become the bits that input functions return, and an execution shows what they do. A
//! claim of an error counts only if a test reaches a target here.

pub mod guided;

use tandem_plugin_api::artifact::{InputValue, TestCase, TestInput, TestSuite, ValueError, ValueType};
use tandem_plugin_api::program::{EdgeId, FunctionId, Op, Program, Type};
use tandem_plugin_api::service::execution::{ConsumedInput, Execution, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::service::recorded::{TestedRun, test_case};

/// Limits for tests that reach the error: everything that executes a test again must get as far as the run that found
/// it.
pub const LIMITS: RunLimits = RunLimits { steps: 2_000_000_000, when_inputs_end: WhenInputsEnd::Stop };

/// The run of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRun {
    pub exit: Exit,
    /// How many of the test's inputs were read.
    pub used: usize,
    /// The first input that its function cannot return. The run was made with the inputs before it.
    pub problem: Option<InputProblem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputProblem {
    /// Counted from 0.
    pub input: usize,
    pub function: String,
    pub error: ValueError,
}

impl std::fmt::Display for InputProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "input {} ({}): {}", self.input + 1, self.function, self.error)
    }
}

/// Runs the tests of one program.
pub struct Replayer<'p> {
    program: &'p Program,
    /// By function: what it returns, where that is a scalar.
    results: Vec<Option<ValueType>>,
    /// The type of all inputs, where the program has input functions of one type only.
    only: Option<ValueType>,
}

impl<'p> Replayer<'p> {
    pub fn new(program: &'p Program) -> Self {
        let result = |function: usize| {
            let function = program.function(FunctionId::new(function));
            match program.types.get(function.ty) {
                Type::Function { result, .. } => ValueType::of(&program.types, *result),
                _ => None,
            }
        };
        let results: Vec<_> = (0..program.functions.len()).map(result).collect();
        let mut types = program.edges.iter().filter_map(|edge| match edge.op {
            Op::Input { function, .. } => results[function.index()],
            _ => None,
        });
        let first = types.next();
        let only = if types.all(|ty| Some(ty) == first) { first } else { None };
        Replayer { program, results, only }
    }

    /// Runs a test. The records of the execution are then those of the run that counts.
    ///
    /// A value has the type of the function that reads it, and which function that is may depend on the values before.
    /// So a run shows the types, and is repeated if they differ from those assumed. The inputs before the first such
    /// place then have their final types, so that there are at most as many runs as inputs.
    pub fn run(&self, execution: &mut dyn Execution, test: &TestCase, limits: &RunLimits) -> TestRun {
        let mut values: Vec<&InputValue> = test.values().collect();
        let mut types: Vec<Option<ValueType>> = test.inputs.iter().map(|input| self.guess(input)).collect();
        let mut bits: Vec<u64> = values.iter().zip(&types).map(|(value, ty)| guessed_bits(value, *ty)).collect();
        let mut problem = None;
        loop {
            let exit = execution.run(&bits, limits);
            let consumed = execution.consumed();
            let used = consumed.len().min(values.len());
            let mut repeat = false;
            for at in 0..used {
                let function = consumed[at].function;
                let Some(ty) = self.results.get(function.index()).copied().flatten() else { continue };
                if types[at] == Some(ty) {
                    continue;
                }
                match bits_as(values[at], ty) {
                    Ok(right) => {
                        repeat |= right & mask(ty) != bits[at] & mask(ty);
                        (types[at], bits[at]) = (Some(ty), right);
                    }
                    // After a repetition another function may read it.
                    Err(_) if repeat => {}
                    Err(error) => {
                        let function = self.program.function(function).name.clone();
                        problem = Some(InputProblem { input: at, function, error });
                        values.truncate(at);
                        bits.truncate(at);
                        repeat = true;
                        break;
                    }
                }
            }
            if !repeat || matches!(exit, Exit::Cancelled(_)) {
                return TestRun { exit, used, problem };
            }
        }
    }

    /// The inputs that a run read, as a test that gives the same run: exact and typed, without inputs that were not
    /// read.
    pub fn recorded(&self, consumed: &[ConsumedInput]) -> TestCase {
        test_case(self.program, consumed)
    }

    fn guess(&self, input: &TestInput) -> Option<ValueType> {
        input.value.value_type().or(self.only)
    }
}

/// The bits for a first run; text of an unknown type is most likely an integer.
fn guessed_bits(value: &InputValue, ty: Option<ValueType>) -> u64 {
    let guessed = ty.unwrap_or(ValueType::Int { width: 64, signed: true });
    bits_as(value, guessed).unwrap_or(0)
}

/// The bits with which a value is passed to an execution.
fn bits_as(value: &InputValue, ty: ValueType) -> Result<u64, ValueError> {
    let typed = match (value, ty) {
        (InputValue::Text(text), ValueType::Float(_)) => match hexadecimal_number(text) {
            Some(number) => InputValue::parse(&number, ty)?,
            None => value.typed(ty)?,
        },
        _ => value.typed(ty)?,
    };
    // An input that the test leaves open is zero. Executions pass 64 bits, also where the type has more.
    Ok(typed.bits().unwrap_or(0) as u64)
}

/// `0x1F` for a function that returns a float: test harnesses read it by `strtod`, that is, as a number, not as bits.
fn hexadecimal_number(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.trim_start_matches(['-', '+']);
    (digits.starts_with("0x") && !digits.contains('p')).then(|| format!("{text}p0"))
}

fn mask(ty: ValueType) -> u64 {
    u64::MAX >> (64 - ty.bits().clamp(1, 64))
}

/// Why a claimed violation is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    NoTests,
    /// The run of the first of them.
    NotReached {
        tests: usize,
        instead: String,
    },
    /// The run was told to stop.
    Cancelled,
}

impl std::fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unconfirmed::NoTests => f.write_str("no test was given that shows it"),
            Unconfirmed::NotReached { tests: 1, instead } => {
                write!(f, "its test does not reach the error when executed: {instead}")
            }
            Unconfirmed::NotReached { tests, instead } => {
                write!(f, "none of its {tests} tests reaches the error when executed; the first: {instead}")
            }
            Unconfirmed::Cancelled => f.write_str("there was no time to execute its tests"),
        }
    }
}

/// A test that was executed and reached a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// Exactly the inputs that were read.
    pub test: TestCase,
    pub target: EdgeId,
    /// The edges that were taken are known only where the execution counts them.
    pub run: TestedRun,
}

/// Executes tests until one reaches a target; those that claim to do so come first. The execution must have been made to
/// end at the targets.
pub fn confirm(
    program: &Program,
    execution: &mut dyn Execution,
    claimed: &TestSuite,
    limits: &RunLimits,
) -> Result<Confirmed, Unconfirmed> {
    let replayer = Replayer::new(program);
    let (certain, others): (Vec<_>, Vec<_>) = claimed.tests.iter().partition(|test| test.covers_error);
    let mut instead = None;
    for test in certain.into_iter().chain(others) {
        let run = replayer.run(execution, test, limits);
        match run.exit {
            Exit::Target(target) => return Ok(reaching(program, execution, target)),
            Exit::Cancelled(_) => return Err(Unconfirmed::Cancelled),
            _ => instead = instead.or_else(|| Some(describe(program, &run))),
        }
    }
    match instead {
        None => Err(Unconfirmed::NoTests),
        Some(instead) => Err(Unconfirmed::NotReached { tests: claimed.tests.len(), instead }),
    }
}

/// What an execution shows whose last run ended at a target.
pub fn reaching(program: &Program, execution: &dyn Execution, target: EdgeId) -> Confirmed {
    let inputs = execution.consumed().to_vec();
    let test = TestCase { covers_error: true, ..test_case(program, &inputs) };
    let taken = execution.coverage().iter().enumerate().filter(|(_, count)| **count > 0);
    let edges = taken.map(|(edge, _)| EdgeId::new(edge)).collect();
    let run = TestedRun { goals: vec![(target, inputs.len())], inputs, edges };
    Confirmed { test, target, run }
}

/// How a run ended, where, and what was wrong with the test.
pub fn describe(program: &Program, run: &TestRun) -> String {
    let problem = run.problem.as_ref().map_or(String::new(), |problem| format!("; {problem}"));
    format!("{}{problem}", run.exit.explained(program))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::service::execution::ComparedValues;

    /// Plays a program whose only behaviour is which input functions it calls, given the inputs so far; it reaches a target
    /// where all wanted inputs were read with these bits.
    struct Script<'p> {
        program: &'p Program,
        next: fn(&[u64]) -> Option<&'static str>,
        wanted: Vec<u64>,
        consumed: Vec<ConsumedInput>,
        runs: usize,
    }

    impl Execution for Script<'_> {
        fn run(&mut self, inputs: &[u64], _: &RunLimits) -> Exit {
            self.runs += 1;
            self.consumed.clear();
            let mut read = Vec::new();
            while let Some(name) = (self.next)(&read) {
                let function = self.program.function_named(name).unwrap();
                let Some(&bits) = inputs.get(read.len()) else { return Exit::InputsEnded(EdgeId(0)) };
                let ty = Replayer::new(self.program).results[function.index()].unwrap();
                read.push(bits & mask(ty));
                self.consumed.push(ConsumedInput { function, edge: EdgeId(0), bits: bits & mask(ty) });
            }
            if read == self.wanted { Exit::Target(EdgeId(0)) } else { Exit::Returned(0) }
        }

        fn consumed(&self) -> &[ConsumedInput] {
            &self.consumed
        }

        fn coverage(&self) -> &[u8] {
            &[]
        }

        fn decisions(&self) -> &[u8] {
            &[]
        }

        fn comparisons(&self) -> &[ComparedValues] {
            &[]
        }

        fn steps(&self) -> u64 {
            0
        }
    }

    const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);\nextern float __VERIFIER_nondet_float(void);\n\
        extern double __VERIFIER_nondet_double(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
        int main(void) { int a = __VERIFIER_nondet_int(); float f = __VERIFIER_nondet_float();\n\
        double d = __VERIFIER_nondet_double(); _Bool b = __VERIFIER_nondet_bool(); return a + f + d + b; }\n";

    fn text_test(texts: &[&str]) -> TestCase {
        TestCase::of(texts.iter().map(|&text| InputValue::Text(text.into())))
    }

    /// The type of every input but the first is chosen by the one before: even means float, odd means double.
    fn chained(read: &[u64]) -> Option<&'static str> {
        let value = |bits: u64, at: usize| match at {
            0 => bits as i32 as f64,
            _ if bits > u64::from(u32::MAX) => f64::from_bits(bits),
            _ => f64::from(f32::from_bits(bits as u32)),
        };
        match read.len() {
            0 => Some("__VERIFIER_nondet_int"),
            4 => None,
            at if value(read[at - 1], at - 1) % 2.0 == 0.0 => Some("__VERIFIER_nondet_float"),
            _ => Some("__VERIFIER_nondet_double"),
        }
    }

    #[test]
    fn values_get_the_type_of_the_function_that_reads_them() {
        let program = load_text(PROGRAM, "p.c", DataModel::Ilp32).unwrap();
        let bits = [2u32 as u64, 3f32.to_bits().into(), 4f64.to_bits(), 5f32.to_bits().into()];
        let mut script =
            Script { program: &program, next: chained, wanted: bits.to_vec(), consumed: Vec::new(), runs: 0 };
        let replayer = Replayer::new(&program);
        let run = replayer.run(&mut script, &text_test(&["2", "3", "0x4", "5", "unused"]), &RunLimits::default());
        assert_eq!((run.exit, run.used, &run.problem), (Exit::Target(EdgeId(0)), 4, &None));
        assert!(script.runs <= 5, "{}", script.runs);
        let recorded = replayer.recorded(script.consumed());
        let texts: Vec<String> = recorded.values().map(InputValue::to_string).collect();
        assert_eq!(texts, ["2", "3.0", "4.0", "5.0"]);
        let types: Vec<_> = recorded.inputs.iter().map(|input| input.type_name.clone().unwrap()).collect();
        assert_eq!(types, ["int", "float", "double", "float"]);
        // The recorded inputs give the same run at once.
        script.runs = 0;
        assert_eq!(replayer.run(&mut script, &recorded, &RunLimits::default()).exit, Exit::Target(EdgeId(0)));
        assert_eq!(script.runs, 1);
    }

    #[test]
    fn an_input_that_cannot_be_read_ends_the_test_there() {
        let program = load_text(PROGRAM, "p.c", DataModel::Ilp32).unwrap();
        let mut script = Script { program: &program, next: chained, wanted: vec![], consumed: Vec::new(), runs: 0 };
        let test = text_test(&["2", "three", "4", "5"]);
        let run = Replayer::new(&program).run(&mut script, &test, &RunLimits::default());
        assert_eq!((run.exit, run.used), (Exit::InputsEnded(EdgeId(0)), 1));
        let problem = run.problem.unwrap();
        assert_eq!((problem.input, problem.function.as_str()), (1, "__VERIFIER_nondet_float"));
        assert!(problem.to_string().starts_with("input 2 (__VERIFIER_nondet_float): `three` is not"), "{problem}");
    }

    fn one_bool(read: &[u64]) -> Option<&'static str> {
        [Some("__VERIFIER_nondet_bool"), None][read.len()]
    }

    #[test]
    fn a_claim_counts_only_if_it_is_reached() {
        let program = load_text(PROGRAM, "p.c", DataModel::Ilp32).unwrap();
        let mut script = Script { program: &program, next: one_bool, wanted: vec![1], consumed: Vec::new(), runs: 0 };
        let mut confirm =
            |tests: Vec<TestCase>| confirm(&program, &mut script, &TestSuite { tests }, &RunLimits::default());
        assert_eq!(confirm(vec![]), Err(Unconfirmed::NoTests));
        let no = text_test(&["0"]);
        let unconfirmed = confirm(vec![no.clone(), no.clone()]).unwrap_err();
        assert_eq!(
            unconfirmed.to_string(),
            "none of its 2 tests reaches the error when executed; the first: main returned 0"
        );
        // As C converts to _Bool; 256 has no bit in common with 1.
        let yes = TestCase { covers_error: true, ..text_test(&["256", "9"]) };
        let confirmed = confirm(vec![no, yes]).unwrap();
        assert!(confirmed.test.covers_error);
        assert_eq!(confirmed.test.values().map(InputValue::to_string).collect::<Vec<_>>(), ["1"]);
    }
}
