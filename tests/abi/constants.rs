//! An analysis of constants that is sound unless its option says how it is to be wrong: for the tests of the soundness kit.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, Constant, ExprKind};

/// The mistakes that the option can choose.
const MISTAKES: [&str; 9] = [
    "nothing",
    "ignores-wrap-around",
    "forgets-writes-through-pointers",
    "prunes-branches",
    "covers-too-much",
    "takes-uninitialised-for-zero",
    "partition",
    "claims-no-c",
    "panics",
];

struct Constants {
    program: Arc<Program>,
    mistake: String,
}

/// Integer variables with known values.
type Known = BTreeMap<VarId, i128>;

impl Plugin for Constants {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        let mistakes = MISTAKES.map(String::from).to_vec();
        Descriptor::of::<Self>("constants", "1.0.0", "Tracks constants, with a mistake.").option(
            "mistake",
            "what is wrong",
            OptionType::Choice(mistakes),
            OptionValue::Text("nothing".into()),
        )
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Constants { program: setup.task.program.clone(), mistake: setup.options.text("mistake")?.to_string() })
    }
}

impl Constants {
    fn is(&self, mistake: &str) -> bool {
        self.mistake == mistake
    }

    fn value(&self, known: &Known, expr: ExprId) -> Option<i128> {
        let (exprs, types) = (&self.program.exprs, &self.program.types);
        let ty = exprs.ty(expr);
        let number = |constant| match constant {
            Constant::Int(value) => Some(value),
            Constant::Float(_) => None,
        };
        match exprs.kind(expr) {
            ExprKind::Int(value) => Some(value),
            ExprKind::Var(variable) => known.get(&variable).copied(),
            ExprKind::Cast(inner) if types.is_integer(ty) && types.is_integer(exprs.ty(inner)) => {
                let value = self.value(known, inner)?;
                if self.is("ignores-wrap-around") {
                    return Some(value);
                }
                number(types.convert_constant(Constant::Int(value), exprs.ty(inner), ty)?)
            }
            ExprKind::Unary { op, operand } if types.is_integer(exprs.ty(operand)) => {
                let value = Constant::Int(self.value(known, operand)?);
                number(types.unary_constant(op, value, exprs.ty(operand))?)
            }
            ExprKind::Binary { op, lhs, rhs } if types.is_integer(exprs.ty(lhs)) => {
                let (a, b) = (self.value(known, lhs)?, self.value(known, rhs)?);
                if self.is("ignores-wrap-around") && op == BinaryOp::Add {
                    return a.checked_add(b);
                }
                number(types.binary_constant(op, exprs.ty(lhs), Constant::Int(a), Constant::Int(b))?)
            }
            _ => None,
        }
    }

    fn write(&self, known: &mut Known, target: ExprId, value: Option<i128>) {
        match self.program.exprs.kind(target) {
            ExprKind::Var(variable) => {
                let tracked = self.program.types.is_integer(self.program.variable(variable).ty);
                match value.filter(|_| tracked) {
                    Some(value) => known.insert(variable, value),
                    None => known.remove(&variable),
                };
            }
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => self.write(known, base, None),
            _ => self.write_somewhere(known),
        }
    }

    fn write_somewhere(&self, known: &mut Known) {
        if !self.is("forgets-writes-through-pointers") {
            known.retain(|variable, _| !self.program.variable(*variable).address_taken);
        }
    }

    fn forget_locals(&self, known: &mut Known) {
        known.retain(|variable, _| !self.program.variable(*variable).is_local());
    }
}

impl Analysis for Constants {
    type State = Known;
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().explains().indexes();

    fn initial(&self) -> Result<Known> {
        Ok(Known::new())
    }

    fn successors(&self, state: &Known, edge: EdgeId, _: &()) -> Result<Successors<Known>> {
        let mut known = state.clone();
        match self.program.edge(edge).op {
            Op::Skip | Op::Return(_) | Op::Unsupported(_) => return Ok(Successors::Unchanged),
            Op::Assume { condition, holds } => {
                let passes = match self.value(state, condition) {
                    Some(value) => (value != 0) == holds,
                    None => holds || !self.is("prunes-branches"),
                };
                return Ok(if passes { Successors::Unchanged } else { Successors::None });
            }
            Op::Assign { target, value } => {
                assert!(!self.is("panics"), "boom");
                let value = self.value(state, value);
                self.write(&mut known, target, value);
            }
            Op::Declare(variable) => {
                let is_integer = self.program.types.is_integer(self.program.variable(variable).ty);
                match self.is("takes-uninitialised-for-zero") && is_integer {
                    true => known.insert(variable, 0),
                    false => known.remove(&variable),
                };
            }
            Op::Input { target, .. } => {
                if let Some(target) = target {
                    self.write(&mut known, target, None);
                }
            }
            Op::Havoc { target } => self.write(&mut known, target, None),
            // A function that calls itself has its variables several times.
            Op::Call(_) => self.forget_locals(&mut known),
            Op::Resume(site) => {
                self.forget_locals(&mut known);
                if let Some(result) = self.program.call_site(site).result {
                    self.write(&mut known, result, None);
                }
            }
            Op::External(site) => {
                self.write_somewhere(&mut known);
                if let Some(result) = self.program.call_site(site).result {
                    self.write(&mut known, result, None);
                }
            }
        }
        Ok(Successors::One(known))
    }

    fn less_or_equal(&self, smaller: &Known, greater: &Known) -> Result<bool> {
        let loose = self.is("covers-too-much");
        Ok(greater.iter().all(|(variable, value)| smaller.get(variable).is_some_and(|other| other == value || loose)))
    }

    fn describe(&self, state: &Known) -> Result<String> {
        let name = |variable: &VarId| self.program.variable(*variable).unique_name.clone();
        Ok(state.iter().map(|(variable, value)| format!("{} = {value}", name(variable))).collect::<Vec<_>>().join(", "))
    }
}

impl Explains for Constants {
    fn invariant(&self, state: &Known, at: LocationId) -> Result<Option<String>> {
        if self.is("claims-no-c") {
            return Ok(Some("x is even".into()));
        }
        let function = self.program.location(at).function;
        let claim = |(variable, value): (&VarId, &i128)| {
            let owner = self.program.variable(*variable).function;
            let name = self.program.name_in(*variable, Some(function));
            let name = name.filter(|_| owner.is_none_or(|owner| owner == function))?;
            i64::try_from(*value).ok().filter(|value| *value > i64::MIN).map(|value| format!("{name} == {value}LL"))
        };
        let claims: Vec<String> = state.iter().filter_map(claim).collect();
        Ok((!claims.is_empty()).then(|| claims.join(" && ")))
    }
}

impl Indexes for Constants {
    fn merges(&self) -> bool {
        false
    }

    fn partition(&self, state: &Known) -> Result<Option<u64>> {
        if !self.is("partition") {
            return Ok(None);
        }
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        Ok(Some(hasher.finish()))
    }
}

tandem_plugin_api::export_plugin!(Constants);
