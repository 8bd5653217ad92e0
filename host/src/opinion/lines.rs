//! The lines that gcc's build executed, for a report about a run in which it behaves differently from ours.

use super::build::Built;
use crate::process::{self, Cancel, Ended, Limits};
use std::fs;
use std::time::Duration;

/// Lines that are kept at both ends of a run that has more.
const FIRST: usize = 500;
const LAST: usize = 500;

/// Builds the program once more with a trace, and runs it. The lines of the original, equal neighbours once.
pub fn of_run(built: &Built, inputs: &[u64], time: Duration, cancel: &Cancel) -> Result<Vec<String>, String> {
    built.compile_traced(cancel)?;
    built.run(("traced", "traced-run"), inputs, time, false, cancel)?;
    let failed = |error: std::io::Error| error.to_string();
    let trace = fs::read(built.path("trace")).map_err(failed)?;
    let places: String = trace
        .chunks_exact(8)
        .filter_map(|bytes| bytes.try_into().ok())
        // Where a call returns to is behind the call.
        .map(|bytes| format!("{:#x}\n", u64::from_le_bytes(bytes).saturating_sub(1)))
        .collect();
    let list = built.path("places");
    fs::write(&list, places).map_err(failed)?;
    let mut job = built.job("addr2line", "lines");
    job.arguments = ["-e", "traced"].map(Into::into).to_vec();
    (job.stdin, job.output_cap) = (Some(list), 4 << 20);
    job.limits = Limits { wall: Some(time), grace: Duration::ZERO, ..Limits::default() };
    let finished = process::run(&job, cancel).map_err(|problem| problem.message)?;
    if finished.ended != Ended::Exited(0) {
        return Err("addr2line does not know the lines".into());
    }
    let told = fs::read_to_string(built.path("lines.stdout")).map_err(failed)?;
    Ok(shortened(lines(&told, &built.original.to_string_lossy())))
}

/// The lines of one file, such as `12` for `/x.c:12 (discriminator 2)`.
fn lines(told: &str, file: &str) -> Vec<String> {
    let line = |text: &str| {
        let (path, line) = text.split_once(" (").map_or(text, |(place, _)| place).rsplit_once(':')?;
        (path == file).then(|| line.to_string())
    };
    let mut lines: Vec<String> = told.lines().filter_map(line).collect();
    lines.dedup();
    lines
}

/// Both ends of a long list.
pub fn shortened(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > FIRST + LAST {
        let left_out = lines.len() - FIRST - LAST;
        lines.splice(FIRST..FIRST + left_out, [format!("… {left_out} more …")]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_original_are_told_once_each() {
        let told = "/p/x.c:3\n/p/x.c:3 (discriminator 1)\nbuild.c:7\n/p/x.c:4\n??:0\n/p/x.c:3\n";
        assert_eq!(lines(told, "/p/x.c"), ["3", "4", "3"]);
        let many: Vec<String> = (0..1_200).map(|line| line.to_string()).collect();
        let short = shortened(many);
        assert_eq!((short.len(), short[FIRST].as_str(), short[FIRST + 1].as_str()), (1_001, "… 200 more …", "700"));
    }
}
