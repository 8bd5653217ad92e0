//! The programs for measurements of speed: they have the promised sizes, and in both data models they return the
//! results of gcc's builds.

use std::collections::BTreeMap;
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::service::execution::{Execution, Exit};
use tandem_tests::speed::gcc::GccBuild;
use tandem_tests::speed::{UNLIMITED, fuzzing_options, plain_options, programs, runner};

#[test]
fn there_are_three_of_each_size() {
    let mut sizes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for program in programs() {
        sizes.entry(program.size).or_default().push(program.lines());
        assert_eq!(program.text, programs().into_iter().find(|p| p.name == program.name).expect("again").text);
    }
    let within = |size: &str, lines: std::ops::Range<usize>| {
        let found = &sizes[size];
        assert!(found.len() == 3 && found.iter().all(|n| lines.contains(n)), "{size}: {found:?}");
    };
    within("small", 20..61);
    within("medium", 250..400);
    within("large", 2000..4000);
}

#[test]
fn they_return_what_gcc_s_builds_return() {
    let folder = tempfile::tempdir().expect("a folder");
    for program in programs() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let build = GccBuild::new(&program, model, folder.path()).expect("gcc compiles it");
            let loaded = program.load(model).expect("it is read");
            for options in [plain_options(&loaded), fuzzing_options(&loaded)] {
                let mut runner = runner(&loaded, &options).expect("it compiles");
                for rounds in [0, 1, 5, 17, program.rounds / 100] {
                    let inputs = program.inputs(rounds);
                    let expected = build.run(&inputs).expect("gcc's build runs").result;
                    let exit = runner.run(&inputs, &UNLIMITED);
                    assert_eq!(exit, Exit::Returned(expected), "{} ({model:?}), {rounds} rounds", program.name);
                }
            }
        }
    }
}
