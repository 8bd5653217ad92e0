//! A small interpreter in the host's place, for programs whose variables are all of type `int`.

use std::sync::Arc;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, Callee, ExprKind};
use tandem_plugin_api::service::execution::{
    ComparedValues, ConsumedInput, Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd,
};
use tandem_plugin_api::service::{Budget, Note, Services, StopSignal};

pub struct Interpreter {
    program: Arc<Program>,
    options: ExecutionOptions,
    stop: StopSignal,
    variables: Vec<i32>,
    consumed: Vec<ConsumedInput>,
    coverage: Vec<u8>,
    comparisons: Vec<ComparedValues>,
    steps: u64,
}

impl Interpreter {
    pub fn new(program: Arc<Program>, options: &ExecutionOptions, stop: StopSignal) -> Self {
        let coverage = vec![0; program.edges.len()];
        let (consumed, comparisons) = (Vec::new(), Vec::new());
        let variables = vec![0; program.variables.len()];
        Interpreter { program, options: options.clone(), stop, variables, consumed, coverage, comparisons, steps: 0 }
    }

    fn value(&self, expr: ExprId) -> i32 {
        match self.program.exprs.kind(expr) {
            ExprKind::Int(value) => value as i32,
            ExprKind::Var(variable) => self.variables[variable.index()],
            ExprKind::Binary { op, lhs, rhs } => binary(op, self.value(lhs), self.value(rhs)),
            other => panic!("{other:?} is beyond this interpreter"),
        }
    }

    fn store(&mut self, place: ExprId, value: i32) {
        let ExprKind::Var(variable) = self.program.exprs.kind(place) else { panic!("only variables are places here") };
        self.variables[variable.index()] = value;
    }

    fn compare(&mut self, edge: EdgeId, condition: ExprId) {
        if let ExprKind::Binary { op, lhs, rhs } = self.program.exprs.kind(condition)
            && self.options.comparisons
            && op.is_comparison()
        {
            let extended = |value: i32| i64::from(value) as u64;
            let (left, right) = (extended(self.value(lhs)), extended(self.value(rhs)));
            self.comparisons.push(ComparedValues { edge, bits: 32, left, right });
        }
    }

    fn input(&mut self, inputs: &[u64], limits: &RunLimits, edge: EdgeId) -> Option<i32> {
        let at = self.consumed.len();
        let function = self.program.called_function(edge)?;
        let value = match (inputs.get(at), limits.when_inputs_end) {
            (Some(&value), _) => value,
            (None, WhenInputsEnd::Zero) => 0,
            (None, WhenInputsEnd::Random(seed)) => (seed ^ at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32,
            (None, WhenInputsEnd::Stop) => return None,
        };
        self.consumed.push(ConsumedInput { function, edge, bits: value & 0xffff_ffff });
        Some(value as i32)
    }

    /// The edge that can be passed.
    fn next_edge(&mut self, at: LocationId, stack: &[tandem_plugin_api::program::CallSiteId]) -> Option<EdgeId> {
        let leaving = self.program.location(at).leaving.clone();
        if let &[first, _] = leaving.as_slice()
            && let Op::Assume { condition, .. } = self.program.edge(first).op
        {
            self.compare(first, condition);
        }
        leaving.into_iter().find(|&edge| match self.program.edge(edge).op {
            Op::Assume { condition, holds } => (self.value(condition) != 0) == holds,
            Op::Resume(site) => stack.last() == Some(&site),
            _ => true,
        })
    }
}

fn binary(op: BinaryOp, a: i32, b: i32) -> i32 {
    match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Eq => (a == b).into(),
        BinaryOp::Ne => (a != b).into(),
        BinaryOp::Lt => (a < b).into(),
        BinaryOp::Le => (a <= b).into(),
        BinaryOp::Gt => (a > b).into(),
        BinaryOp::Ge => (a >= b).into(),
        other => panic!("{other:?} is beyond this interpreter"),
    }
}

impl Execution for Interpreter {
    fn run(&mut self, inputs: &[u64], limits: &RunLimits) -> Exit {
        self.variables.fill(0);
        self.consumed.clear();
        self.coverage.fill(0);
        self.comparisons.clear();
        self.steps = 0;
        let mut stack = Vec::new();
        let mut at = self.program.entry().expect("a main function");
        while let Some(edge) = self.next_edge(at, &stack) {
            self.steps += 1;
            if self.stop.reason().is_some() {
                return Exit::Cancelled(edge);
            }
            if self.steps > limits.steps {
                return Exit::StepLimit(edge);
            }
            self.coverage[edge.index()] = self.coverage[edge.index()].saturating_add(1);
            if self.options.targets.contains(&edge) {
                return Exit::Target(edge);
            }
            match self.program.edge(edge).op.clone() {
                Op::Assign { target, value } => {
                    let value = self.value(value);
                    self.store(target, value);
                }
                Op::Input { target, .. } => {
                    let Some(value) = self.input(inputs, limits, edge) else { return Exit::InputsEnded(edge) };
                    target.into_iter().for_each(|target| self.store(target, value));
                }
                Op::Call(site) => stack.push(site),
                Op::Resume(_) => {
                    stack.pop();
                }
                Op::External(site) => {
                    if let Callee::Function(callee) = self.program.call_site(site).callee
                        && self.program.function(callee).name == "abort"
                    {
                        return Exit::Aborted(edge);
                    }
                }
                _ => {}
            }
            at = self.program.edge(edge).to;
        }
        Exit::Returned(0)
    }

    fn consumed(&self) -> &[ConsumedInput] {
        &self.consumed
    }

    fn coverage(&self) -> &[u8] {
        &self.coverage
    }

    fn decisions(&self) -> &[u8] {
        &[]
    }

    fn comparisons(&self) -> &[ComparedValues] {
        &self.comparisons
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// A host whose only service is this interpreter.
pub struct Interpreting {
    program: Arc<Program>,
    stop: StopSignal,
    budget: Budget,
}

impl Interpreting {
    pub fn host(program: &Arc<Program>) -> Host {
        Host::new(Arc::new(Interpreting {
            program: program.clone(),
            stop: StopSignal::new(),
            budget: Budget::default(),
        }))
    }
}

impl Services for Interpreting {
    fn log(&self, _: LogLevel, _: &str) {}

    fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    fn budget(&self) -> Budget {
        self.budget
    }

    fn note(&self, _: &Note) {}

    fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        Ok(Box::new(Interpreter::new(self.program.clone(), options, self.stop.clone())))
    }
}
