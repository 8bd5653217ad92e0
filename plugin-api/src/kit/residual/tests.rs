//! Theorems 1 and 3 of the GIA paper and the residual condition (Def. 2.3 of the ICSE paper), by enumeration of all executions
//! of random small programs with calls and recursion, for all foldings.

use super::*;
use crate::artifact::{Acceptance, Condition, GiaBuilder, StateId};
use crate::kit::testing::ProgramBuilder;
use crate::program::{
    BinaryOp, CallSiteId, EdgeId, EdgeNames, Expr, ExprId, ExprKind, IntKind, LocationId, LocationNames, VarId,
};
use crate::service::{LogLevel, Note, ParsedExpression, Scope, Services, StopSignal};
use proptest::prelude::*;
use std::collections::BTreeSet;

const FOLDINGS: [Folding; 5] =
    [Folding::Nothing, Folding::Everywhere, Folding::LoopHeads, Folding::Iterations(2), Folding::ExceptLoopHeads];
const BOUNDS: Bounds = Bounds { locations: 100_000, clones: 3, growth: None };
/// How many edges executions are followed.
const DEPTH: usize = 8;
/// Values of inputs, and of the one variable.
const VALUES: [i128; 2] = [0, 1];

/// Choices that shrink towards few and small ones.
struct Choices<'c> {
    list: &'c [u8],
    at: usize,
}

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let choice = self.list.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(choice) % bound.max(1)
    }
}

/// Up to three functions over one global variable `g`: assignments, inputs, branches on it, calls of each other.
fn program(choices: &mut Choices<'_>) -> Program {
    let mut b = ProgramBuilder::new("random.c");
    let nondet = b.declare("__VERIFIER_nondet_int");
    let g = b.global("g");
    let place = b.variable(g);
    let functions: Vec<FunctionId> =
        ["main", "f", "h"].iter().take(1 + choices.below(3)).map(|name| b.function(name)).collect();
    for &function in &functions {
        let (entry, exit) = b.body(function);
        let mut locations = vec![entry];
        locations.extend((0..choices.below(4)).map(|_| b.location(function)));
        let targets: Vec<LocationId> = locations.iter().skip(1).copied().chain([exit]).collect();
        for at in locations {
            let target = |choices: &mut Choices<'_>| targets[choices.below(targets.len())];
            let value = b.int(VALUES[choices.below(2)]);
            match choices.below(5) {
                0 => _ = b.edge(at, target(choices), Op::Skip),
                1 => _ = b.edge(at, target(choices), Op::Assign { target: place, value }),
                2 => _ = b.input(at, target(choices), nondet, place),
                3 => {
                    let condition = b.binary(BinaryOp::Eq, place, value);
                    b.branch(at, condition, target(choices), target(choices));
                }
                _ => _ = b.call(at, target(choices), functions[choices.below(functions.len())], &[]),
            }
        }
    }
    b.finish(functions[0])
}

/// An automaton that walks along the program, more or less.
fn automaton(program: &Program, choices: &mut Choices<'_>) -> Gia {
    let mut b = GiaBuilder::new();
    let copies = 1 + choices.below(2);
    let condition = |choices: &mut Choices<'_>| match choices.below(6) {
        4 => Condition::global("g == 0"),
        5 => Condition::global("g == 1"),
        _ => Condition::always(),
    };
    let (mut states, mut accepting): (Vec<StateId>, Vec<Acceptance>) = Default::default();
    for index in 0..program.locations.len() * copies {
        let acceptance = match choices.below(9) {
            6 => Acceptance::Ut,
            7 => Acceptance::Rt,
            8 => Acceptance::Cand,
            _ => Acceptance::None,
        };
        let start = program.entry() == Some(LocationId::new(index));
        let invariant = if start { Condition::always() } else { condition(choices) };
        states.push(b.state_with_invariant(format!("q{index}"), invariant, acceptance));
        accepting.push(acceptance);
        if acceptance == Acceptance::Cand {
            b.transition(states[index], crate::artifact::EdgeSet::any(), Condition::always(), states[index]);
        }
    }
    for edge in program.edge_ids() {
        for copy in 0..copies {
            let (from, to) = (program.edge(edge).from.index(), program.edge(edge).to.index());
            let other = choices.below(copies);
            let (from, to) = (from + copy * program.locations.len(), to + other * program.locations.len());
            let settled = matches!(accepting[from], Acceptance::Ut | Acceptance::Rt);
            if choices.below(8) == 7 || (settled && accepting[from] != accepting[to]) {
                continue;
            }
            let condition = condition(choices);
            b.transition(states[from], edge, condition, states[to]);
        }
    }
    let start = program.entry().map_or(0, |entry| entry.index());
    b.build(states[start]).expect("the rules were minded")
}

