//! The figures of the papers as tests: programs and automata written down from the text, and the papers' claims about
//! them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;
use tandem::cpa::{Component, Exploration, Settings};
use tandem::frontend::load_text;
use tandem::plugins::PluginSearch;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder, StateId};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::options::Options;
use tandem_plugin_api::program::{DataModel, EdgeId, Op, PrintOptions, Program};
use tandem_plugin_api::service::Host;
use tandem_plugin_api::task::{Inputs, Property};
use tandem_tests::golden::compare;
use tandem_tests::residuals::reduce;
use tandem_tests::test_plugins::build_dir;

fn task(text: &str, target: &str) -> SharedTask {
    let program = load_text(text, "figure.c", DataModel::Lp64).unwrap();
    let property = Property::UnreachableCall { function: target.into() };
    SharedTask::new(&SharedProgram::new(Arc::new(program)), property)
}

/// The side of the branch on this line.
fn side(program: &Program, line: u32, taken: bool) -> EdgeId {
    let fits = |edge: &EdgeId| {
        let edge = program.edge(*edge);
        edge.span.line == line && matches!(edge.op, Op::Assume { holds, .. } if holds == taken)
    };
    program.edge_ids().find(fits).unwrap_or_else(|| panic!("no branch on line {line}"))
}

fn input(program: &Program) -> EdgeId {
    program.edge_ids().find(|edge| matches!(program.edge(*edge).op, Op::Input { .. })).unwrap()
}

/// The path from the start that takes these branches, up to the last of them.
fn path(program: &Program, branches: &[EdgeId]) -> Vec<EdgeId> {
    let mut path = Vec::new();
    let mut rest = branches;
    let mut at = program.entry().unwrap();
    while let Some((next, after)) = rest.split_first() {
        let leaving = &program.location(at).leaving;
        let edge = if leaving.contains(next) {
            rest = after;
            *next
        } else {
            assert_eq!(leaving.len(), 1, "the way to {next} is missing");
            leaving[0]
        };
        path.push(edge);
        at = program.edge(edge).to;
    }
    path
}

/// How a path is covered where the variable read by the input has this value.
fn covered(gia: &Gia, path: &[EdgeId], holding: &[&str]) -> Vec<Acceptance> {
    gia.covers(path, &mut |condition, _| holding.contains(&condition.text())).iter().collect()
}

/// An automaton that waits in each state but for the edges that it names.
struct Sketch {
    builder: GiaBuilder,
    edges: Vec<EdgeId>,
}

impl Sketch {
    fn new(program: &Program) -> Self {
        Sketch { builder: GiaBuilder::new(), edges: program.edge_ids().collect() }
    }

    /// A state that stays where it is on all edges but these.
    fn state(&mut self, name: &str, leaving: &[EdgeId]) -> StateId {
        let state = self.builder.state(name, Acceptance::None);
        let others = EdgeSet::of(self.edges.iter().copied().filter(|edge| !leaving.contains(edge)));
        self.builder.transition(state, others, Condition::always(), state);
        state
    }

    fn sink(&mut self, name: &str, acceptance: Acceptance) -> StateId {
        self.builder.sink(name, acceptance)
    }

    fn go(&mut self, from: StateId, edge: EdgeId, condition: &str, to: StateId) {
        self.builder.transition(from, edge, Condition::new(None::<&str>, condition), to);
    }
}

const ICSE_FIGURE_2: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
    int val = __VERIFIER_nondet_int();\nint out;\nif (val >= 0) {\nout = val % 2 * val % 3;\n} else {\nout = -val;\n}\n\
    if (!(out >= 0)) {\nreach_error();\n}\nreturn 0;\n}\n";

/// Fig. 2 of the ICSE paper: the else-branch is verified; the assertion moves into the then-branch.
#[test]
fn the_residual_program_checks_the_assertion_in_one_branch_only() {
    let task = task(ICSE_FIGURE_2, "reach_error");
    let program = task.program();
    let (then, otherwise) = (side(program, 6, true), side(program, 6, false));
    let mut sketch = Sketch::new(program);
    let start = sketch.state("q0", &[then, otherwise]);
    let open = sketch.state("q1", &[]);
    let verified = sketch.sink("qf", Acceptance::Ut);
    sketch.go(start, otherwise, "true", verified);
    sketch.go(start, then, "true", open);
    let condition = sketch.builder.build(start).unwrap();
    let registry = PluginSearch::only(&[build_dir()]).discover();
    for reducer in ["product", "fold-cfa", "fold-loop", "fold-loop-bound", "fold-except-loops"] {
        let residual = reduce(&registry, reducer, &task, &condition).unwrap();
        let left = &residual.program;
        let negated = residual.origin.iter().flatten().any(|edge| program.edge(*edge).span.line == 9);
        assert!(!negated, "{reducer}: the else-branch is still there");
        let error = |edge: &EdgeId| left.called_function(*edge).is_some_and(|f| left.function(f).name == "reach_error");
        assert_eq!(left.edge_ids().filter(error).count(), 1, "{reducer}");
        assert!(left.size() <= program.size() + 1, "{reducer}");
        if reducer == "product" {
            let text = left.to_c(&PrintOptions::default());
            let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("figures/icse-2.expected.c");
            compare(&expected, &text).unwrap_or_else(|why| panic!("{why}"));
        }
    }
}

