//! AFL++ in persistent mode on the tested programs.

use super::SpeedProgram;
use super::gcc::{tool, write};
use std::path::Path;
use std::process::{Command, Stdio};

const HARNESS: &str = include_str!("afl_harness.c");
/// Bytes of a test case: sixteen inputs, more than any short run reads.
const LONGEST: &str = "64";

/// The results of a campaign.
pub struct Campaign {
    pub executions_per_second: f64,
    /// The test cases that AFL++ kept, as inputs.
    pub corpus: Vec<Vec<u64>>,
}

pub fn is_installed() -> bool {
    let runs = |name: &str| Command::new(name).arg("-h").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    runs("afl-fuzz") && runs("afl-clang-fast")
}

/// Fuzzes a program for some seconds.
pub fn fuzz(program: &SpeedProgram, seconds: u32, folder: &Path) -> Result<Campaign, String> {
    let source = write(folder, &format!("{}.c", program.name), &program.text)?;
    let harness = write(folder, "afl_harness.c", HARNESS)?;
    let object = folder.join(format!("{}-afl.o", program.name));
    let binary = folder.join(format!("{}-afl", program.name));
    let compile = |extra: &[&str]| {
        let mut command = Command::new("afl-clang-fast");
        command.env("AFL_QUIET", "1").args(["-O2", "-w"]).args(extra);
        command
    };
    tool(compile(&["-Dmain=tested_main", "-c", "-o"]).arg(&object).arg(&source))?;
    tool(compile(&["-o"]).arg(&binary).args([&object, &harness]))?;
    let (seeds, out) = (folder.join("seeds"), folder.join(format!("{}-out", program.name)));
    // An earlier campaign must not be continued.
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(|error| error.to_string())?;
    }
    std::fs::create_dir_all(&seeds).map_err(|error| error.to_string())?;
    let seed: Vec<u8> = program.short_run().iter().flat_map(|&value| (value as u32).to_le_bytes()).collect();
    std::fs::write(seeds.join("seed"), seed).map_err(|error| error.to_string())?;
    let mut fuzz = Command::new("afl-fuzz");
    // Bound to a core if one is free: it is several times faster so.
    for setting in
        ["AFL_TRY_AFFINITY", "AFL_NO_UI", "AFL_SKIP_CPUFREQ", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "AFL_FAST_CAL"]
    {
        fuzz.env(setting, "1");
    }
    tool(
        fuzz.arg("-i")
            .arg(&seeds)
            .arg("-o")
            .arg(&out)
            .args(["-V", &seconds.to_string(), "-G", LONGEST, "--"])
            .arg(&binary),
    )?;
    let state = out.join("default");
    let stats =
        std::fs::read_to_string(state.join("fuzzer_stats")).map_err(|error| format!("AFL++'s figures: {error}"))?;
    let figure = |name: &str| {
        let line = stats.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split(':').nth(1)?.trim().parse::<f64>().ok()).ok_or(format!("AFL++ gave no {name}"))
    };
    Ok(Campaign { executions_per_second: figure("execs_per_sec")?, corpus: corpus(&state.join("queue"))? })
}

fn corpus(queue: &Path) -> Result<Vec<Vec<u64>>, String> {
    let entries = std::fs::read_dir(queue).map_err(|error| format!("{}: {error}", queue.display()))?;
    let mut files: Vec<_> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
    files.sort();
    let inputs = |bytes: Vec<u8>| {
        let words =
            bytes.chunks_exact(4).map(|word| word.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)));
        words.collect()
    };
    files.iter().map(|file| std::fs::read(file).map(inputs).map_err(|error| error.to_string())).collect()
}
