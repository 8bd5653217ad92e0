//! The command `conformance` on programs of our own: it agrees with gcc on all of them, and notices mistakes.

use std::path::Path;
use std::process::Command;
use tandem_plugin_api::kit::testing::skip;
use tandem_plugin_api::program::DataModel;
use tandem_tests::command::{Ran, root, run};
use tandem_tests::conformance::{Built, mutants};

fn conformance(arguments: &[&str]) -> Ran {
    run(Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).current_dir(root()))
}

/// Programs can be compiled for a data model only where the headers and libraries for it are installed.
fn models(source: &Path) -> Vec<&'static str> {
    [DataModel::Ilp32, DataModel::Lp64]
        .into_iter()
        .filter(|model| Built::new(source, *model).is_ok())
        .map(DataModel::name)
        .collect()
}

#[test]
fn self_checking_programs_agree_with_gcc() {
    let directory = root().join("tests/programs/self-checking");
    let models = models(&directory.join("printing.c"));
    if models.is_empty() {
        return skip("gcc cannot build programs");
    }
    let ran = conformance(&["tests/programs/self-checking", "--models", &models.join(",")]);
    assert_eq!(ran.code(), Some(0), "{}{}", ran.stdout, ran.stderr);
    let programs = std::fs::read_dir(&directory).expect("the directory is there").count();
    assert!(ran.stdout.contains(&format!("{} agree\n100.0 %", programs * models.len())), "{}", ran.stdout);
}

#[test]
fn mutants_are_not_proven() {
    let source = root().join("tests/programs/self-checking/arithmetic.c");
    if !models(&source).contains(&"LP64") {
        return skip("gcc cannot build programs");
    }
    let text = std::fs::read_to_string(&source).expect("the program is there");
    assert_eq!(mutants(&text).len(), 6);
    let path = source.display().to_string();
    let ran = conformance(&[&path, "--mutants", "6", "--models", "LP64", "--limit", "5"]);
    assert_eq!(ran.code(), Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("mutants abort under gcc\ndefault: {\"FALSE\": "), "{}", ran.stdout);
}

#[test]
fn wrong_words_are_explained() {
    for (arguments, expected) in [
        (vec![], "name C files, or a directory with C files"),
        (vec!["missing.c"], "missing.c: there is no such file or directory"),
        (vec!["tests", "--models", "LP65"], "there is no data model `LP65`"),
    ] {
        let ran = conformance(&arguments);
        assert_eq!(ran.code(), Some(2));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}