const GIA_FIGURE_2: &str = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\nint x = __VERIFIER_nondet_int();\n\
    if (x < 5) {\nreturn 0;\n} else {\nx++;\nif (x == 5) {\nreturn 1;\n} else {\nreturn 2;\n}\n}\n}\n";

/// The branches of Fig. 2 of the GIA paper, named by the locations they lead to.
struct Branches {
    l3: EdgeId,
    l5: EdgeId,
    l7: EdgeId,
    l9: EdgeId,
    op: EdgeId,
}

fn branches(program: &Program) -> Branches {
    let [l3, l5] = [true, false].map(|taken| side(program, 4, taken));
    let [l7, l9] = [true, false].map(|taken| side(program, 8, taken));
    Branches { l3, l5, l7, l9, op: input(program) }
}

/// Fig. 8 of the GIA paper: ℓ3 is reached where x = 0, ℓ7 never, and ℓ5 and ℓ9 are candidates where x = 5.
fn figure_8(program: &Program) -> Gia {
    let Branches { l3, l5, l7, l9, op } = branches(program);
    let mut sketch = Sketch::new(program);
    let start = sketch.state("q1", &[op]);
    let [zero, five] = ["q2", "q2'"].map(|name| sketch.state(name, &[l3, l5]));
    let behind = sketch.state("q6", &[l7, l9]);
    let reached = sketch.sink("q3", Acceptance::Rt);
    let never = sketch.sink("q7", Acceptance::Ut);
    let [first, second] = ["q5", "q9"].map(|name| sketch.sink(name, Acceptance::Cand));
    sketch.go(start, op, "x == 0", zero);
    sketch.go(start, op, "x == 5", five);
    sketch.go(start, op, "true", behind);
    sketch.go(zero, l3, "true", reached);
    sketch.go(five, l5, "true", first);
    sketch.go(first, l9, "true", second);
    sketch.go(behind, l7, "true", never);
    sketch.builder.build(start).unwrap()
}

#[test]
fn a_gia_tells_reached_unreachable_and_candidate_targets_apart() {
    use Acceptance::{Cand, Rt, Ut};
    let task = task(GIA_FIGURE_2, "reach_error");
    let program = task.program();
    let Branches { l3, l5, l7, l9, .. } = branches(program);
    let gia = figure_8(program);
    let way = |to: &[EdgeId]| path(program, to);
    assert_eq!(covered(&gia, &way(&[l3]), &["x == 0"]), [Rt]);
    assert_eq!(covered(&gia, &way(&[l3]), &[]), []);
    assert_eq!(covered(&gia, &way(&[l5, l7]), &[]), [Ut]);
    assert_eq!(covered(&gia, &way(&[l5]), &["x == 5"]), [Cand]);
    assert_eq!(covered(&gia, &way(&[l5, l9]), &["x == 5"]), [Cand]);
    assert_eq!(covered(&gia, &way(&[l5, l9]), &[]), []);
}

/// Fig. 14 of the GIA paper: a tester's automaton and a verifier's, and both together.
#[test]
fn the_combination_keeps_what_each_knows_and_the_more_precise_candidate() {
    use Acceptance::{Cand, Rt, Ut};
    let task = task(GIA_FIGURE_2, "reach_error");
    let program = task.program();
    let Branches { l3, l5, l7, l9, op } = branches(program);
    let mut tester = Sketch::new(program);
    let start = tester.state("q1", &[op]);
    let zero = tester.state("q2", &[l3]);
    let open = tester.state("q2'", &[l5]);
    let reached = tester.sink("q3", Rt);
    let candidate = tester.sink("q5", Cand);
    let [seven, nine] = ["q7", "q9"].map(|name| tester.sink(name, Cand));
    tester.go(start, op, "x == 0", zero);
    tester.go(start, op, "true", open);
    tester.go(zero, l3, "true", reached);
    tester.go(open, l5, "true", candidate);
    tester.go(candidate, l7, "true", seven);
    tester.go(candidate, l9, "true", nine);
    let tester = tester.builder.build(start).unwrap();
    let mut verifier = Sketch::new(program);
    let start = verifier.state("s1", &[op]);
    let any = verifier.state("s2'", &[l7]);
    let five = verifier.state("s2", &[l5]);
    let never = verifier.sink("s7", Ut);
    let candidate = verifier.sink("s5", Cand);
    let nine = verifier.sink("s9", Cand);
    verifier.go(start, op, "x == 5", five);
    verifier.go(start, op, "true", any);
    verifier.go(five, l5, "true", candidate);
    verifier.go(candidate, l9, "true", nine);
    verifier.go(any, l7, "true", never);
    let verifier = verifier.builder.build(start).unwrap();

    let both = tester.combine(&verifier).unwrap();
    let way = |to: &[EdgeId]| path(program, to);
    assert_eq!(covered(&both, &way(&[l3]), &["x == 0"]), [Rt]);
    assert_eq!(covered(&both, &way(&[l3]), &[]), []);
    assert!(covered(&both, &way(&[l5, l7]), &[]).contains(&Ut));
    assert_eq!(covered(&both, &way(&[l5]), &["x == 5"]), [Cand]);
    assert!(covered(&both, &way(&[l5, l9]), &["x == 5"]).contains(&Cand));
    assert!(!covered(&both, &way(&[l5, l9]), &["x == 5"]).contains(&Ut));
    // A contradiction is reported with its path.
    let conflict = Gia::all_ut().combine(&rt_everywhere(program, l3)).unwrap_err();
    assert_eq!(conflict.path.last(), Some(&Some(l3)));
}

