//! Whether formulas and execution agree: an executed path is satisfiable with the inputs of the run and computes the
//! run's final memory; the inputs of a model of the path take that path. The same for a path with one decision
//! inverted.

mod joined;
mod path;
mod query;

pub use joined::Joined;
pub use path::{Path, executed_path};

use crate::random_c::Rng;
use query::{Valuation, check, dependence, inputs};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem::exec::{Executable, Runner};
use tandem::smt::encode::Encoder;
use tandem::smt::solver::{self, Answer, Queries};
use tandem::smt::state::State;
use tandem::smt::term::{FALSE, Order, Sort, Term, Value};
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::execution::*;

/// The limits of the comparison.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Loop iterations and calls of a run.
    pub steps: u64,
    /// Edges of its path; the rest is cut off.
    pub edges: usize,
    /// For the formulas of one path.
    pub encoding_time: Duration,
    /// For one query.
    pub solver_time: Duration,
    /// Hazards are mistakes: the program does nothing undefined.
    pub defined: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            steps: 2000,
            edges: 4000,
            encoding_time: Duration::from_secs(2),
            solver_time: Duration::from_secs(2),
            defined: false,
        }
    }
}

/// The result for one program and one run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub edges: usize,
    pub complete: bool,
    /// Bytes of globals that were compared with what the run left.
    pub bytes: usize,
    /// Paths that a model's inputs took.
    pub followed: usize,
    /// Why something was not checked or may differ.
    pub allowed: Vec<String>,
    pub disagreements: Vec<String>,
    /// The inputs that the run read.
    pub inputs: Vec<u64>,
    /// Inputs that take another path.
    pub elsewhere: Option<Vec<u64>>,
}

/// One program with what is needed to compare.
pub struct Subject {
    pub program: Arc<Program>,
    /// The program that the formulas describe: the program itself, except in tests that a difference is noticed.
    pub described: Arc<Program>,
    executable: Arc<Executable>,
    runner: Runner,
    settings: Settings,
}

/// Formulas of one path.
struct Followed {
    state: State,
    hazards: Vec<Term>,
    /// Arguments of allocations.
    sizes: Vec<Term>,
    /// How many edges were followed.
    edges: usize,
    decisions: usize,
    inputs: usize,
    /// The state in which a decision is due, its number, and the edge that was not taken.
    turned: Option<(State, usize, EdgeId)>,
}

impl Subject {
    pub fn new(program: Arc<Program>, settings: Settings) -> Result<Self, String> {
        let options = ExecutionOptions { coverage: true, decisions: true, ..ExecutionOptions::default() };
        let executable = Executable::compile(program.clone(), &options).map_err(|error| error.to_string())?;
        let runner = Runner::new(executable.clone()).map_err(|error| error.to_string())?;
        Ok(Subject { described: program.clone(), program, executable, runner, settings })
    }

    fn line(&self, edge: EdgeId) -> String {
        let span = self.program.edge(edge).span;
        format!("{}:{}, edge {edge}", self.program.file_name(span), span.line)
    }

    fn run(&mut self, inputs: &[u64], when_inputs_end: WhenInputsEnd) -> Exit {
        self.runner.run(inputs, &RunLimits { steps: self.settings.steps, when_inputs_end })
    }

    /// Whether no run reads an input.
    pub fn reads_nothing(&self) -> bool {
        !self.program.edges.iter().any(|edge| matches!(edge.op, Op::Input { .. }))
    }

