//! Actors that work together: one after the other, at once, and with claims of others.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use tandem_tests::command::{Ran, tandem};
use tandem_tests::test_plugins::copy;

/// k-induction cannot guess the invariant.
const MIXED: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
    unsigned a = 0, b = 0, s = 90;\nwhile (__VERIFIER_nondet_int()) {\nunsigned x = __VERIFIER_nondet_int();\n\
    if (__VERIFIER_nondet_int()) a ^= x; else b ^= x;\ns ^= x;\n}\nif (a == b && s != 90) reach_error();\nreturn 0; }\n";
/// The error is reached in the third iteration.
const THIRD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
    unsigned s = 0;\nwhile (__VERIFIER_nondet_int()) { s++; }\nif (s == 3) reach_error();\nreturn 0; }\n";

/// The first branch is explored where the second is still open.
const COUNTED: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
    int i = 0, n = 0;\nif (__VERIFIER_nondet_int()) { n = 1; n = 2; n = 3; n = 4; n = 5; if (n != 5) reach_error(); return n; }\n\
    while (i < 20) { i++; }\nif (i != 20) reach_error();\nreturn 0; }\n";

fn verify(program: &str, run: &str, claims: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    ["claimant", "panic_engine"].into_iter().for_each(|name| drop(copy(name, folder.path())));
    let (config, file) = (folder.path().join("config.toml"), folder.path().join("p.c"));
    let actors = "[actor.k-induction]\nengine = 'k-induction'\n[actor.claimant]\nengine = 'claimant'\n";
    let interval = if run.contains("interval") && !claims.contains("interval") {
        "\n[actor.interval]\nanalyses = ['interval']"
    } else {
        ""
    };
    fs::write(&config, format!("{actors}{claims}{interval}\n[run]\n{run}\n")).unwrap();
    fs::write(&file, program).unwrap();
    let [config, file, plugins] = [&config, &file, &folder.path().to_path_buf()].map(|path| path.display().to_string());
    tandem(["verify", "-v", "-c", &config, "--plugin-dir", &plugins, &file].iter().chain(more))
}

const TRUE_CLAIMS: &str = "claimant.invariants = ['s == (a ^ b ^ 90)']";

#[test]
fn a_later_actor_checks_and_uses_what_an_earlier_one_claims() {
    let ran = verify(MIXED, "sequence = ['claimant', 'k-induction']", TRUE_CLAIMS, &["--limit", "20s"]);
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
    assert!(ran.stderr.contains("invariants that others claim: 1\n"), "{ran:?}");
    let alone = "sequence = [{ actor = 'k-induction', limit = '1s' }, 'claimant']";
    let ran = verify(MIXED, alone, TRUE_CLAIMS, &["--limit", "20s"]);
    assert!(ran.stdout.starts_with("Verdict: UNKNOWN (k-induction: time limit of actor `k-induction`"), "{ran:?}");
}

#[test]
fn claims_hold_on_residual_programs_too() {
    let run = |reducer: &str| {
        let on_residual = format!("{{ reduce = '{reducer}', then = 'k-induction' }}");
        let steps = format!("sequence = ['claimant', 'interval', {on_residual}]");
        verify(MIXED, &steps, TRUE_CLAIMS, &["--limit", "20s"])
    };
    for reducer in ["identity", "product"] {
        let ran = run(reducer);
        assert_eq!(ran.stdout, "Verdict: TRUE\n", "{reducer}: {ran:?}");
        assert!(ran.stderr.contains("locations of the residual program: "), "{reducer}: {ran:?}");
        assert!(!ran.stderr.contains("invariants that others claim: 0\n"), "{reducer}: {ran:?}");
    }
}

#[test]
fn an_actor_gets_what_others_claim_while_it_runs() {
    let claims = format!("{TRUE_CLAIMS}\nclaimant.hangs = true");
    let ran = verify(MIXED, "race = ['claimant', 'k-induction']", &claims, &["--limit", "20s"]);
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
    assert!(ran.stderr.contains("answered by: k-induction\n"), "{ran:?}");
}