fn rt_everywhere(program: &Program, goal: EdgeId) -> Gia {
    let mut sketch = Sketch::new(program);
    let start = sketch.state("start", &[goal]);
    let reached = sketch.sink("reached", Acceptance::Rt);
    sketch.go(start, goal, "true", reached);
    sketch.builder.build(start).unwrap()
}

/// Fig. 16 of the GIA paper: precision increments of two iterations, each on its own path, are both kept.
#[test]
fn precision_increments_on_different_paths_are_kept() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\nint x = 1, y = 0;\n\
        while (__VERIFIER_nondet_int()) {\nx = 0;\n}\nif (y != 0 || x > 1) {\nreach_error();\n}\nreturn 0;\n}\n";
    let task = task(text, "reach_error");
    let program = task.program();
    let (enter, leave, wrong) = (side(program, 5, true), side(program, 5, false), side(program, 8, true));
    let mut first = Sketch::new(program);
    let [a, b] = [("a", leave), ("b", wrong)].map(|(name, edge)| first.state(name, &[edge, enter]));
    let infeasible = first.sink("infeasible", Acceptance::Ut);
    first.go(a, leave, "y == 0", b);
    first.go(b, wrong, "true", infeasible);
    let first = first.builder.build(a).unwrap();
    let mut second = Sketch::new(program);
    let [s1, s2] = ["s1", "s2"].map(|name| second.state(name, &[enter, leave]));
    let s3 = second.state("s3", &[wrong, enter]);
    let s5 = second.sink("s5", Acceptance::Ut);
    second.go(s1, enter, "true", s2);
    second.go(s2, leave, "x == 0", s3);
    second.go(s3, wrong, "true", s5);
    let second = second.builder.build(s1).unwrap();
    let both = first.combine(&second).unwrap();
    let (short, long) = (path(program, &[leave, wrong]), path(program, &[enter, leave, wrong]));
    assert_eq!(covered(&both, &short, &["y == 0"]), [Acceptance::Ut]);
    assert_eq!(covered(&both, &short, &["x == 0"]), []);
    assert_eq!(covered(&both, &long, &["x == 0"]), [Acceptance::Ut]);
    assert_eq!(covered(&both, &long, &["y == 0"]), []);
    let texts: Vec<&str> = both.transitions().iter().map(|t| t.condition.text()).collect();
    assert!(texts.contains(&"x == 0") && texts.contains(&"y == 0"));
}

/// Fig. 4 of the CoVeriTest paper: what Alg. 1 extracts of a graph whose outer if-branch is explored.
#[test]
fn the_condition_of_a_graph_is_its_unexplored_part() {
    let text = "extern void pause_(void); extern void compute(void); extern void publish(void);\n\
        extern int __VERIFIER_nondet_int(void);\nint main(void) {\nint n = __VERIFIER_nondet_int(), s = 1, i = 0;\nif (n < 0) {\n\
        i = -(n + s);\nif (i < n) { pause_(); }\n} else {\nwhile (i < n) {\nif (s == 1) { compute(); }\nif (s == 2) { publish(); }\n\
        if (s == 3) { s = 0; }\ni++; s++;\n}\n}\nreturn 0;\n}\n";
    let task = task(text, "compute");
    let program = task.program();
    let registry = PluginSearch::only(&[build_dir()]).discover();
    let plugin = registry.get(PluginKind::Analysis, "location").unwrap();
    let instance = plugin.analysis(&task, &Options::default(), &Host::silent()).unwrap();
    let component = Component { name: "location".into(), instance };
    let mut exploration = Exploration::new(task.task(), vec![component], Settings::default());
    exploration.run(&Inputs::default(), &Host::silent()).unwrap();
    let condition = exploration.gia().unwrap();
    let (negative, not) = (side(program, 5, true), side(program, 5, false));
    let (inside, first) = (side(program, 9, true), side(program, 10, true));
    // The explored part is one accepting state, right behind the last common edge.
    let explored = path(program, &[negative]);
    assert_eq!(covered(&condition, &explored, &[]), [Acceptance::Ut]);
    assert_eq!(covered(&condition, &explored[..explored.len() - 1], &[]), []);
    let open = path(program, &[not, inside, first]);
    assert!(!covered(&condition, &open, &[]).contains(&Acceptance::Ut));
    assert!(condition.has(Acceptance::Cand));
}
