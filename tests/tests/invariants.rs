//! What analyses claim holds in executions: on random programs that exercise memory, and on our own. A smaller count than the
//! command `invariant_agreement` has.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use tandem::frontend::load_text;
use tandem_plugin_api::program::{DataModel, Program};
use tandem_tests::invariants::{Claims, Instrumented, Report, check, claims, plugins};
use tandem_tests::random_memory_c;
use tandem_tests::tasks::{in_parallel, own_programs};
use tandem_tests::test_plugins::build_dir;

/// Analyses that give invariants.
const ANALYSES: [&str; 1] = ["interval"];

fn program(text: &str, model: DataModel) -> Arc<Program> {
    Arc::new(load_text(text, "test.c", model).unwrap_or_else(|diagnostic| panic!("{diagnostic}\n{text}")))
}

fn checked(program: &Arc<Program>, claims: &Claims, runs: u64) -> Report {
    let instrumented = Instrumented::new(program, claims).unwrap();
    check(&instrumented, 0..runs, 20_000).unwrap()
}

#[test]
fn invariants_hold_in_random_programs() {
    let seeds: Vec<u64> = (1000..1020).collect();
    for analysis in ANALYSES {
        let reports = in_parallel(&seeds, 2, |&seed| {
            let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
            let program = program(&random_memory_c::program(seed), model);
            let claims = claims(&plugins(build_dir()), analysis, &program).unwrap();
            checked(&program, &claims, 20)
        });
        let (mut conjuncts, mut ended) = (0, 0);
        for (seed, report) in seeds.iter().zip(reports) {
            assert!(report.violations.is_empty(), "{analysis}, seed {seed}: {report:?}");
            conjuncts += report.checks;
            ended += report.ended;
        }
        assert!(conjuncts > 1000 && ended > 100, "{analysis}: {conjuncts} conjuncts, {ended} runs");
    }
}

#[test]
fn invariants_hold_in_our_own_programs() {
    let tasks = own_programs().unwrap();
    let registry = plugins(build_dir());
    let mut looked_at = 0;
    for analysis in ANALYSES {
        for task in &tasks {
            let text = std::fs::read_to_string(&task.source).unwrap();
            // Those with directives are for the preprocessor.
            let Ok(program) = load_text(&text, "test.c", task.model) else { continue };
            let program = Arc::new(program);
            let claims = claims(&registry, analysis, &program).unwrap();
            let report = checked(&program, &claims, 5);
            assert!(report.violations.is_empty(), "{analysis}, {}: {report:?}", task.name);
            looked_at += 1;
        }
    }
    assert!(looked_at > 30, "only {looked_at} programs");
}

#[test]
fn a_wrong_claim_is_noticed() {
    let text = "extern int __VERIFIER_nondet_int(void); struct s { int a; unsigned b : 3; } s;
         int main(void) { int i = 0; int n[3] = { 1, 2, 3 }; s.b = 5; while (i < 10) { i++; n[1] = i; }
           if (i > 20) s.a = 1; return n[0]; }";
    let program = program(text, DataModel::Lp64);
    let main = program.function(program.main);
    let head = program.loop_heads(program.main)[0];
    for (claim, holds) in [
        ("0 <= i && i <= 10", true),
        ("0 <= i && i <= 9", false),
        ("n[1] <= 10", true),
        ("3 <= n[1]", false),
        ("s.b == 5 && n[0] == 1", true),
        ("n[0] == 1 && s.b == 6", false),
    ] {
        // Nothing is said of all other places.
        let mut claims: Claims = (0..program.locations.len())
            .map(|index| (tandem_plugin_api::program::LocationId::new(index), vec![]))
            .collect();
        claims.insert(head, vec![Some(claim.into())]);
        assert_eq!(checked(&program, &claims, 3).violations.is_empty(), holds, "{claim}");
        // A place that is said not to be reached.
        claims.remove(&main.body.unwrap().entry);
        assert!(!checked(&program, &claims, 3).violations.is_empty());
    }
}
