//! Generalised states, implied predicates, combinations, and interpolants, on a loop whose invariant is known.

use crate::frontend::{load_text, parse_expression};
use crate::smt::Session;
use std::sync::Arc;
use std::time::Duration;
use tandem_plugin_api::kit::interpolation::{Interpolation, Path};
use tandem_plugin_api::kit::unroll::Unrolling;
use tandem_plugin_api::program::{DataModel, EdgeId, ExprId, LocationId, Program};
use tandem_plugin_api::service::formulas::{
    Expressions, Formula, Formulas, Satisfiability, StateExpression, SymbolicState,
};
use tandem_plugin_api::service::{Scope, StopSignal};

const TIME: Option<Duration> = Some(Duration::from_secs(20));
const PROGRAM: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
    int main(void) {
      int n = __VERIFIER_nondet_int();
      int i = 0, s = 0;
      if (n < 0) return 0;
      while (i < n) { i = i + 1; s = s + 1; }
      if (s != n) reach_error();
      return 0;
    }";

struct Bench {
    program: Arc<Program>,
    formulas: Formulas,
    expressions: Expressions,
    head: LocationId,
}

impl Bench {
    fn new() -> Bench {
        let program = Arc::new(load_text(PROGRAM, "p.c", DataModel::Ilp32).unwrap());
        let session = Session::new(program.clone(), crate::smt::solver::start(), StopSignal::new());
        let formulas = Formulas::new(Box::new(session));
        let head = program.loops[0].head;
        Bench { expressions: Expressions::of(&program), program, formulas, head }
    }

    fn predicate(&mut self, text: &str) -> ExprId {
        let parsed = parse_expression(&self.program, text, Scope::Function(self.program.main)).unwrap();
        let predicate = self.expressions.add(&self.program, &parsed).unwrap();
        self.formulas.extend(&self.program, &self.expressions).unwrap();
        predicate
    }

    fn at(&mut self, state: &SymbolicState, text: &str) -> Formula {
        self.formulas.condition(state, StateExpression::Text(text.into(), self.head)).unwrap()
    }

    /// The shortest way from one location to another, of at least one edge.
    fn way(&self, from: LocationId, to: LocationId) -> Vec<EdgeId> {
        let mut queue = std::collections::VecDeque::from([(from, Vec::new())]);
        while let Some((at, path)) = queue.pop_front() {
            for &edge in &self.program.location(at).leaving {
                let mut longer: Vec<EdgeId> = path.clone();
                longer.push(edge);
                let next = self.program.edge(edge).to;
                if next == to {
                    return longer;
                }
                queue.push_back((next, longer));
            }
        }
        panic!("there is no way");
    }

    fn to_error(&self) -> Vec<EdgeId> {
        let error = self.program.function_named("reach_error").unwrap();
        let call = self.program.edge_ids().find(|&edge| self.program.called_function(edge) == Some(error)).unwrap();
        self.way(self.head, self.program.edge(call).from)
    }

    fn follow(&mut self, from: &SymbolicState, edges: &[EdgeId]) -> SymbolicState {
        edges.iter().fold(from.clone(), |state, &edge| self.formulas.post(&state, edge).unwrap())
    }
}

