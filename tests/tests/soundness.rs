//! Analyses are sound: random programs run in step with them, and their operators keep the laws. A smaller count than
//! `tandem plugins check --soundness` has; and the check itself notices mistakes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::time::Duration;
use tandem::frontend::load_text;
use tandem::plugins::{LoadedPlugin, PluginSearch, Registry, load_plugin};
use tandem::soundness::programs::memory;
use tandem::soundness::{Claims, Effort, Instrumented, Part, Report, Subject, Wrong, check, check_text, execute};
use tandem_plugin_api::descriptor::{OptionValue, PluginKind};
use tandem_plugin_api::kit::testing::laws::Law;
use tandem_plugin_api::program::{DataModel, LocationId, Program};
use tandem_tests::command::tandem;
use tandem_tests::tasks::own_programs;
use tandem_tests::test_plugins::{build_dir, library};

fn registry() -> Registry {
    PluginSearch::only(&[build_dir()]).discover()
}

fn part(plugin: &LoadedPlugin, options: &[(&str, &str)]) -> Part {
    let given = options.iter().map(|(name, value)| (name.to_string(), OptionValue::Text(value.to_string())));
    Part { plugin: plugin.clone(), options: plugin.options(given).unwrap() }
}

fn analysis(registry: &Registry, name: &str, options: &[(&str, &str)]) -> Part {
    part(registry.get(PluginKind::Analysis, name).unwrap(), options)
}

fn effort(runs: u64) -> Effort {
    // Other processes on the machine take time, too.
    Effort { runs, jobs: 2, time_per_program: Duration::from_millis(700), ..Effort::default() }
}

fn passes(what: &str, subject: &Subject, effort: &Effort) -> Report {
    let report = check(subject, effort, &|_| {});
    let wrong: Vec<String> =
        report.violations.iter().map(|found| format!("{}\n{}", found.explain(), found.text)).collect();
    assert!(wrong.is_empty(), "{what}: {}", wrong.join("\n"));
    assert!(report.runs >= effort.runs, "{what}: {}", report.summary());
    assert!(report.states > 10 * report.runs && report.ended > report.runs / 2, "{what}: {report:?}");
    assert!(report.laws.get(&Law::Reflexive).is_some_and(|&count| count > 100), "{what}: {report:?}");
    assert_eq!(report.left_out, 0, "{what}: {report:?}");
    report
}

#[test]
fn analyses_without_claims_leave_out_no_location() {
    let registry = registry();
    for name in ["location", "goals", "symbolic"] {
        passes(name, &Subject::alone(analysis(&registry, name, &[])), &effort(300));
    }
}

#[test]
fn bounds_hold() {
    let interval = Subject::alone(analysis(&registry(), "interval", &[]));
    // The programs never write outside of objects, which is all that its notes are about.
    let report = passes("interval", &interval, &Effort { despite_notes: true, ..effort(400) });
    assert!(report.conditions > 1000 && report.skipped_programs() == 0, "{report:?}");
}

#[test]
fn values_hold() {
    let registry = registry();
    let report = passes(
        "value",
        &Subject::alone(analysis(&registry, "value", &[])),
        &Effort { despite_notes: true, ..effort(300) },
    );
    assert!(report.refinements > 10 && report.conditions > 200, "{report:?}");
    let everything = analysis(&registry, "value", &[("track", "everything")]);
    passes("value, everything", &Subject::alone(everything), &Effort { despite_notes: true, ..effort(300) });
}

#[test]
fn predicates_hold() {
    let registry = registry();
    let report = passes("predicate", &Subject::alone(analysis(&registry, "predicate", &[])), &effort(200));
    assert!(report.refinements > 0, "{report:?}");
}

#[test]
fn bounded_loops_leave_out_no_location() {
    let registry = registry();
    let partners = vec![analysis(&registry, "value", &[("track", "everything")])];
    let bounded = Subject { analysis: analysis(&registry, "loop-bound", &[]), partners };
    passes("loop-bound", &bounded, &effort(200));
}

#[test]
fn bounds_hold_in_programs_without_errors_and_in_our_own() {
    let interval = Subject::alone(analysis(&registry(), "interval", &[]));
    let effort = Effort { despite_notes: true, runs_per_program: 5, ..effort(0) };
    let mut checked = 0;
    let mut look = |name: &str, text: &str, model: DataModel| {
        let report = check_text(&interval, &effort, 1, text, model);
        let wrong: Vec<String> = report.violations.iter().map(|found| found.explain()).collect();
        assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
        checked += report.programs;
    };
    for seed in 1000..1015 {
        look("random", &memory::program(seed), DataModel::Lp64);
    }
    for task in own_programs().unwrap() {
        look(&task.name, &std::fs::read_to_string(&task.source).unwrap(), task.model);
    }
    assert!(checked > 40, "only {checked} programs");
}

fn program(text: &str) -> Arc<Program> {
    Arc::new(load_text(text, "test.c", DataModel::Lp64).unwrap_or_else(|diagnostic| panic!("{diagnostic}\n{text}")))
}

