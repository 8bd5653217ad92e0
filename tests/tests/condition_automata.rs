//! Condition automata and GIAs in CPAchecker's text: reading claims no more than the text, writing loses nothing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use tandem::artifact::condition_automaton::{self, Dialect};
use tandem::artifact::located::located;
use tandem::frontend::load_text;
use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder, StateId};
use tandem_plugin_api::program::{DataModel, EdgeId, Program};
use tandem_tests::automata::{COUNT, SEVEN, covered, random_paths};

/// Texts that several edges have, calls from several places, a function pointer.
const MANY: &str = "\
extern int __VERIFIER_nondet_int(void);
int g;
int add(int x) { if (x > 3) { g = g + 1; return x; } return x + g; }
int sub(int x) { g = g - 1; return x - 1; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int (*f)(int) = x > 5 ? add : sub;
  if (x > 3) { g = g + 1; } else { g = g + 1; }
  x = add(x);
  while (x > 3) { x = add(x); x = f(x); g = g + 1; }
  return g;
}
";

fn program(text: &str) -> Program {
    load_text(text, "program.c", DataModel::Ilp32).unwrap()
}

fn a_condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        3 => Just(Condition::always()),
        1 => (0..3).prop_map(|n| Condition::global(format!("g == {n}"))),
        1 => (0..3).prop_map(|n| Condition::in_function("main", format!("x < {n}"))),
    ]
}

fn a_gia(edges: u32) -> impl Strategy<Value = Gia> {
    let acceptance = prop_oneof![
        4 => Just(Acceptance::None),
        1 => Just(Acceptance::Ut),
        1 => Just(Acceptance::Rt),
        1 => Just(Acceptance::Cand),
    ];
    let set = prop_oneof![
        1 => Just(EdgeSet::any()),
        3 => prop::collection::vec((0..edges).prop_map(EdgeId), 1..12).prop_map(EdgeSet::of),
    ];
    let states = prop::collection::vec((acceptance, a_condition()), 1..6);
    let transitions = prop::collection::vec((0..6usize, set, a_condition(), 0..6usize), 0..24);
    (states, transitions).prop_map(|(states, transitions)| {
        let mut builder = GiaBuilder::new();
        for (at, (acceptance, invariant)) in states.iter().enumerate() {
            let invariant = if at == 0 { Condition::always() } else { invariant.clone() };
            let id = builder.state_with_invariant(format!("q {at} \"é"), invariant, *acceptance);
            if *acceptance == Acceptance::Cand {
                builder.transition(id, EdgeSet::any(), Condition::always(), id);
            }
        }
        for (source, edges, condition, target) in transitions {
            let (source, target) = (source % states.len(), target % states.len());
            let settled = matches!(states[source].0, Acceptance::Ut | Acceptance::Rt);
            if !settled || states[source].0 == states[target].0 {
                builder.transition(StateId(source as u32), edges, condition, StateId(target as u32));
            }
        }
        builder.build(StateId(0)).unwrap()
    })
}