    /// Compares for these inputs, and behind them the random ones that a seed names.
    pub fn pair(&mut self, first: &[u64], seed: u64) -> Report {
        let mut report = Report::default();
        let exit = self.run(first, WhenInputsEnd::Random(seed));
        let consumed: Vec<u64> = self.runner.consumed().iter().map(|input| input.bits).collect();
        report.inputs.clone_from(&consumed);
        let path = match executed_path(&self.program, &self.runner, exit, self.settings.edges) {
            Ok(path) => path,
            Err(message) => {
                report.disagreements.push(format!("the recorded path makes no sense: {message}"));
                return report;
            }
        };
        let mut encoder = Encoder::new(self.described.clone());
        let mut solver = solver::start();
        let mut valuation = Valuation::default();
        let Some(followed) = self.follow(&mut encoder, &mut valuation, &path, &consumed, seed, &mut report) else {
            return report;
        };
        report.edges = followed.edges;
        report.complete = path.complete && followed.edges == path.edges.len();
        self.executed_is_satisfiable(&mut encoder, &mut solver, &mut valuation, &followed, &consumed, &mut report);
        if report.complete {
            self.compare_globals(&mut encoder, &mut valuation, &followed.state, &mut report);
        }
        if !report.disagreements.is_empty() {
            return report;
        }
        let decisions = self.runner.decisions().to_vec();
        let taken = decisions[..followed.decisions].to_vec();
        let mut conditions = modest(&mut encoder, &followed.sizes);
        for &hazard in &followed.hazards {
            conditions.push(encoder.terms.not(hazard));
        }
        let state = &followed.state;
        self.model_follows(&mut encoder, &mut solver, state, &conditions, &taken, "the path", &mut report);
        if let Some((before, number, edge)) = followed.turned {
            let first = encoder.hazards.len();
            let state = encoder.post(&before, edge);
            for hazard in first..encoder.hazards.len() {
                let hazard = encoder.hazards[hazard].condition;
                conditions.push(encoder.terms.not(hazard));
            }
            let mut turned = decisions[..=number].to_vec();
            turned[number] ^= 1;
            self.model_follows(&mut encoder, &mut solver, &state, &conditions, &turned, "a turned path", &mut report);
        }
        report
    }

    /// Pushes a state along the path, up to where the formulas do not describe what happens.
    fn follow(
        &self,
        encoder: &mut Encoder,
        valuation: &mut Valuation,
        path: &Path,
        consumed: &[u64],
        seed: u64,
        report: &mut Report,
    ) -> Option<Followed> {
        let state = encoder.initial();
        valuation.place_globals(encoder, &state, &self.executable);
        let turn_at = Rng::new(seed ^ 0x7e57).below(path.decisions.max(1) as u64) as usize;
        let mut followed =
            Followed { state, hazards: Vec::new(), sizes: Vec::new(), edges: 0, decisions: 0, inputs: 0, turned: None };
        let started = Instant::now();
        for &edge in &path.edges {
            if started.elapsed() > self.settings.encoding_time {
                report.allowed.push("the formulas take too long".into());
                break;
            }
            let first = encoder.hazards.len();
            let next = encoder.post(&followed.state, edge);
            if let Op::Input { .. } = self.program.edge(edge).op {
                if let (Some(input), Some(&bits)) = (inputs(&next).last(), consumed.get(followed.inputs)) {
                    valuation.set_input(&encoder.terms, input, bits);
                }
                followed.inputs += 1;
            }
            let sizes = self.allocation_sizes(encoder, &followed.state, edge);
            followed.sizes.extend(sizes);
            let new: Vec<_> = encoder.hazards[first..].to_vec();
            if let Some(hazard) = new.iter().find(|h| valuation.truth(&encoder.terms, h.condition) != Some(false)) {
                let sure = valuation.truth(&encoder.terms, hazard.condition).is_some();
                let message = format!("hazard: {}", hazard.kind.describe());
                if self.settings.defined && sure {
                    report.disagreements.push(format!("{message}, at {}", self.line(edge)));
                    return None;
                }
                let cause = dependence(encoder, valuation, hazard.condition).unwrap_or("inputs");
                let open =
                    if sure { format!(", at {}", self.line(edge)) } else { format!(", perhaps, because of {cause}") };
                report.allowed.push(format!("{message}{open}"));
                break;
            }
            if let Op::Assume { .. } = self.program.edge(edge).op
                && let [a, b] = *self.program.location(self.program.edge(edge).from).leaving.as_slice()
            {
                if followed.decisions == turn_at {
                    let other = if a == edge { b } else { a };
                    followed.turned = Some((followed.state.clone(), turn_at, other));
                }
                followed.decisions += 1;
            }
            followed.hazards.extend(new.iter().map(|hazard| hazard.condition));
            if next.guard == FALSE || valuation.truth(&encoder.terms, next.guard) == Some(false) {
                let text = format!("an executed edge cannot be passed at {}", self.line(edge));
                report.disagreements.push(text);
                return None;
            }
            followed.state = next;
            followed.edges += 1;
        }
        Some(followed)
    }

