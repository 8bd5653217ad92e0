//! A measurement as text: a summary of a few lines, and the source with a margin.

use super::report::{Branch, Report, SourceLine};
use std::fmt::Write;

/// The numbers.
pub fn summary(report: &Report) -> String {
    let mut text = format!("Branches: {}\n", report.branches);
    let _ = writeln!(text, "Conditions: {}", report.conditions);
    let _ = writeln!(text, "Lines: {}", report.lines);
    let reaching = report.tests.iter().filter(|test| test.reaches_error).count();
    let _ = match report.error_reached {
        None => Ok(()),
        Some(_) => writeln!(text, "Error: reached by {reaching} of {} tests", report.tests.len()),
    };
    text
}

/// The source: for each line how many tests executed it, and which branches were taken.
pub fn annotated(report: &Report) -> String {
    let marks: Vec<String> = report.source.iter().map(marks).collect();
    let width = marks.iter().map(|marks| marks.chars().count()).max().unwrap_or(0).clamp(8, 24);
    let digits = report.source.len().to_string().len().max(4);
    let mut text = format!("{:>7} {:width$} {:>digits$} | {}\n", "tests", "branches", "line", report.program);
    for (line, marks) in report.source.iter().zip(marks) {
        let tests = match line.tests {
            None => String::new(),
            Some(0) => "-".to_string(),
            Some(tests) => tests.to_string(),
        };
        let _ = writeln!(text, "{tests:>7} {marks:width$} {:>digits$} | {}", line.number, line.text);
    }
    text + "T+ and F+ are branches that some test took, T- and F- those that none did.\n"
}

/// `T+F-` for each decision of the line, `3+ 4- default-` for a switch.
fn marks(line: &SourceLine) -> String {
    let mut text = String::new();
    let mut last: Option<&Branch> = None;
    for branch in &line.branches {
        let (name, short) = match branch.outcome.as_str() {
            "true" => ("T", true),
            "false" => ("F", true),
            other => (other.strip_prefix("case ").unwrap_or(other), false),
        };
        let same_decision = last.is_some_and(|last| (last.column, last.decision) == (branch.column, branch.decision));
        if last.is_some() && !(short && same_decision) {
            text.push(' ');
        }
        text.push_str(name);
        text.push(if branch.covered { '+' } else { '-' });
        last = Some(branch);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::report;
    use super::*;

    #[test]
    fn the_margin_shows_tests_and_branches() {
        let text = annotated(&report());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "  tests branches line | p<1>.c");
        assert_eq!(lines[1], "                    1 | extern int __VERIFIER_nondet_int(void);");
        assert_eq!(lines[5], "      1 T-F+        5 |   if (x < 3 && x > 1)");
        assert_eq!(lines[6], "      -             6 |     x = '<';");
        assert_eq!(lines.len(), 10);
        assert!(summary(&report()).starts_with("Branches: 1 of 4 (25.0 %)\nConditions: 1 of 6"));
    }

    #[test]
    fn cases_are_named() {
        let branch =
            |outcome: &str, covered| Branch { decision: "switch", outcome: outcome.into(), column: 3, covered };
        let branches = vec![branch("case 3", true), branch("case -4", false), branch("default", true)];
        let line = SourceLine { number: 1, text: String::new(), tests: Some(1), branches };
        assert_eq!(marks(&line), "3+ -4- default+");
    }
}
