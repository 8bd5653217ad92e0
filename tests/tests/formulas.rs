//! Formulas agree with execution: on random programs, path by path and joined, in a smaller count than the command
//! `formula_agreement` has; and a formula that is wrong is noticed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use tandem::frontend::load_text;
use tandem_plugin_api::program::{DataModel, Program};
use tandem_tests::formulas::{Joined, Report, Settings, Subject};
use tandem_tests::random_memory_c;
use tandem_tests::tasks::in_parallel;

fn program(text: &str, model: DataModel) -> Arc<Program> {
    Arc::new(load_text(text, "test.c", model).unwrap_or_else(|diagnostic| panic!("{diagnostic}\n{text}")))
}

fn reports(program: &Arc<Program>, pairs: u64) -> Vec<Report> {
    let settings = Settings { defined: true, ..Settings::default() };
    let mut subject = Subject::new(program.clone(), settings).unwrap();
    let mut joined = Joined::new(program.clone());
    let mut first = Vec::new();
    let mut all = Vec::new();
    for seed in 0..pairs {
        let mut report = subject.pair(&first, seed);
        first = report.elsewhere.take().unwrap_or_default();
        if report.complete {
            all.push(joined.contains(&mut subject, &report.inputs));
        }
        all.push(report);
    }
    all
}

#[test]
fn formulas_agree_with_execution() {
    let seeds: Vec<u64> = (1..=36).collect();
    let model = |seed: u64| if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let results = in_parallel(&seeds, 2, |&seed| reports(&program(&random_memory_c::program(seed), model(seed)), 2));
    let (mut followed, mut bytes) = (0, 0);
    for (seed, reports) in seeds.iter().zip(results) {
        for report in reports {
            assert!(report.disagreements.is_empty(), "seed {seed}: {report:?}\n{}", random_memory_c::program(*seed));
            followed += report.followed;
            bytes += report.bytes;
        }
    }
    assert!(followed > 70, "only {followed} paths were followed");
    assert!(bytes > 100_000, "only {bytes} bytes were compared");
}

/// Programs that agree, whatever their inputs.
fn agree(text: &str) {
    let text = format!("{INPUTS}{text}");
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        for report in reports(&program(&text, model), 6) {
            assert!(report.disagreements.is_empty(), "{model:?}: {report:?}\n{text}");
        }
    }
}

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n";

#[test]
fn padding_is_copied() {
    agree(
        "struct s { char c; int i; short t; } a, b; char seen;
         int main(void) { unsigned char n = __VERIFIER_nondet_uchar(); ((char *)&a)[2] = n; b = a;
           if (((char *)&b)[2] == 5) seen = 1; return 0; }",
    );
}

#[test]
fn pointers_may_stand_beside_their_object() {
    agree(
        "long long a[4] = { 1, 2, 3, 4 }; long long seen;
         int main(void) { long long *p = a + 3; int n = __VERIFIER_nondet_int();
           while (p >= a) { if (*p == n) seen = *p; p--; }
           if (n > 2) p = p + 1;
           if (n > 2) { seen += *p; *p = n; } return 0; }",
    );
}

#[test]
fn elements_askew_are_read() {
    agree(
        "unsigned char bytes[300]; int seen;
         int main(void) { unsigned char n = __VERIFIER_nondet_uchar(); bytes[4] = 9;
           *(int *)(bytes + 2 + 4 * (n & 63)) = n; seen = bytes[0] + bytes[1] + bytes[3]; 
           if (*(int *)(bytes + 2) == 7) seen++; return 0; }",
    );
}

#[test]
fn a_function_may_end_without_a_result() {
    agree(
        "int seen; static int f(int n) { if (n > 3) return 1; }
         int main(void) { seen = f(__VERIFIER_nondet_int()); return 0; }",
    );
    agree(
        "int seen;
         int main(void) { if (__VERIFIER_nondet_int() > 3) goto over; int n = 5; over: seen = n; return 0; }",
    );
}

#[test]
fn freed_blocks_may_be_given_out_again() {
    let text = "extern void *malloc(unsigned long); extern void free(void *); int seen;
         int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int() > 3) free(p); int *q = malloc(4);
           if (p == q) seen = 1; return 0; }";
    let mut subject = Subject::new(
        program(&format!("{INPUTS}{text}"), DataModel::Lp64),
        Settings { defined: true, ..Settings::default() },
    )
    .unwrap();
    for first in [0, 4] {
        let report = subject.pair(&[first], 1);
        assert!(report.disagreements.is_empty(), "{report:?}");
        // Whether the block is the same one is open only if the first one was freed.
        assert_eq!(report.followed + report.allowed.len(), if first == 4 { 2 } else { 1 }, "{report:?}");
    }
}

#[test]
fn a_wrong_formula_is_noticed() {
    let text = |change: &str| {
        format!(
            "{INPUTS}int seen, a[100];
             int main(void) {{ int n = __VERIFIER_nondet_int(); a[n & 63] = n {change}; int k = a[n & 63];
               if (k > 1000) seen = 1; else if (k == 3) seen = 2; return 0; }}"
        )
    };
    let executed = program(&text("+ 1"), DataModel::Lp64);
    let settings = Settings { defined: true, ..Settings::default() };
    for (change, expected) in [("+ 1", false), ("- 1", true), ("^ 1", true), ("* 1", true)] {
        let mut subject = Subject::new(executed.clone(), settings.clone()).unwrap();
        subject.described = program(&text(change), DataModel::Lp64);
        let noticed = (0..4).any(|seed| !subject.pair(&[], seed).disagreements.is_empty());
        assert_eq!(noticed, expected, "{change}");
    }
    // A path that the formulas exclude.
    let mut subject = Subject::new(executed, settings).unwrap();
    subject.described = program(&text("& 0"), DataModel::Lp64);
    let noticed = |report: &Report| report.disagreements.iter().any(|text| text.contains("cannot be passed"));
    assert!((0..8).any(|seed| noticed(&subject.pair(&[2000], seed))));
}