fn edges_of_many() -> u32 {
    program(MANY).edges.len() as u32
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_as_text_covers_the_same_when_read(gia in a_gia(edges_of_many()), seed in any::<u64>()) {
        let program = program(MANY);
        let paths = random_paths(&program, 30, 14, seed);
        for dialect in [Dialect::Gia, Dialect::Condition] {
            let written = condition_automaton::write(&gia, &program, dialect).unwrap();
            let again = condition_automaton::write(&gia, &program, dialect).unwrap();
            prop_assert_eq!(&written, &again);
            let read = condition_automaton::parse(&written.result, "a.txt", &program);
            let read = read.unwrap_or_else(|error| panic!("{error}\n{}", written.result)).result;
            for path in paths.iter().filter(|path| !path.is_empty()) {
                let (before, after) = (covered(&gia, path, seed), covered(&read, path, seed));
                for kind in [Acceptance::Ut, Acceptance::Rt, Acceptance::Cand] {
                    let kept = before.contains(kind) && (dialect == Dialect::Gia || kind == Acceptance::Ut);
                    if written.notes.is_empty() {
                        prop_assert_eq!(after.contains(kind), kept, "{:?} {:?}\n{}", kind, path, &written.result);
                    } else {
                        prop_assert!(kept || !after.contains(kind), "{:?} {:?}\n{}", kind, path, &written.result);
                    }
                }
            }
        }
    }

    #[test]
    fn automata_that_know_where_they_are_cover_the_same(gia in a_gia(edges_of_many()), seed in any::<u64>()) {
        let program = program(MANY);
        let located = located(&gia, &program).unwrap();
        for path in random_paths(&program, 30, 14, seed).iter().filter(|path| !path.is_empty()) {
            prop_assert_eq!(covered(&located, path, seed), covered(&gia, path, seed), "{:?}", path);
        }
    }

    #[test]
    fn damaged_automata_are_refused_without_panic(gia in a_gia(edges_of_many()), cut in 0usize..5000, junk in ".{0,4}") {
        let program = program(MANY);
        let text = condition_automaton::write(&gia, &program, Dialect::Gia).unwrap().result;
        let mut cut = cut % text.len();
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let truncated = condition_automaton::parse(&text[..cut], "a.txt", &program);
        if let Err(problem) = &truncated {
            prop_assert!(problem.line.is_some() && problem.help.is_some(), "{}", problem);
        }
        prop_assert!(truncated.is_err() || cut + 1 >= text.len());
        let _ = condition_automaton::parse(&format!("{}{junk}{}", &text[..cut], &text[cut..]), "a.txt", &program);
    }

    #[test]
    fn noise_is_refused_without_panic(text in "[A-Z\\[\\]{}\"!&|;:>() a-z\\-]{0,80}", prefix in any::<bool>()) {
        let program = program(SEVEN);
        let start = if prefix { "OBSERVER AUTOMATON a INITIAL STATE q; STATE q : MATCH " } else { "" };
        let _ = condition_automaton::parse(&format!("{start}{text}"), "a.txt", &program);
        let _ = tandem::artifact::witness::yaml::parse(&text, "w.yml");
        let _ = tandem::artifact::witness::graphml::parse(&text, "w.graphml");
    }
}

/// The path that takes edges with these texts, and all others in between that are the only ones.
fn path(program: &Program, texts: &[&str]) -> Vec<EdgeId> {
    let (mut at, mut path, mut texts) = (program.entry().unwrap(), Vec::new(), texts.iter().peekable());
    loop {
        let leaving = &program.location(at).leaving;
        let wanted = leaving.iter().find(|edge| Some(&program.edge_text(**edge).as_str()) == texts.peek().copied());
        let edge = match (wanted, leaving.as_slice()) {
            (Some(edge), _) => {
                texts.next();
                *edge
            }
            (None, [only]) if texts.peek().is_some() => *only,
            _ => {
                assert!(texts.peek().is_none(), "stuck before {:?}", texts.peek());
                return path;
            }
        };
        path.push(edge);
        at = program.edge(edge).to;
    }
}

fn read(text: &str, program: &Program) -> Gia {
    condition_automaton::parse(text, "a.txt", program).unwrap().result
}

/// Whether the path is ut, where only these conditions hold.
fn is_ut(gia: &Gia, path: &[EdgeId], holding: &[&str]) -> bool {
    gia.covers(path, &mut |condition, _| holding.contains(&condition.text())).contains(Acceptance::Ut)
}

#[test]
fn a_condition_that_stays_in_place_on_edges_that_it_does_not_know() {
    let text = "OBSERVER AUTOMATON AssumptionAutomaton\nINITIAL STATE Start;\nSTATE __TRUE :\n TRUE -> GOTO __TRUE;\n\
        STATE __FALSE :\n TRUE -> GOTO __FALSE;\nSTATE USEFIRST Start :\n MATCH \"int n = __VERIFIER_nondet_int();\" -> \
        GOTO AfterN;\n TRUE -> GOTO Start;\nSTATE USEFIRST AfterN :\n MATCH \"[n < 0]\" -> GOTO __TRUE;\n \
        MATCH \"[!(n < 0)]\" -> GOTO NotNegative;\n TRUE -> GOTO AfterN;\nSTATE USEALL NotNegative :\n \
        MATCH \"[n > 100]\" -> GOTO __TRUE;\n MATCH \"[!(n > 100)]\" -> ASSUME {n <= 50} GOTO __TRUE;\n \
        MATCH \"[!(n > 100)]\" -> ASSUME {n > 50} GOTO __FALSE;\nEND AUTOMATON\n";
    let program = program(COUNT);
    let gia = read(text, &program);
    assert!(is_ut(&gia, &path(&program, &["[n < 0]"]), &[]));
    assert!(is_ut(&gia, &path(&program, &["[!(n < 0)]", "[n > 100]"]), &[]));
    let inside = path(&program, &["[!(n < 0)]", "[!(n > 100)]", "[i < n]", "i = i + 1;"]);
    assert!(is_ut(&gia, &inside, &["n <= 50"]));
    assert!(!is_ut(&gia, &inside, &["n > 50"]) && !is_ut(&gia, &inside, &[]));
    let scopes: Vec<_> = gia.transitions().iter().filter_map(|t| t.condition.scope()).collect();
    assert!(scopes.iter().all(|scope| *scope == "main") && !scopes.is_empty());
    assert!(!gia.has(Acceptance::Cand), "a condition asks for nothing");
}