    /// The arguments of an allocation.
    fn allocation_sizes(&self, encoder: &mut Encoder, state: &State, edge: EdgeId) -> Vec<Term> {
        let program = encoder.program.clone();
        let Op::External(site) = program.edge(edge).op else { return Vec::new() };
        let name = program.called_function(edge).map(|callee| program.function(callee).name.as_str());
        if !matches!(name, Some("malloc" | "calloc" | "alloca" | "__builtin_alloca")) {
            return Vec::new();
        }
        program.call_site(site).arguments.iter().map(|&argument| encoder.value_of(state, argument)).collect()
    }

    /// The guard together with the inputs of the run.
    fn executed_is_satisfiable(
        &self,
        encoder: &mut Encoder,
        solver: &mut Queries,
        valuation: &mut Valuation,
        followed: &Followed,
        consumed: &[u64],
        report: &mut Report,
    ) {
        if valuation.truth(&encoder.terms, followed.state.guard) == Some(true) {
            return;
        }
        let mut conditions = vec![followed.state.guard];
        for (input, bits) in inputs(&followed.state).iter().zip(consumed) {
            let term = match query::input_symbol(&encoder.terms, input.value) {
                Some(symbol) => {
                    let width = match encoder.terms.symbol_sort(symbol) {
                        Sort::Bits(width) => width,
                        _ => 0,
                    };
                    match encoder.terms.node(input.value) {
                        tandem::smt::term::Node::FloatFromBits(_, word) => {
                            let value = encoder.terms.bits(width, (*bits).into());
                            encoder.terms.eq(word, value)
                        }
                        _ => {
                            let width = encoder.terms.width(input.value);
                            let value = encoder.terms.bits(width, (*bits).into());
                            encoder.terms.eq(input.value, value)
                        }
                    }
                }
                None => continue,
            };
            conditions.push(term);
        }
        match check(encoder, solver, &conditions, self.settings.solver_time) {
            Answer::Sat(_) => {}
            Answer::Unsat { .. } => {
                report.disagreements.push("the executed path is unsatisfiable with its inputs".into())
            }
            Answer::Unknown(reason) => report.allowed.push(format!("executed path: the solver gave up: {reason}")),
        }
    }

    /// Compares the globals at the end of the path and of the run.
    fn compare_globals(
        &mut self,
        encoder: &mut Encoder,
        valuation: &mut Valuation,
        state: &State,
        report: &mut Report,
    ) {
        let program = self.program.clone();
        for (index, variable) in program.variables.iter().enumerate().filter(|(_, v)| !v.is_local()) {
            let id = VarId::new(index);
            let (Some(address), Some(size)) = (self.executable.address(id), program.types.size_of(variable.ty)) else {
                continue;
            };
            let size = size.min(2048) as u32;
            let Some(memory) = self.runner.memory(address, size).map(<[u8]>::to_vec) else { continue };
            for (offset, expected) in memory.chunks(4).enumerate().map(|(at, chunk)| (at * 4, chunk)) {
                let Some(term) = word_of(encoder, state, id, offset as u64, expected.len() as u32) else { continue };
                let Some(Value::Bits(value)) = valuation.value(&encoder.terms, term) else { continue };
                report.bytes += expected.len();
                if value.to_le_bytes()[..expected.len()] != *expected {
                    report.disagreements.push(format!(
                        "`{}` at byte {offset}: the run left {expected:02x?}, the formula says {:02x?}",
                        variable.name,
                        &value.to_le_bytes()[..expected.len()]
                    ));
                    return;
                }
            }
        }
    }