#[test]
fn a_wrong_claim_is_noticed() {
    let program = program(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); struct s { int a; unsigned b : 3; } s;
         int main(void) { int i = 0; int n[3] = { 1, 2, 3 }; int *p = &n[1]; s.b = 5; while (i < 10) { i++; n[1] = i; }
           if (i > 20) reach_error(); return n[0]; }",
    );
    let entry = program.entry().unwrap();
    let head = program.loop_heads(program.main)[0];
    let targets: Vec<_> = program.edge_ids().filter(|edge| program.called_function(*edge).is_some()).collect();
    let outside = |claims: &Claims| {
        let instrumented = Instrumented::new(&program, claims, &targets).unwrap();
        assert_eq!(instrumented.program.problems(), Vec::<String>::new());
        execute(&program, claims, &targets, &instrumented, 0..3).unwrap().outside
    };
    for (alternatives, holds) in [
        (&["0 <= i && i <= 10"][..], true),
        (&["0 <= i && i <= 9"], false),
        (&["n[1] <= 10"], true),
        (&["3 <= n[1]"], false),
        (&["s.b == 5 && n[0] == 1"], true),
        (&["n[0] == 1 && s.b == 6"], false),
        (&["i == 0", "i > 0 && n[1] == i"], true),
        (&["i == 0", "i > 1 && n[1] == i"], false),
        (&["!(i < 0 || i > 10) && (i ? *p == i : *p == 2)"], true),
        (&["!(i < 0 || i > 10) && (i ? *p == i : *p == 3)"], false),
        (&["*(int *)0 == 3"], false),
    ] {
        // There is no claim about other places.
        let at = (0..program.locations.len()).map(|index| (LocationId::new(index), vec![None]));
        let mut claims = Claims { at: at.collect(), ..Claims::default() };
        claims.at.insert(head, alternatives.iter().map(|text| Some(text.to_string())).collect());
        let found = outside(&claims);
        assert_eq!(found.is_none(), holds, "{alternatives:?}: {found:?}");
        assert!(found.is_none_or(|found| found.location == head && !found.what.is_empty()));
        // A place that the claim says is never reached.
        claims.at.remove(&entry);
        assert_eq!(outside(&claims).unwrap().location, entry);
    }
}

#[test]
fn mistakes_are_noticed() {
    let constants = load_plugin(&library("constants")).unwrap();
    let look = |mistake: &str| {
        let subject = Subject::alone(part(&constants, &[("mistake", mistake)]));
        check(&subject, &effort(1000), &|_| {})
    };
    let sound = look("nothing");
    assert!(sound.violations.is_empty(), "{}", sound.violations[0].explain());
    assert!(sound.runs >= 1000 && sound.conditions > 500, "{}", sound.summary());
    for mistake in [
        "ignores-wrap-around",
        "forgets-writes-through-pointers",
        "prunes-branches",
        "covers-too-much",
        "takes-uninitialised-for-zero",
    ] {
        let report = look(mistake);
        let found = report.violations.first().unwrap_or_else(|| panic!("{mistake}: {}", report.summary()));
        let Wrong::Outside(outside) = &found.what else { panic!("{mistake}: {}", found.explain()) };
        assert!(outside.line > 0 && !outside.what.is_empty(), "{outside:?}");
        let claims_of_values = !outside.invariants.is_empty();
        assert_eq!(claims_of_values, !outside.values.is_empty(), "{outside:?}");
    }
    for (mistake, message) in
        [("partition", "the law partition"), ("claims-no-c", "cannot be read"), ("panics", "boom")]
    {
        let report = look(mistake);
        let found = report.violations.first().unwrap_or_else(|| panic!("{mistake}: {}", report.summary()));
        assert!(found.explain().contains(message), "{mistake}: {}", found.explain());
    }
}

#[test]
fn the_command_says_what_is_wrong_and_how_to_see_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().display().to_string();
    let file = library("constants").display().to_string();
    let command = ["plugins", "check", &file, "--soundness", "-o", &output];
    let ran = tandem(command.iter().copied().chain(["--runs", "40"]));
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    assert!(ran.stdout.contains("nothing wrong was found") && ran.stdout.contains(" runs of "), "{ran:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let wrong = ["--option", "mistake=covers-too-much"];
    let ran = tandem(command.iter().copied().chain(wrong));
    assert_eq!(ran.code(), Some(10), "{ran:?}");
    assert!(ran.stdout.contains("constants is WRONG: in ") && ran.stdout.contains("values there: "), "{ran:?}");
    let written = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&written).unwrap();
    assert!(text.contains("int main(void)") && text.contains("inputs: "), "{text}");
    // The printed command finds the same violation.
    let again = ran.stdout.lines().find_map(|line| line.trim().strip_prefix("tandem ")).unwrap();
    let ran = tandem(again.split(' ').chain(["-o", &output]));
    assert_eq!(ran.code(), Some(10), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&written).unwrap(), text);
}

#[test]
fn the_command_refuses_what_it_cannot_check() {
    let file = |name: &str| build_dir().join(name).display().to_string();
    let (engine, value) = (file("libtandem_bmc.so"), file("libtandem_value.so"));
    for (file, arguments, message) in [
        (&engine, &["--soundness"][..], "is of kind engine"),
        (&value, &["--runs", "5"], "--soundness"),
        (&value, &["--soundness", "--option", "track"], "is not an option"),
        (&value, &["--soundness", "--option", "track=some"], "one of needed"),
        (&value, &["--soundness", "--option", "most-values=many"], "expected an integer"),
        (&value, &["--soundness", "--option", "other=1"], "no such option"),
        (&value, &["--soundness", "--option", "interval.delay=1"], "--with interval"),
        (&value, &["--soundness", "--with", "bmc"], "of kind engine"),
        (&value, &["--soundness", "--without-law", "transitve"], "did you mean `transitive`"),
    ] {
        let ran = tandem(["plugins", "check", file].into_iter().chain(arguments.iter().copied()));
        assert_eq!(ran.code(), Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(message), "{arguments:?}: {ran:?}");
    }
}