/// One step: the edge, as the original knows it, and the variable's value behind it.
type Step = (EdgeId, i128);

/// All executions of at most [`DEPTH`] edges that have an origin.
fn executions(program: &Program, origin: &dyn Fn(EdgeId) -> Option<EdgeId>) -> BTreeSet<Vec<Step>> {
    struct Run<'r> {
        program: &'r Program,
        origin: &'r dyn Fn(EdgeId) -> Option<EdgeId>,
        found: BTreeSet<Vec<Step>>,
        steps: Vec<Step>,
        stack: Vec<CallSiteId>,
    }
    impl Run<'_> {
        fn value(&self, e: ExprId, g: i128) -> i128 {
            match self.program.exprs.kind(e) {
                ExprKind::Int(value) => value,
                ExprKind::Var(_) => g,
                ExprKind::Binary { lhs, rhs, .. } => i128::from(self.value(lhs, g) == self.value(rhs, g)),
                other => panic!("no such expression: {other:?}"),
            }
        }

        fn from(&mut self, at: LocationId, g: i128, unseen: usize) {
            self.found.insert(self.steps.clone());
            if self.steps.len() == DEPTH || unseen > 20 {
                return;
            }
            for &edge in &self.program.location(at).leaving {
                let nexts: Vec<i128> = match self.program.edge(edge).op {
                    Op::Assume { condition, holds } if (self.value(condition, g) != 0) != holds => continue,
                    Op::Resume(site) if self.stack.last() != Some(&site) => continue,
                    // The end of the program.
                    Op::External(_) => continue,
                    Op::Assign { value, .. } => vec![self.value(value, g)],
                    Op::Input { .. } => VALUES.to_vec(),
                    _ => vec![g],
                };
                let stack = self.stack.clone();
                match self.program.edge(edge).op {
                    Op::Call(site) => self.stack.push(site),
                    Op::Resume(_) => _ = self.stack.pop(),
                    _ => {}
                }
                for next in nexts {
                    let seen = (self.origin)(edge);
                    seen.into_iter().for_each(|edge| self.steps.push((edge, next)));
                    self.from(self.program.edge(edge).to, next, if seen.is_some() { 0 } else { unseen + 1 });
                    self.steps.truncate(self.steps.len() - seen.iter().len());
                }
                self.stack = stack;
            }
        }
    }
    let mut run = Run { program, origin, found: BTreeSet::new(), steps: Vec::new(), stack: Vec::new() };
    program.entry().into_iter().for_each(|entry| run.from(entry, 0, 0));
    run.found
}

fn covered(gia: &Gia, steps: &[Step], acceptance: Acceptance) -> bool {
    let path: Vec<EdgeId> = steps.iter().map(|(edge, _)| *edge).collect();
    let holds = |condition: &Condition, at: usize| {
        let g = at.checked_sub(1).map_or(0, |at| steps[at].1);
        condition.text() == format!("g == {g}")
    };
    gia.covers(&path, &mut |condition, at| holds(condition, at)).contains(acceptance)
}

/// A host that reads `g == N`.
struct Parser(Program);

impl Services for Parser {
    fn log(&self, _: LogLevel, _: &str) {}

    fn stop_signal(&self) -> StopSignal {
        StopSignal::new()
    }

    fn note(&self, _: &Note) {}

    fn parse_expression(&self, text: &str, _: Scope) -> Result<ParsedExpression> {
        let value = text.strip_prefix("g == ").and_then(|value| value.parse().ok());
        let value: i128 = value.ok_or_else(|| PluginError::bad_input("not of this test"))?;
        let mut types = self.0.types.clone();
        let ty = types.int(IntKind::Int);
        let first = self.0.exprs.len();
        let nodes = vec![
            Expr { kind: ExprKind::Var(VarId(0)), ty },
            Expr { kind: ExprKind::Int(value), ty },
            Expr {
                kind: ExprKind::Binary { op: BinaryOp::Eq, lhs: ExprId::new(first), rhs: ExprId::new(first + 1) },
                ty,
            },
        ];
        Ok(ParsedExpression { types: Vec::new(), nodes, root: ExprId::new(first + 2) })
    }
}