#[test]
fn cpacheckers_blank_edges_and_declarations_do_not_make_everything_verified() {
    // As CPAchecker writes it: an edge that was never taken counts as verified.
    let automaton = |middle: &str| {
        format!(
            "OBSERVER AUTOMATON AssumptionAutomaton\nINITIAL STATE ARG0;\nSTATE __TRUE :\n TRUE -> GOTO __TRUE;\n\
             STATE __FALSE :\n TRUE -> GOTO __FALSE;\nSTATE USEFIRST ARG0 :\n MATCH \"INIT GLOBAL VARS\" -> GOTO ARG1;\n \
             TRUE -> GOTO __TRUE;\nSTATE USEFIRST ARG1 :\n MATCH \"int main();\" -> GOTO ARG2;\n TRUE -> GOTO __TRUE;\n\
             STATE USEFIRST ARG2 :\n MATCH \"int n;\" -> GOTO ARG3;\n TRUE -> GOTO __TRUE;\n{middle}END AUTOMATON\n"
        )
    };
    let program = program(COUNT);
    let known = automaton(
        "STATE USEFIRST ARG3 :\n MATCH \"n = __VERIFIER_nondet_int();\" -> GOTO ARG4;\n TRUE -> GOTO __TRUE;\n\
         STATE USEFIRST ARG4 :\n MATCH \"int i = 0;\" -> GOTO ARG5;\n TRUE -> GOTO __TRUE;\n\
         STATE USEFIRST ARG5 :\n MATCH \"[!(n < 0)]\" -> GOTO __FALSE;\n TRUE -> GOTO __TRUE;\n",
    );
    let gia = read(&known, &program);
    assert!(
        is_ut(&gia, &path(&program, &["[n < 0]"]), &[]),
        "the edge beside one that is matched was shown infeasible"
    );
    assert!(!is_ut(&gia, &path(&program, &["[!(n < 0)]", "[n > 100]"]), &[]));
    // Out of step: the program does not have this text at that place. Then nothing is claimed.
    let astray = automaton("STATE USEFIRST ARG3 :\n MATCH \"[!(i < n)]\" -> GOTO __FALSE;\n TRUE -> GOTO __TRUE;\n");
    for texts in [&["[n < 0]"][..], &["[!(n < 0)]", "[n > 100]"], &["[!(n < 0)]", "[!(n > 100)]", "[i < n]"]] {
        assert!(!is_ut(&read(&astray, &program), &path(&program, texts), &[]), "{texts:?}");
    }
}

