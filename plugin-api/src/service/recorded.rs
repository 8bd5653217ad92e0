//! The results of executions as artifacts: a test case, and a GIA that has covered goals as rt paths with the inputs as
//! conditions, and all other goals as candidates. Runs with a common beginning share their states.

use super::execution::ConsumedInput;
use crate::artifact::{
    Acceptance, Condition, EdgeSet, Gia, GiaBuilder, InputValue, StateId, TestCase, TestInput, ValueType,
};
use crate::error::{PluginError, Result};
use crate::program::{EdgeId, FloatKind, Op, Program, TypeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A run that covers goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestedRun {
    pub inputs: Vec<ConsumedInput>,
    /// Each with the number of inputs that are read before it.
    pub goals: Vec<(EdgeId, usize)>,
    /// All edges that the run takes.
    pub edges: Vec<EdgeId>,
}

/// Exactly the inputs that a run consumed, with their types and the places that they were read into.
pub fn test_case(program: &Program, consumed: &[ConsumedInput]) -> TestCase {
    let input = |input: &ConsumedInput| {
        let result = program.result_type(input.function);
        let ty = result.and_then(|result| ValueType::of(&program.types, result));
        let value = ty.map_or(InputValue::Any, |ty| InputValue::from_bits(ty, input.bits.into()));
        let written = TestInput::new(value).of_type(result.map_or(String::new(), |result| program.type_to_c(result)));
        match program.edge(input.edge).op {
            Op::Input { target: Some(target), .. } => written.for_variable(program.expr_to_c(target)),
            _ => written,
        }
    };
    TestCase { inputs: consumed.iter().map(input).collect(), covers_error: false }
}

/// Edges named by all transitions together. A larger automaton is not built: passing it on would cost more time than it
/// can save.
const MAX_SIZE: usize = 4_000_000;

/// Describes what these tests cover and what remains. Tests that would make it too large are left out.
pub fn tested(program: &Program, tests: &[TestedRun], remaining: &[EdgeId]) -> Result<Gia> {
    let reads = |edge: &EdgeId| matches!(program.edge(*edge).op, Op::Input { .. });
    let taken: BTreeSet<EdgeId> = tests.iter().flat_map(|test| test.edges.iter().copied()).collect();
    let quiet: Vec<EdgeId> = taken.iter().copied().filter(|edge| !reads(edge)).collect();
    let mut tree = Tree {
        program,
        builder: GiaBuilder::new(),
        children: FxHashMap::default(),
        size: 0,
        quiet: EdgeSet::of(quiet.iter().copied()),
        quiet_size: quiet.len() + 1,
    };
    let start = tree.node("start".to_string());
    let covered = tree.builder.sink("covered", Acceptance::Rt);
    for (number, test) in tests.iter().enumerate().filter(|(_, test)| !test.edges.is_empty()) {
        tree.add(start, covered, number + 1, test);
    }
    if !remaining.is_empty() {
        let walk = tree.builder.sink("elsewhere", Acceptance::None);
        let open = tree.builder.sink("open", Acceptance::Cand);
        let remaining = EdgeSet::of(remaining.iter().copied());
        tree.builder.transition(start, EdgeSet::any(), Condition::always(), walk);
        tree.builder.transition(start, remaining.clone(), Condition::always(), open);
        tree.builder.transition(walk, remaining, Condition::always(), open);
    }
    tree.builder.build(start).map_err(|error| PluginError::new(error.to_string()))
}

/// The automaton under construction: a tree of input sequences.
struct Tree<'p> {
    program: &'p Program,
    builder: GiaBuilder,
    children: FxHashMap<(StateId, EdgeId, u64), StateId>,
    size: usize,
    /// The edges that a path may pass between two inputs: those that tests take.
    quiet: EdgeSet,
    quiet_size: usize,
}

impl Tree<'_> {
    fn node(&mut self, name: String) -> StateId {
        let node = self.builder.state(name, Acceptance::None);
        self.builder.transition(node, self.quiet.clone(), Condition::always(), node);
        self.size += self.quiet_size;
        node
    }

    fn add(&mut self, start: StateId, covered: StateId, number: usize, test: &TestedRun) {
        let length = test.goals.iter().map(|&(_, before)| before).max().unwrap_or(0);
        if self.size + length * (self.quiet_size + 1) > MAX_SIZE {
            return;
        }
        let mut path = vec![start];
        let mut node = start;
        for (at, input) in test.inputs.iter().take(length).enumerate() {
            node = match self.children.get(&(node, input.edge, input.bits)) {
                Some(&child) => child,
                None => match self.grow(node, input, format!("test {number} after {}", at + 1)) {
                    Some(child) => child,
                    // Without a condition, paths with other values would be called tested, too.
                    None => return,
                },
            };
            path.push(node);
        }
        for &(goal, before) in &test.goals {
            let node = path.get(before).copied().unwrap_or(node);
            self.builder.transition(node, goal, Condition::always(), covered);
        }
    }

    fn grow(&mut self, parent: StateId, input: &ConsumedInput, name: String) -> Option<StateId> {
        let condition = self.condition(input)?;
        let child = self.node(name);
        self.builder.transition(parent, input.edge, condition, child);
        self.size += 1;
        self.children.insert((parent, input.edge, input.bits), child);
        Some(child)
    }

    /// The condition after the edge that reads this input: `true` where the value is not stored; `None` if it cannot be
    /// written.
    fn condition(&self, input: &ConsumedInput) -> Option<Condition> {
        let Op::Input { target: Some(target), .. } = self.program.edge(input.edge).op else {
            return Some(Condition::always());
        };
        let place = self.program.expr_to_c(target);
        let ty = self.program.result_type(input.function);
        let text = ty.and_then(|ty| equality(&place, &self.program.types, ty, input.bits));
        let scope = self.program.function(self.program.function_of_edge(input.edge)).name.clone();
        text.map(|text| Condition::in_function(scope, text))
    }
}