#[test]
fn no_claim_is_believed() {
    for claim in ["s == 0", "s < 3", "0", "s + t", "s ==", "s++ < 3"] {
        let claims = format!("claimant.invariants = ['{claim}', 's <= 2']");
        let ran = verify(THIRD, "sequence = ['claimant', 'k-induction']", &claims, &["--limit", "20s"]);
        assert_eq!((ran.stdout.as_str(), ran.code()), ("Verdict: FALSE\n", Some(10)), "{claim}: {ran:?}");
    }
}

#[test]
fn reasons_of_all_are_told_and_all_run_to_their_ends() {
    let ran = verify(MIXED, "parallel = ['claimant', { actor = 'k-induction', share = 5 }]", "", &["--limit", "20s"]);
    assert_eq!(ran.code(), Some(20), "{ran:?}");
    assert!(ran.stdout.starts_with("Verdict: UNKNOWN (claimant: "), "{ran:?}");
    assert!(ran.stdout.contains("; k-induction: time limit of actor `k-induction`"), "{ran:?}");
}

#[test]
fn an_actor_that_comes_back_goes_on_where_it_stopped() {
    let ran = verify(
        MIXED,
        "sequence = ['claimant', 'claimant', { actor = 'k-induction', limit = '1s' }]",
        "",
        &["--limit", "20s"],
    );
    assert!(ran.stderr.contains("claimant: runs of this instance: 1\n"), "{ran:?}");
    assert!(ran.stderr.contains("claimant: runs of this instance: 2\n"), "{ran:?}");

    // It ends at the first state beyond the bound; the second run has the graph of the first.
    let bounded = "\n[actor.bounded]\nanalyses = ['value', 'loop-bound']\nloop-bound.bound = 3\nloop-bound.at-bound = 'end-exploration'";
    let ran = verify(
        MIXED,
        "sequence = ['claimant', { actor = 'k-induction', limit = '1s' }, 'bounded', 'bounded']",
        bounded,
        &["--limit", "20s"],
    );
    let expanded = |line: &str| line.split_once("bounded: states expanded: ").and_then(|(_, count)| count.parse().ok());
    let counts: Vec<u32> = ran.stderr.lines().filter_map(expanded).collect();
    assert!(matches!(counts[..], [first, second] if first < second), "{counts:?} {ran:?}");
}

#[test]
fn an_actor_that_fails_is_named_though_another_has_the_answer() {
    let panics = "\n[actor.panics]\nengine = 'panic-engine'\npanic-engine.method = 'run'";
    for run in ["sequence = ['panics', 'claimant', 'k-induction']", "race = ['panics', 'claimant', 'k-induction']"] {
        let ran = verify(MIXED, run, &format!("{TRUE_CLAIMS}{panics}"), &["--limit", "20s"]);
        assert_eq!(ran.stdout, "Verdict: TRUE\n", "{run}: {ran:?}");
        assert!(ran.stderr.contains("panics: engine `panic-engine` failed: "), "{run}: {ran:?}");
        assert!(ran.stderr.contains("panics: failed: engine `panic-engine` failed: "), "{run}: {ran:?}");
    }
}

#[test]
fn an_actor_that_does_not_stop_is_named_and_left_behind() {
    let claims = format!("{TRUE_CLAIMS}\nclaimant.hangs = true");
    let run = "sequence = [{ actor = 'claimant', limit = '200ms' }, 'k-induction']";
    let ran = verify(MIXED, run, &claims, &["--limit", "20s"]);
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
    assert!(ran.stderr.contains("claimant: it did not stop when its time was over, and was left behind\n"), "{ran:?}");
}