#[test]
fn all_triggers_and_kinds_of_states() {
    let text = "OBSERVER AUTOMATON A\nINITIAL STATE q0;\n// a comment\nSTATE __qTEMP :\n TRUE -> GOTO __qTEMP;\n\
        TARGET STATE __qERROR :\n TRUE -> GOTO __qERROR;\nNON_TARGET STATE __qFINAL :\n TRUE -> GOTO __qFINAL;\n\
        UNKNOWN STATE __qUNKNOWN :\n TRUE -> GOTO __qUNKNOWN;\n\
        STATE USEALL q0 :\n MATCH \"int n = __VERIFIER_nondet_int();\" -> ASSUME SCOPE main{n == 7} GOTO q1;\n \
        MATCH OTHERWISE -> GOTO q0;\n\
        STATE USEALL q1 :\n MATCH \"[i == 7]\" -> GOTO q2;\n MATCH \"[!(i == 7)]\" -> GOTO __qUNKNOWN;\n \
        MATCH OTHERWISE -> GOTO q1;\n INVARIANT {i <= n};\n\
        STATE USEALL q2 :\n MATCH FUNCTIONCALL \"reach_error\" -> GOTO __qERROR;\n MATCH OTHERWISE -> GOTO q2;\nEND AUTOMATON\n";
    let program = program(SEVEN);
    let gia = read(text, &program);
    let taken = path(&program, &["[i < n]", "[!(i < 10)]", "[i == 7]", "reach_error()"]);
    let with = |holding: &[&str]| gia.covers(&taken, &mut |condition, _| holding.contains(&condition.text()));
    assert!(with(&["n == 7", "i <= n"]).contains(Acceptance::Rt));
    assert!(!with(&["n == 7"]).contains(Acceptance::Rt) && !with(&["i <= n"]).contains(Acceptance::Rt));
    let other = path(&program, &["[!(i < n)]", "[!(i == 7)]"]);
    assert!(gia.covers(&other, &mut |_, _| true).contains(Acceptance::Cand));

    for (trigger, hit) in [
        ("MATCH [.*nondet.*]", true),
        ("MATCH {n = $?}", true),
        ("MATCH FUNCTIONCALL \"__VERIFIER_nondet_int\"", true),
        ("MATCH ENTRY", true),
        ("MATCH ENTRY && !(MATCH FUNCTIONCALL \"__VERIFIER_nondet_int\")", false),
        ("FALSE || MATCH [i = 0;]", true),
        ("MATCH {n = $? + $?}", false),
        ("MATCH FUNCTIONEXIT \"main\"", false),
        ("FALSE", false),
    ] {
        let text = format!(
            "AUTOMATON A INITIAL STATE q; STATE q : {trigger} -> GOTO __TRUE; STATE __TRUE : TRUE -> GOTO __TRUE; END AUTOMATON"
        );
        let gia = read(&text, &program);
        assert_eq!(is_ut(&gia, &path(&program, &["[i < n]"]), &[]), hit, "{trigger}");
    }
}

#[test]
fn mistakes_in_automata_have_line_and_column() {
    let good = "OBSERVER AUTOMATON A\nINITIAL STATE q;\nSTATE USEFIRST q :\n  MATCH \"[i == 7]\" -> ASSUME {n > 3} GOTO q;\n\
                STATE __TRUE :\n  TRUE -> GOTO __TRUE;\nEND AUTOMATON\n";
    let program = program(SEVEN);
    assert!(condition_automaton::parse(good, "a.txt", &program).is_ok());
    for (from, to, line, column, message) in [
        ("OBSERVER AUTOMATON A", "", 2, 1, "expected `AUTOMATON`"),
        ("GOTO q;", "GOTO r;", 4, 43, "no state is named `r`"),
        ("GOTO __TRUE", "GOTO __TRU", 6, 16, "did you mean `__TRUE`"),
        ("STATE q;", "STATE p;", 2, 15, "no state is named `p`"),
        ("USEFIRST q", "USEFRIST q", 3, 16, "expected `:`"),
        ("{n > 3}", "{n > {3}}", 4, 30, "another brace"),
        ("{n > 3}", "{n > 3", 4, 30, "no end"),
        ("\"[i == 7]\"", "\"[i == 7]", 4, 9, "no end"),
        ("MATCH \"[i == 7]\"", "MATCH FUNCTIONCAL \"f\"", 4, 9, "did you mean `FUNCTIONCALL`"),
        ("MATCH \"[i == 7]\"", "MATCH [(]", 4, 9, "regular expression"),
        ("MATCH \"[i == 7]\"", "CHECK(x, \"y\")", 4, 3, "no meaning in a condition"),
        ("GOTO q;", "BREAK;", 4, 38, "no meaning in a condition"),
        ("INITIAL", "LOCAL int v = 0;\nINITIAL", 2, 1, "variables of an automaton"),
        ("STATE __TRUE", "STATE q", 5, 7, "two states are named `q`"),
        ("END AUTOMATON", "", 8, 1, "cut off"),
        ("ASSUME {n > 3}", "ASSUME SCOPE mian{n > 3}", 4, 40, "did you mean `main`"),
        ("[i == 7]", "[j == 9]", 4, 3, "about another program"),
        ("MATCH \"[i == 7]\"", "MATCH LABEL \"L\"", 4, 3, "no label `L`"),
    ] {
        assert!(good.contains(from), "{from}");
        let problem = condition_automaton::parse(&good.replacen(from, to, 1), "a.txt", &program).unwrap_err();
        assert!(problem.to_string().contains(message), "{to}: {problem}");
        assert_eq!((problem.line, problem.column), (Some(line), Some(column)), "{to}: {problem}");
        assert!(problem.help.is_some(), "{problem}");
    }
}