#[test]
fn visits_of_a_loop_share_their_symbols_and_forget_the_iteration_before() {
    let mut bench = Bench::new();
    let entry = bench.program.entry().unwrap();
    let (enter, around) = (bench.way(entry, bench.head), bench.way(bench.head, bench.head));
    let edges = Unrolling::new(bench.program.clone()).loop_edges(bench.head);
    let effects = bench.formulas.effects(&edges).unwrap();
    let initial = bench.formulas.initial().unwrap();
    let first = bench.follow(&initial, &enter);
    let (general, context) = bench.formulas.generalize(&first, effects).unwrap();
    // Values that the loop does not change stay, and so do conditions about them.
    let still = (bench.at(&first, "n == 5"), bench.at(&general, "n == 5"));
    assert_eq!(still.0, still.1);
    let negative = bench.at(&general, "n < 0");
    let answer = bench.formulas.check(&[general.guard(), negative], TIME).unwrap();
    assert!(matches!(answer, Satisfiability::Unsatisfiable(_)));
    let counted = bench.at(&general, "i == 7 && s == 3");
    assert_eq!(bench.formulas.check(&[general.guard(), counted], TIME).unwrap(), Satisfiability::Satisfiable);
    // The next visit: its condition is about earlier values, which differ from the new ones.
    let seven = bench.at(&general, "i == 7");
    let at_seven = bench.formulas.restrict(&general, seven).unwrap();
    let second = bench.follow(&at_seven, &around);
    let (again, same) = bench.formulas.generalize(&second, effects).unwrap();
    assert_eq!((context, general.guard()), (same, again.guard()));
    let eight = bench.at(&again, "i == 8");
    assert_eq!(eight, bench.at(&general, "i == 8"));
    assert_eq!(bench.formulas.check(&[again.guard(), eight], TIME).unwrap(), Satisfiability::Satisfiable);
}

#[test]
fn predicates_are_decided_together() {
    let mut bench = Bench::new();
    let entry = bench.program.entry().unwrap();
    let enter = bench.way(entry, bench.head);
    let initial = bench.formulas.initial().unwrap();
    let state = bench.follow(&initial, &enter);
    let texts = ["n >= 0", "n > 0", "i == 0", "i == s", "n == i", "i != 0"];
    let candidates: Vec<Formula> = texts.iter().map(|text| bench.at(&state, text)).collect();
    let implied = bench.formulas.implied(&[state.guard()], &candidates, TIME).unwrap();
    assert_eq!(implied, [0, 2, 3]);
    let open = [candidates[1], candidates[4], bench.at(&state, "n > 9")];
    let mut cubes = bench.formulas.cubes(&[state.guard()], &open, 10, TIME).unwrap().unwrap();
    cubes.sort();
    assert_eq!(cubes, [vec![false, true, false], vec![true, false, false], vec![true, false, true]]);
    assert_eq!(bench.formulas.cubes(&[state.guard()], &open, 2, TIME).unwrap(), None);
    let atoms = bench.formulas.atoms(&[state.guard()]).unwrap();
    let written = bench.formulas.express(&state, &atoms, bench.program.main).unwrap();
    assert!(!written.is_empty() && written.iter().all(Option::is_some));
}

#[test]
fn interpolants_are_the_invariant_where_it_is_among_the_predicates() {
    let mut bench = Bench::new();
    let entry = bench.program.entry().unwrap();
    let pool: Vec<ExprId> = ["i == s", "i <= n", "i < n", "s == 100", "n < 7"].map(|text| bench.predicate(text)).into();
    let around = bench.way(bench.head, bench.head);
    let mut path = bench.way(entry, bench.head);
    let mut cuts = vec![path.len()];
    for _ in 0..2 {
        path.extend(&around);
        cuts.push(path.len());
    }
    path.extend(bench.to_error());
    let initial = bench.formulas.initial().unwrap();
    let Bench { program, formulas, expressions, .. } = &mut bench;
    let time = Duration::from_secs(20);
    let mut search = Interpolation { program, formulas, expressions, time };
    let mut way = Path::new(program, &path, &cuts);
    let found = search.among(&mut way, &initial, &vec![pool.clone(); 3]).unwrap().expect("interpolants");
    // That i is at most n matters only where the loop ends: runs that stay in the loop have seen that it is less.
    let equal = (pool[0], true);
    assert_eq!(found.at, [vec![equal], vec![equal], vec![equal, (pool[1], true)]]);
    assert_eq!(search.among(&mut way, &initial, &vec![vec![pool[3], pool[4]]; 3]).unwrap(), None);
    // Nothing excludes a way that can be taken.
    let feasible = &path[..cuts[2]];
    let mut way = Path::new(program, feasible, &cuts[..2]);
    assert_eq!(search.among(&mut way, &initial, &vec![pool; 2]).unwrap(), None);
}
