//! Random C programs mean the same before and after the front end: both versions are compiled by gcc and print the
//! same checksums, in both data models.

use std::path::Path;
use std::process::Command;
use tandem::frontend;
use tandem_plugin_api::program::DataModel;
use tandem_tests::random_c;

/// More programs than CI runs: `TANDEM_RANDOM_PROGRAMS=1000 cargo test --release -p tandem-tests random`.
fn count() -> u64 {
    std::env::var("TANDEM_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(24)
}

fn build_and_run(directory: &Path, name: &str, source: &str, flag: &str) -> String {
    let (file, binary) = (directory.join(format!("{name}.c")), directory.join(name));
    std::fs::write(&file, source).expect("written");
    let gcc = Command::new("gcc")
        .args([flag, "-std=gnu11", "-w", "-O0", "-fwrapv", "-msse2", "-mfpmath=sse", "-ffp-contract=off", "-o"])
        .arg(&binary)
        .arg(&file)
        .output()
        .expect("gcc runs");
    assert!(gcc.status.success(), "gcc refuses {}:\n{}", file.display(), String::from_utf8_lossy(&gcc.stderr));
    let run = Command::new("timeout").arg("20").arg(&binary).output().expect("the program runs");
    assert!(run.status.success(), "{} ends with {}", binary.display(), run.status);
    String::from_utf8_lossy(&run.stdout).into_owned()
}

#[test]
fn random_programs_keep_their_meaning() {
    let mut refused = 0;
    for seed in 1..=count() {
        let (model, flag) = if seed % 2 == 0 { (DataModel::Lp64, "-m64") } else { (DataModel::Ilp32, "-m32") };
        let directory = tempfile::tempdir().expect("a directory");
        let source = random_c::program(seed);
        let file = directory.path().join("input.c");
        std::fs::write(&file, &source).expect("written");
        let program = frontend::load(&file, model).unwrap_or_else(|d| panic!("seed {seed}: {d}\n{source}"));
        if random_c::is_folded_by_gcc(&program) {
            refused += 1;
            continue;
        }
        assert!(program.unsupported.is_empty(), "seed {seed}: {:?}", program.unsupported);
        let printed = program.to_c(&Default::default());
        let original = build_and_run(directory.path(), "original", &source, flag);
        let again = build_and_run(directory.path(), "printed", &printed, flag);
        if original != again {
            let kept = directory.keep();
            let first = original.lines().zip(again.lines()).find(|(a, b)| a != b);
            panic!("seed {seed} ({flag}): {first:?}; see {}", kept.display());
        }
    }
    assert!(
        refused * 3 <= count(),
        "{refused} of {} programs are refused, since gcc folds expressions of them",
        count()
    );
}