/// A C expression that is true where the place has this value; `None` for types that no literal can write exactly.
fn equality(place: &str, types: &crate::program::Types, ty: TypeId, bits: u64) -> Option<String> {
    let float = |value: f64, suffix: &str| {
        if value.is_nan() {
            format!("{place} != {place}")
        } else if value.is_infinite() {
            format!("{place} == {}1.0 / 0.0", if value < 0.0 { "-" } else { "" })
        } else {
            format!("{place} == {value:?}{suffix}")
        }
    };
    if types.is_pointer(ty) {
        return Some(format!("{place} == (void *){bits}"));
    }
    match ValueType::of(types, ty)? {
        ValueType::Int { width: 65.., .. } => None,
        ValueType::Int { width, signed: true } => {
            let unused = 64 - width;
            Some(match ((bits << unused) as i64) >> unused {
                i64::MIN => format!("{place} == (-9223372036854775807LL - 1)"),
                value if i32::try_from(value).is_ok() && value != i64::from(i32::MIN) => format!("{place} == {value}"),
                value => format!("{place} == {value}LL"),
            })
        }
        ValueType::Int { .. } if bits <= 0x7fff_ffff => Some(format!("{place} == {bits}")),
        ValueType::Int { .. } => Some(format!("{place} == {bits}ULL")),
        ValueType::Float(FloatKind::Float) => Some(float(f64::from(f32::from_bits(bits as u32)), "f")),
        ValueType::Float(FloatKind::Double) => Some(float(f64::from_bits(bits), "")),
        ValueType::Float(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::testing;
    use crate::program::{DataModel, FunctionId, IntKind, Type, Types};

    #[test]
    fn exactly_the_tested_inputs_are_rt_covered() {
        let task = testing::two_inputs();
        let program = task.program();
        let (goal, function) = (EdgeId(2), FunctionId(1));
        let test = TestedRun {
            inputs: vec![
                ConsumedInput { function, edge: EdgeId(0), bits: 7 },
                ConsumedInput { function, edge: EdgeId(1), bits: 0xffff_ffff },
            ],
            goals: vec![(goal, 2)],
            edges: vec![EdgeId(0), EdgeId(1), goal],
        };
        let gia = tested(program, &[test], &[]).unwrap();
        let path = [EdgeId(0), EdgeId(1), goal];
        let covers = |path: &[EdgeId], first: &str, second: &str| {
            gia.covers(path, &mut |condition, step| condition.text() == format!("x == {}", [first, second][step - 1]))
                .contains(Acceptance::Rt)
        };
        assert!(covers(&path, "7", "-1"));
        assert!(!covers(&path, "7", "0") && !covers(&path, "8", "-1") && !covers(&path[..2], "7", "-1"));
        assert!(!gia.has(Acceptance::Cand));
    }

    #[test]
    fn remaining_goals_are_candidates() {
        let task = testing::two_inputs();
        let gia = tested(task.program(), &[], &[EdgeId(2)]).unwrap();
        let all = |path: &[EdgeId]| gia.covers(path, &mut |_, _| true).iter().collect::<Vec<_>>();
        assert_eq!(all(&[EdgeId(0), EdgeId(1), EdgeId(2)]), [Acceptance::Cand]);
        assert_eq!(all(&[EdgeId(0), EdgeId(1)]), []);
    }

    #[test]
    fn values_are_written_as_c_reads_them() {
        let mut types = Types::new(DataModel::Lp64);
        let mut int = |kind, bits| {
            let ty = types.int(kind);
            equality("x", &types, ty, bits).unwrap()
        };
        assert_eq!(int(IntKind::Int, 0x8000_0000), "x == -2147483648LL");
        assert_eq!(int(IntKind::Int, 0xffff_ffff), "x == -1");
        assert_eq!(int(IntKind::Long, 1 << 63), "x == (-9223372036854775807LL - 1)");
        assert_eq!(int(IntKind::ULong, u64::MAX), "x == 18446744073709551615ULL");
        let (float, double) =
            (types.intern(Type::Float(FloatKind::Float)), types.intern(Type::Float(FloatKind::Double)));
        assert_eq!(equality("f", &types, float, u64::from(0.1f32.to_bits())).unwrap(), "f == 0.10000000149011612f");
        assert_eq!(equality("d", &types, double, f64::NAN.to_bits()).unwrap(), "d != d");
        assert_eq!(equality("d", &types, double, f64::NEG_INFINITY.to_bits()).unwrap(), "d == -1.0 / 0.0");
    }
}