fn check(choices: &[u8], done: Covered, branches: bool) -> std::result::Result<(), TestCaseError> {
    let mut choices = Choices { list: choices, at: 0 };
    let program = program(&mut choices);
    let gia = automaton(&program, &mut choices);
    let task = crate::kit::testing::task(program.clone());
    let task = task.task();
    let host = Host::new(Arc::new(Parser(program.clone())));
    let x = if done == Covered::Ut { Acceptance::Ut } else { Acceptance::Rt };
    let original = executions(&program, &Some);
    let wanted = |steps: &Vec<Step>| {
        !covered(&gia, steps, x) && (!gia.has(Acceptance::Cand) || covered(&gia, steps, Acceptance::Cand))
    };
    let limited = [1, 2].map(|growth| (Folding::Nothing, Some(growth)));
    for (folding, growth) in FOLDINGS.map(|folding| (folding, None)).into_iter().chain(limited) {
        let how = Reduction { folding, bounds: Bounds { growth, ..BOUNDS }, branches };
        let residual = reduce(task, &gia, done, &how, &host).expect("small programs have small residual ones");
        prop_assert_eq!(residual.program.problems(), Vec::<String>::new());
        let found = executions(&residual.program, &|edge| residual.origin[edge.index()]);
        for steps in &found {
            prop_assert!(original.contains(steps), "{:?} invents {:?}\n{:?}", folding, steps, gia);
        }
        for steps in original.iter().filter(|steps| wanted(steps)) {
            prop_assert!(found.contains(steps), "{:?} loses {:?}\n{:?}", folding, steps, gia);
        }
        if folding == Folding::Everywhere && !branches {
            prop_assert!(residual.program.edges.len() <= program.edges.len() + 3 * program.functions.len());
        }
        if let Some(growth) = growth.filter(|_| !branches) {
            // Each function may get a place where the program ends.
            let most = (growth * program.size()).max(program.size() + 2 * program.functions.len());
            prop_assert!(residual.program.size() <= most, "{} locations", residual.program.size());
        }
    }
    Ok(())
}

/// A program, what is known of it, and a residual program by any folding.
fn reduced(choices: &mut Choices<'_>) -> (Program, Gia, Residual) {
    let program = program(choices);
    let known = automaton(&program, choices).without_candidates();
    let task = crate::kit::testing::task(program.clone());
    let folding = FOLDINGS[choices.below(FOLDINGS.len())];
    let how = Reduction { folding, bounds: BOUNDS, branches: false };
    let residual = reduce(task.task(), &known, Covered::Ut, &how, &Host::silent()).expect("small");
    (program, known, residual)
}

/// Theorem 3: what a tool finds on the residual program, combined with what was known, loses nothing and claims nothing new that
/// the tool did not say.
fn check_cooperation(choices: &[u8]) -> std::result::Result<(), TestCaseError> {
    let mut choices = Choices { list: choices, at: 0 };
    let (program, known, residual) = reduced(&mut choices);
    let tool = automaton(&residual.program, &mut choices);
    let Some(found) = to_original(&residual, &program, &tool) else { return Ok(()) };
    let Ok(combined) = found.combine(&known) else { return Ok(()) };
    // Which edges of the residual program an execution of the original passes.
    for steps in executions(&program, &Some) {
        let (ut, rt) = (covered(&known, &steps, Acceptance::Ut), covered(&known, &steps, Acceptance::Rt));
        let (both_ut, both_rt) =
            (covered(&combined, &steps, Acceptance::Ut), covered(&combined, &steps, Acceptance::Rt));
        if known.combine(&tool_on(&steps, &residual, &tool)).is_ok() && !(ut && both_rt) && !(rt && both_ut) {
            prop_assert!(both_ut >= ut && both_rt >= rt, "{:?} is lost", steps);
        }
        let tool = tool_on(&steps, &residual, &tool);
        let (tool_ut, tool_rt) = (covered(&tool, &steps, Acceptance::Ut), covered(&tool, &steps, Acceptance::Rt));
        prop_assert!(both_ut <= (ut || tool_ut), "{:?} is claimed to be ut", steps);
        prop_assert!(both_rt <= (rt || tool_rt), "{:?} is claimed to be rt", steps);
    }
    Ok(())
}

/// What the tool says of one execution: one state if its path in the residual program is covered.
fn tool_on(steps: &[Step], residual: &Residual, tool: &Gia) -> Gia {
    let mut b = GiaBuilder::new();
    let start = b.state("start", Acceptance::None);
    for acceptance in [Acceptance::Ut, Acceptance::Rt] {
        if residual_covers(steps, residual, tool, acceptance) {
            let state = b.state(acceptance.name(), acceptance);
            if let Some((edge, _)) = steps.first() {
                b.transition(start, *edge, Condition::always(), state);
            } else {
                return if acceptance == Acceptance::Ut { Gia::all_ut() } else { b.build(state).expect("one state") };
            }
        }
    }
    b.build(start).expect("a small automaton")
}

