//! Small analyses for the tests of the CPA algorithm.

use std::sync::{Arc, Mutex};
use tandem_plugin_api::artifact;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, ExprKind};

/// One state, no information.
pub struct Anywhere;

impl Plugin for Anywhere {
    type Kind = kind::Analysis;
    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("anywhere", "1.0.0", "Knows nothing.")
    }
    fn new(_: &Setup) -> Result<Self> {
        Ok(Anywhere)
    }
}

impl Analysis for Anywhere {
    type State = ();
    type Precision = ();
    fn initial(&self) -> Result<()> {
        Ok(())
    }
    fn successors(&self, _: &(), _: EdgeId, _: &()) -> Result<Successors<()>> {
        Ok(Successors::Unchanged)
    }
    fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
        Ok(true)
    }
    fn ignores_call_stack(&self) -> bool {
        true
    }
}

/// The range of the first variable of the program; `flat` keeps different ranges apart, else they are joined and
/// widened, with 1000000 as a threshold.
pub struct Ranges {
    program: Arc<Program>,
    flat: bool,
    ignore_calls: bool,
}

impl Plugin for Ranges {
    type Kind = kind::Analysis;
    fn descriptor() -> Descriptor {
        let no = || OptionValue::Bool(false);
        Descriptor::of::<Self>("ranges", "1.0.0", "The range of one variable.")
            .option("flat", "keep values apart", OptionType::Bool, no())
            .option("ignore-calls", "do without call stacks", OptionType::Bool, no())
    }
    fn new(setup: &Setup) -> Result<Self> {
        Ok(Ranges {
            program: setup.task.program.clone(),
            flat: setup.options.bool("flat")?,
            ignore_calls: setup.options.bool("ignore-calls")?,
        })
    }
}

type Range = (i128, i128);
const TOP: Range = (i32::MIN as i128, i32::MAX as i128);

impl Ranges {
    fn eval(&self, state: Range, expr: ExprId) -> Range {
        match self.program.exprs.kind(expr) {
            ExprKind::Int(value) => (value, value),
            ExprKind::Var(VarId(0)) => state,
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                let (a, b) = (self.eval(state, lhs), self.eval(state, rhs));
                if a.1 + b.1 > TOP.1 { TOP } else { (a.0 + b.0, a.1 + b.1) }
            }
            _ => TOP,
        }
    }

    /// `x < constant` or `x == constant`, and their negations; nothing is known of other variables.
    fn assume(&self, state: Range, condition: ExprId, holds: bool) -> Option<Range> {
        let ExprKind::Binary { op, lhs, rhs } = self.program.exprs.kind(condition) else { return Some(state) };
        if self.program.exprs.kind(lhs) != ExprKind::Var(VarId(0)) {
            return Some(state);
        }
        let (value, _) = self.eval(state, rhs);
        let (low, high) = match (op, holds) {
            (BinaryOp::Lt, true) => (state.0, state.1.min(value - 1)),
            (BinaryOp::Lt, false) => (state.0.max(value), state.1),
            (BinaryOp::Eq, true) => (state.0.max(value), state.1.min(value)),
            (BinaryOp::Eq, false) if state == (value, value) => return None,
            _ => state,
        };
        (low <= high).then_some((low, high))
    }
}

impl Analysis for Ranges {
    type State = Range;
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().answers().explains();
    fn initial(&self) -> Result<Range> {
        Ok((0, 0))
    }
    fn successors(&self, state: &Range, edge: EdgeId, _: &()) -> Result<Successors<Range>> {
        Ok(match self.program.edge(edge).op {
            Op::Assume { condition, holds } => self.assume(*state, condition, holds).into(),
            Op::Assign { value, .. } => Successors::One(self.eval(*state, value)),
            Op::Input { .. } => Successors::One(TOP),
            _ => Successors::Unchanged,
        })
    }
    fn less_or_equal(&self, smaller: &Range, greater: &Range) -> Result<bool> {
        Ok(greater.0 <= smaller.0 && smaller.1 <= greater.1)
    }
    fn join(&self, new: &Range, reached: &Range) -> Result<Option<Range>> {
        if self.flat {
            return Ok(None);
        }
        let low = if new.0 < reached.0 { TOP.0 } else { reached.0 };
        let high = match new.1.max(reached.1) {
            high if high == reached.1 => high,
            high if high <= 1_000_000 => 1_000_000,
            _ => TOP.1,
        };
        Ok(Some((low, high)))
    }
    fn describe(&self, state: &Range) -> Result<String> {
        Ok(format!("[{}, {}]", state.0, state.1))
    }
    fn ignores_call_stack(&self) -> bool {
        self.ignore_calls
    }
}