#[test]
fn an_actor_that_needs_something_comes_after_one_that_gives_it() {
    let conditional =
        "\n[actor.conditional]\nanalyses = ['condition', 'value']\n[actor.interval]\nanalyses = ['interval']";
    let needs = "needs gia as input, and nothing that runs before it gives it";
    let ran = verify(THIRD, "sequence = ['conditional', 'interval', 'claimant', 'k-induction']", conditional, &[]);
    assert!(ran.code() == Some(2) && ran.stderr.contains(needs), "{ran:?}");
    let order = "sequence = ['claimant', 'interval', 'conditional', 'k-induction']";
    let ran = verify(THIRD, order, conditional, &["--limit", "20s"]);
    assert_eq!(ran.stdout, "Verdict: FALSE\n", "{ran:?}");
}

/// Ends at the first state beyond the bound.
const BOUNDED: &str = "\n[actor.bounded]\nanalyses = ['value', 'loop-bound']\nloop-bound.bound = 3\n\
    loop-bound.at-bound = 'end-exploration'";

fn number(ran: &Ran, what: &str) -> Option<u32> {
    ran.stderr.lines().find_map(|line| line.split_once(what)?.1.strip_prefix(": ")?.parse().ok())
}

#[test]
fn a_step_of_a_cycle_keeps_its_actor_only_where_it_reuses_its_graph() {
    let runs = |reuse: &str, rounds: u32| {
        let steps =
            ["claimant", "bounded"].map(|actor| format!("{{ actor = '{actor}', limit = '5s'{reuse} }}")).join(", ");
        let run = format!("cycle = [{steps}, {{ actor = 'k-induction', limit = '200ms' }}]\nrounds = {rounds}");
        let ran = verify(MIXED, &run, BOUNDED, &["--limit", "30s"]);
        assert_eq!(ran.code(), Some(20), "{ran:?}");
        (number(&ran, "claimant: runs of this instance"), number(&ran, "bounded: states expanded"))
    };
    let (once, anew, resumed) = (runs("", 1), runs("", 3), runs(", reuse = 'arg'", 3));
    assert_eq!((anew.0, resumed.0), (Some(1), Some(3)));
    // A turn that goes on explores beyond the states of the turn before it; one that starts anew explores the same states.
    assert_eq!(once.1, anew.1);
    assert!(resumed.1 > once.1, "{resumed:?} {once:?}");
}

#[test]
fn a_cycle_ends_with_the_first_answer_and_where_nothing_can_change() {
    let claims = "claimant.invariants = ['s == 0']";
    let ran = verify(
        THIRD,
        "cycle = [{ actor = 'claimant', limit = '2s' }, { actor = 'k-induction', limit = '9s' }]",
        claims,
        &[],
    );
    assert_eq!((ran.stdout.as_str(), number(&ran, "rounds")), ("Verdict: FALSE\n", Some(1)), "{ran:?}");
    // The second round has the claims of the first, and the third has nothing new.
    let ran =
        verify(THIRD, "sequence = [{ cycle = [{ actor = 'claimant', limit = '2s' }] }, 'k-induction']", claims, &[]);
    assert_eq!((ran.stdout.as_str(), number(&ran, "rounds")), ("Verdict: FALSE\n", Some(3)), "{ran:?}");
}

#[test]
fn a_step_of_a_cycle_leaves_out_what_the_step_before_it_explored() {
    // Explores the first branch, and some rounds of the loop.
    let actors = BOUNDED.replace("bound = 3", "bound = 10") + "\norder = 'breadth-first'";
    let actors = format!("{actors}\n[actor.rest]\nanalyses = ['condition', 'value']\nvalue.track = 'everything'");
    let states = |condition: &str| {
        let run = format!(
            "sequence = [{{ cycle = [{{ actor = 'bounded', limit = '2s' }}, {{ actor = 'rest', limit = '2s'{condition} }}], \
             rounds = 1 }}, 'claimant', 'k-induction']"
        );
        let ran = verify(COUNTED, &run, &actors, &["--limit", "20s"]);
        assert!(ran.stdout == "Verdict: TRUE\n" && ran.stderr.contains("answered by: rest\n"), "{ran:?}");
        number(&ran, "states expanded").unwrap_or_else(|| panic!("{ran:?}"))
    };
    assert!(states(", condition = true") < states(""));
}