/// Follows the execution through the residual program as far as it goes, with a stack.
fn residual_covers(steps: &[Step], residual: &Residual, tool: &Gia, acceptance: Acceptance) -> bool {
    let Some(mut at) = residual.program.entry() else { return false };
    let mut stack: Vec<CallSiteId> = Vec::new();
    let mut path: Vec<Step> = Vec::new();
    for &(edge, value) in steps {
        let leaving = &residual.program.location(at).leaving;
        let fits = |id: &&EdgeId| {
            let same = residual.origin[id.index()] == Some(edge);
            same && match residual.program.edge(**id).op {
                Op::Resume(site) => stack.last() == Some(&site),
                _ => true,
            }
        };
        let Some(&next) = leaving.iter().find(fits) else { break };
        match residual.program.edge(next).op {
            Op::Call(site) => stack.push(site),
            Op::Resume(_) => _ = stack.pop(),
            _ => {}
        }
        path.push((next, value));
        at = residual.program.edge(next).to;
    }
    covered(tool, &path, acceptance)
}

/// Every loop head of a residual program has what is claimed of the location that it copies, and what all copies have goes back.
fn check_claims(choices: &[u8]) -> std::result::Result<(), TestCaseError> {
    let (program, _, residual) = reduced(&mut Choices { list: choices, at: 0 });
    let function = |program: &Program, at: LocationId| program.function(program.location(at).function).name.clone();
    let claim = |at: LocationId| format!("g == {}", at.0);
    let locations = (0..program.locations.len()).map(LocationId::new);
    let claims: Vec<(LocationId, Condition)> =
        locations.map(|at| (at, Condition::in_function(function(&program, at), claim(at)))).collect();
    let copied = claims_to_residual(&residual, &program, &claims, "test");
    let names = LocationNames::new(&residual.program, &EdgeNames::new(&residual.program));
    let functions = (0..residual.program.functions.len()).map(FunctionId::new);
    let heads: BTreeSet<LocationId> = functions.flat_map(|f| residual.program.loop_heads(f)).collect();
    let (mut count, mut with_other_copies) = (0, BTreeSet::new());
    for edge in residual.program.edge_ids() {
        let (copy, Some(origin)) = (residual.program.edge(edge).from, residual.origin[edge.index()]) else { continue };
        let at = program.edge(origin).from;
        if !heads.contains(&copy) {
            with_other_copies.insert(at);
            continue;
        }
        let expected = Condition::in_function(function(&residual.program, copy), claim(at));
        let list = copied.at(names.name(copy));
        prop_assert!(list.len() == 1 && list[0].expression == expected && !list[0].checked, "{:?}: {:?}", at, list);
        count += 1;
    }
    prop_assert!(copied.iter().len() <= count);
    let back = invariants_to_original(&residual, &program, &copied);
    let names = LocationNames::new(&program, &EdgeNames::new(&program));
    for (at, claim) in claims {
        let list = back.at(names.name(at));
        prop_assert!(list.is_empty() || list[0].expression.text() == format!("({})", claim.text()), "{:?}", list);
        prop_assert!(list.is_empty() || !with_other_copies.contains(&at), "{:?} is claimed of all copies", list);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn residual_programs_have_all_paths_that_are_not_done(
        choices in prop::collection::vec(any::<u8>(), 0..160), ut: bool, branches: bool
    ) {
        check(&choices, if ut { Covered::Ut } else { Covered::Rt }, branches)?;
    }

    #[test]
    fn nothing_is_lost_on_the_way_back(choices in prop::collection::vec(any::<u8>(), 0..260)) {
        check_cooperation(&choices)?;
    }

    #[test]
    fn claims_go_to_all_copies_and_back(choices in prop::collection::vec(any::<u8>(), 0..160)) {
        check_claims(&choices)?;
    }
}

#[test]
fn a_candidate_that_no_run_comes_to_asks_for_nothing() {
    let program = program(&mut Choices { list: &[1, 3, 2, 1, 3], at: 0 });
    let mut b = GiaBuilder::new();
    let start = b.sink("start", Acceptance::None);
    b.sink("nowhere", Acceptance::Cand);
    let gia = b.build(start).expect("it is well-formed");
    let task = crate::kit::testing::task(program.clone());
    for folding in FOLDINGS {
        let how = Reduction { folding, bounds: BOUNDS, branches: false };
        let residual = reduce(task.task(), &gia, Covered::Ut, &how, &Host::silent()).expect("small");
        let found = executions(&residual.program, &|edge| residual.origin[edge.index()]);
        assert_eq!(found, executions(&program, &Some), "{folding:?}");
    }
}