impl Answers for Ranges {
    fn answer(&self, state: &Range, query: &Query) -> Result<Answer> {
        Ok(match query {
            Query::Interval(expr) if self.program.exprs.kind(*expr) == ExprKind::Var(VarId(0)) => {
                Answer::Interval { min: state.0, max: state.1 }
            }
            _ => Answer::NoInformation,
        })
    }
}

impl Explains for Ranges {
    fn invariant(&self, state: &Range, _: LocationId) -> Result<Option<String>> {
        Ok(Some(format!("x >= {} && x <= {}", state.0, state.1)))
    }
}

/// Has two successors everywhere; asks its peers for the range of the first variable and drops one of the two where
/// that variable is 1.
pub struct Asker {
    place: ExprId,
}

/// The deepest call stack that [`Asker`] was given.
pub static STACK_SEEN: Mutex<usize> = Mutex::new(0);

impl Plugin for Asker {
    type Kind = kind::Analysis;
    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("asker", "1.0.0", "Asks its peers.")
    }
    fn new(setup: &Setup) -> Result<Self> {
        let exprs = &setup.task.program.exprs;
        let place = (0..exprs.len()).map(ExprId::new).find(|id| exprs.kind(*id) == ExprKind::Var(VarId(0)));
        Ok(Asker { place: place.ok_or("the program has no variable")? })
    }
}

impl Analysis for Asker {
    type State = u8;
    type Precision = ();
    fn initial(&self) -> Result<u8> {
        Ok(0)
    }
    fn successors(&self, _: &u8, _: EdgeId, _: &()) -> Result<Successors<u8>> {
        Ok(Successors::Many(vec![1, 2]))
    }
    fn strengthen(&self, state: &u8, _: EdgeId, _: &(), peers: &Peers<'_>) -> Result<Successors<u8>> {
        if let Answer::CallStack(stack) = peers.ask(&Query::CallStack)? {
            let mut seen = STACK_SEEN.lock().unwrap();
            *seen = stack.len().max(*seen);
        }
        assert_eq!(peers.ask(&Query::Truth(self.place))?, Answer::NoInformation);
        Ok(match (state, peers.ask(&Query::Interval(self.place))?) {
            (1, Answer::Interval { min: 1, max: 1 }) => Successors::One(3),
            (2, Answer::Interval { min: 1, max: 1 }) => Successors::None,
            _ => Successors::Unchanged,
        })
    }
    fn less_or_equal(&self, smaller: &u8, greater: &u8) -> Result<bool> {
        Ok(smaller == greater)
    }
    fn describe(&self, state: &u8) -> Result<String> {
        Ok(format!("asker {state}"))
    }
}

/// Fails, or panics, on the edge with this number.
pub struct Fragile {
    fail: i64,
    panic: i64,
}

impl Plugin for Fragile {
    type Kind = kind::Analysis;
    fn descriptor() -> Descriptor {
        let number = OptionType::Integer { min: -1, max: 100 };
        Descriptor::of::<Self>("fragile", "1.0.0", "Fails.")
            .option("fail", "the edge to fail on", number.clone(), OptionValue::Integer(-1))
            .option("panic", "the edge to panic on", number, OptionValue::Integer(-1))
    }
    fn new(setup: &Setup) -> Result<Self> {
        Ok(Fragile { fail: setup.options.integer("fail")?, panic: setup.options.integer("panic")? })
    }
}

impl Analysis for Fragile {
    type State = ();
    type Precision = ();
    fn initial(&self) -> Result<()> {
        Ok(())
    }
    fn successors(&self, _: &(), edge: EdgeId, _: &()) -> Result<Successors<()>> {
        assert_ne!(i64::from(edge.0), self.panic, "edge of doom");
        if i64::from(edge.0) == self.fail { Err("cannot pass".into()) } else { Ok(Successors::Unchanged) }
    }
    fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
        Ok(true)
    }
}

/// Keeps its states apart, and gives every state the invariant of its option.
pub struct Claimant {
    claim: Feasibility,
}

impl Plugin for Claimant {
    type Kind = kind::Analysis;
    fn descriptor() -> Descriptor {
        let claims = ["infeasible", "inputs", "undecided"].map(String::from).to_vec();
        Descriptor::of::<Self>("claimant", "1.0.0", "Claims that targets are feasible, or not.").option(
            "claim",
            "what is claimed",
            OptionType::Choice(claims),
            OptionValue::Text("infeasible".into()),
        )
    }
    fn new(setup: &Setup) -> Result<Self> {
        let claim = match setup.options.text("claim")? {
            "inputs" => Feasibility::Inputs(vec![1, 2]),
            "undecided" => Feasibility::Undecided("too hard".into()),
            _ => Feasibility::Infeasible,
        };
        Ok(Claimant { claim })
    }
}