    /// Executes the inputs of a model.
    #[allow(clippy::too_many_arguments, reason = "called in two places, with two paths")]
    fn model_follows(
        &mut self,
        encoder: &mut Encoder,
        solver: &mut Queries,
        state: &State,
        conditions: &[Term],
        decisions: &[u8],
        what: &str,
        report: &mut Report,
    ) {
        let mut all = vec![state.guard];
        all.extend(conditions);
        let mut model = match check(encoder, solver, &all, self.settings.solver_time) {
            Answer::Sat(model) => model,
            Answer::Unsat { .. } if what == "the path" => {
                // Unless the run itself allocates more than the conditions allow.
                return match check(encoder, solver, &all[..1], self.settings.solver_time) {
                    Answer::Unsat { .. } => report.disagreements.push("an executed path has no model".into()),
                    _ => report.allowed.push(format!("{what} needs large blocks")),
                };
            }
            Answer::Unsat { .. } => return,
            Answer::Unknown(reason) => return report.allowed.push(format!("{what}: the solver gave up: {reason}")),
        };
        model.otherwise_zero = true;
        let mut chosen = Valuation::of(model);
        let mut fixed = Valuation::default();
        fixed.place_globals(encoder, state, &self.executable);
        let mut vector = Vec::new();
        for input in inputs(state) {
            let value = query::input_symbol(&encoder.terms, input.value)
                .and_then(|symbol| chosen.assignment.value(symbol, encoder.terms.symbol_sort(symbol)));
            let bits = match value {
                Some(Value::Bits(bits)) => bits as u64,
                Some(Value::Bool(bit)) => bit.into(),
                _ => 0,
            };
            fixed.set_input(&encoder.terms, &input, bits);
            vector.push(bits);
        }
        if chosen.truth(&encoder.terms, state.guard) == Some(false) {
            return report.disagreements.push(format!("{what}: the model does not satisfy the guard"));
        }
        let exit = self.run(&vector, WhenInputsEnd::Zero);
        let ran = self.runner.decisions();
        let common = ran.iter().zip(decisions).take_while(|(a, b)| a == b).count();
        if common == decisions.len() {
            report.followed += 1;
            report.elsewhere = Some(vector);
            return;
        }
        let stays = fixed.truth(&encoder.terms, state.guard);
        if stays != Some(true) {
            // False only if globals lie elsewhere than in the model.
            let cause = if stays.is_some() { Some("addresses") } else { dependence(encoder, &mut fixed, state.guard) };
            let cause = cause.unwrap_or("something that is not evaluated");
            return report.allowed.push(format!("{what} depends on {cause}"));
        }
        report.disagreements.push(format!(
            "{what}: a model's inputs {vector:x?} leave it at decision {common} of {}: {exit}{}",
            decisions.len(),
            exit.edge().map(|edge| format!(" at {}", self.line(edge))).unwrap_or_default()
        ));
    }
}

/// Restricts allocations to the sizes that execution supports: formulas know no limit.
fn modest(encoder: &mut Encoder, sizes: &[Term]) -> Vec<Term> {
    let terms = &mut encoder.terms;
    let small = |&size: &Term| {
        let most = terms.bits(terms.width(size), 1 << 12);
        terms.compare(Order::ULe, size, most)
    };
    sizes.iter().map(small).collect()
}

/// Some bytes of a global as one word.
fn word_of(encoder: &mut Encoder, state: &State, id: VarId, offset: u64, size: u32) -> Option<Term> {
    let terms = &mut encoder.terms;
    if let Some(object) = state.places.get(&id) {
        let mut contents = state.memory.get(object)?.clone();
        return Some(contents.read(terms, offset, size));
    }
    let value = *state.values.get(&id)?;
    let word = match terms.sort(value) {
        Sort::Float(_) => terms.float_to_bits(value),
        _ => value,
    };
    let (low, width) = (offset as u32 * 8, terms.width(word));
    (low + size * 8 <= width).then(|| terms.extract(low + size * 8 - 1, low, word))
}