impl Analysis for Claimant {
    type State = ();
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().answers().indexes().concludes();
    fn initial(&self) -> Result<()> {
        Ok(())
    }
    fn successors(&self, _: &(), _: EdgeId, _: &()) -> Result<Successors<()>> {
        Ok(Successors::One(()))
    }
    fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
        Ok(true)
    }
}

impl Answers for Claimant {
    fn answer(&self, _: &(), query: &Query) -> Result<Answer> {
        Ok(if *query == Query::Feasibility { Answer::Feasibility(self.claim.clone()) } else { Answer::NoInformation })
    }
}

impl Indexes for Claimant {
    fn keeps_apart(&self) -> bool {
        true
    }
}

impl Concludes for Claimant {
    fn finish(&self, complete: bool) -> Result<Vec<(String, String)>> {
        Ok(vec![("complete".into(), complete.to_string())])
    }
}

/// The value of the first variable, where the precision says so: `true` once it was refined. Refines what it excludes
/// itself; `stubborn` does so without learning anything.
pub struct Tracker {
    program: Arc<Program>,
    stubborn: bool,
}

impl Plugin for Tracker {
    type Kind = kind::Analysis;
    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("tracker", "1.0.0", "Tracks one variable once it must.").option(
            "stubborn",
            "never learn",
            OptionType::Bool,
            OptionValue::Bool(false),
        )
    }
    fn new(setup: &Setup) -> Result<Self> {
        Ok(Tracker { program: setup.task.program.clone(), stubborn: setup.options.bool("stubborn")? })
    }
}

impl Tracker {
    fn eval(&self, state: Option<i128>, expr: ExprId) -> Option<i128> {
        match self.program.exprs.kind(expr) {
            ExprKind::Int(value) => Some(value),
            ExprKind::Var(VarId(0)) => state,
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.eval(state, lhs)?, self.eval(state, rhs)?);
                match op {
                    BinaryOp::Add => Some(a + b),
                    BinaryOp::Lt => Some((a < b).into()),
                    BinaryOp::Eq => Some((a == b).into()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `None` if the edge is closed.
    fn post(&self, state: Option<i128>, edge: EdgeId, track: bool) -> Option<Option<i128>> {
        match self.program.edge(edge).op {
            Op::Assume { condition, holds } => match self.eval(state, condition) {
                Some(value) if (value != 0) != holds => None,
                _ => Some(state),
            },
            Op::Assign { value, .. } => Some(self.eval(state, value).filter(|_| track)),
            Op::Input { .. } => Some(None),
            _ => Some(state),
        }
    }
}

impl Analysis for Tracker {
    type State = Option<i128>;
    type Precision = bool;
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().refines().indexes();
    fn initial(&self) -> Result<Option<i128>> {
        Ok(None)
    }
    fn successors(&self, state: &Option<i128>, edge: EdgeId, track: &bool) -> Result<Successors<Option<i128>>> {
        Ok(self.post(*state, edge, *track).into())
    }
    fn less_or_equal(&self, smaller: &Option<i128>, greater: &Option<i128>) -> Result<bool> {
        Ok(greater.is_none() || smaller == greater)
    }
}

impl Refines for Tracker {
    fn refine(&self, path: &[EdgeId], track: &bool) -> Result<Option<Refinement<bool>>> {
        let mut state = Some(None);
        let mut first = None;
        for (number, edge) in path.iter().enumerate() {
            let Some(before) = state else { break };
            state = self.post(before, *edge, true);
            if first.is_none() && state.flatten().is_some() {
                first = Some(number);
            }
        }
        let learnt = !self.stubborn || *track;
        Ok(state.is_none().then(|| Refinement { precision: learnt, from: first.unwrap_or(0) }))
    }
    fn import_precision(&self, base: &bool, given: &artifact::Precision) -> Result<Option<bool>> {
        Ok(Some(*base || !given.is_empty()))
    }
    fn export_precision(&self, track: &bool) -> Result<artifact::Precision> {
        let mut precision = artifact::Precision::empty();
        if *track {
            precision.insert(artifact::PrecisionScope::Global, artifact::PrecisionItem::Variable("x".into()));
        }
        Ok(precision)
    }
}

impl Indexes for Tracker {
    fn merges(&self) -> bool {
        false
    }
    fn partition(&self, _: &Option<i128>) -> Result<Option<u64>> {
        Ok(Some(7))
    }
}
