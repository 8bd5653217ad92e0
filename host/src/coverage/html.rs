//! A measurement as one HTML page that needs nothing else: no scripts, no fonts, no other files.
//! Colours follow the reader's light or dark mode, and no meaning rests on colour alone.

use super::report::{Branch, Report, SourceLine};
use super::{Ratio, TestResult};
use crate::artifact::html::{COLOURS, escape};
use std::fmt::Write;
use std::path::Path;

const STYLE: &str = include_str!("page.css");

pub fn page(report: &Report) -> String {
    let name =
        Path::new(&report.program).file_name().map_or(report.program.clone().into(), |name| name.to_string_lossy());
    let title = format!("Coverage of {}", escape(&name));
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{COLOURS}{STYLE}</style>\n</head>\n\
         <body>\n<header>\n<h1>{title}</h1>\n<p><code>{}</code><br>by the tests in <code>{}</code>, {}, tandem {}</p>\n\
         </header>\n<main>\n",
        escape(&report.program),
        escape(&report.suite),
        escape(&report.data_model),
        escape(&report.tandem)
    );
    text.push_str("<section class=\"numbers\" aria-label=\"Summary\">\n");
    for (name, what, ratio) in [
        ("Branches", "outcomes of the source's decisions", report.branches),
        ("Conditions", "jumps, as gcov counts them", report.conditions),
        ("Lines", "lines with code", report.lines),
    ] {
        text.push_str(&number(name, what, ratio));
    }
    text.push_str("</section>\n");
    text.push_str(&error_line(report));
    text.push_str(&tests(&report.tests));
    text.push_str(&source(report));
    text + "</main>\n</body>\n</html>\n"
}

fn number(name: &str, what: &str, Ratio { covered, total }: Ratio) -> String {
    let percent = Ratio { covered, total }.percent();
    format!(
        "<div class=\"number\"><h2>{name}</h2><p><strong>{percent:.1} %</strong> {covered} of {total}</p>\
         <div class=\"bar\" role=\"img\" aria-label=\"{percent:.1} percent\"><span style=\"width:{percent:.2}%\"></span>\
         </div><p class=\"what\">{what}</p></div>\n"
    )
}

fn error_line(report: &Report) -> String {
    let reaching = report.tests.iter().filter(|test| test.reaches_error).count();
    match report.error_reached {
        None => String::new(),
        Some(true) => {
            format!("<p class=\"error\">The error is reached by {reaching} of {} tests.</p>\n", report.tests.len())
        }
        Some(false) => "<p>No test reaches the error.</p>\n".to_string(),
    }
}

fn tests(tests: &[TestResult]) -> String {
    let count = if tests.len() == 1 { "1 test".to_string() } else { format!("{} tests", tests.len()) };
    let mut text = format!("<details><summary>{count}</summary>\n<div class=\"scroll\"><table>\n");
    text.push_str("<tr><th>test</th><th>inputs read</th><th>new branches</th><th>end of the run</th></tr>\n");
    for test in tests {
        let problem = test
            .problem
            .as_ref()
            .map_or(String::new(), |problem| format!("<br><span class=\"problem\">{}</span>", escape(problem)));
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{} of {}</td><td>{}</td><td>{}{problem}</td></tr>",
            escape(&test.name),
            test.inputs_used,
            test.inputs_given,
            test.new_branches,
            escape(&test.end)
        );
    }
    text + "</table></div></details>\n"
}

fn source(report: &Report) -> String {
    let mut text = String::from(
        "<p class=\"legend\">The margin shows the line and how many tests executed it. \
         <b class=\"branch yes\">T ✓</b> is a branch that some test took, <b class=\"branch no\">F ✗</b> one that none \
         did.</p>\n<div class=\"source\" tabindex=\"0\" role=\"region\" aria-label=\"Source\"><table>\n",
    );
    report.source.iter().for_each(|line| text.push_str(&source_line(line)));
    text + "</table></div>\n"
}

fn source_line(line: &SourceLine) -> String {
    let partly = line.branches.iter().any(|branch| !branch.covered);
    let (class, tests, title) = match line.tests {
        None => ("none", String::new(), "no code"),
        Some(0) => ("no", "✗".to_string(), "executed by no test"),
        Some(tests) if partly => ("part", tests.to_string(), "executed, but not every branch was taken"),
        Some(tests) => ("yes", tests.to_string(), "executed"),
    };
    let branches: String = line.branches.iter().map(branch).collect();
    let number = line.number;
    format!(
        "<tr class=\"{class}\" id=\"L{number}\"><td class=\"line\">{number}</td><td class=\"tests\" title=\"{title}\">{tests}</td>\
         <td class=\"text\"><pre>{}</pre>{branches}</td></tr>\n",
        escape(&line.text)
    )
}

fn branch(branch: &Branch) -> String {
    let short = match branch.outcome.as_str() {
        "true" => "T",
        "false" => "F",
        other => other,
    };
    let (class, mark, taken) = if branch.covered { ("yes", '✓', "taken") } else { ("no", '✗', "never taken") };
    let title = format!("{} at column {}: {}, {taken}", branch.decision, branch.column, branch.outcome);
    format!(" <b class=\"branch {class}\" title=\"{}\">{} {mark}</b>", escape(&title), escape(short))
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::report;
    use super::*;

    #[test]
    fn nothing_of_the_input_is_markup() {
        let mut report = report();
        report.source[0].text = "</pre><script>alert(\"1\")</script>\u{1b}&amp;".into();
        report.tests[0].problem = Some("input 1: `<b>`".into());
        report.suite = "a'\"><img src=x>".into();
        let page = page(&report);
        assert!(
            !page.contains("<script") && !page.contains("<img") && !page.contains("`<b>`") && !page.contains('\u{1b}')
        );
        assert!(page.contains("&lt;/pre&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;\u{fffd}&amp;amp;"));
        assert!(page.contains("Coverage of p&lt;1&gt;.c"));
        assert!(page.contains("x = &#39;&lt;&#39;;"));
    }

    #[test]
    fn the_page_stands_alone() {
        let page = page(&report());
        for needed in ["<meta name=\"viewport\"", "light-dark(", "25.0 %", "id=\"L8\"", "t&amp;1.xml"] {
            assert!(page.contains(needed), "{needed}");
        }
        for foreign in ["http:", "https:", "url(", "@import", " src=", " href="] {
            assert!(!page.contains(foreign), "{foreign}");
        }
        let opened = |tag: &str| page.matches(&format!("<{tag}")).count() - page.matches(&format!("</{tag}>")).count();
        for tag in ["table", "tr>", "td>", "div", "pre", "details", "main", "section"] {
            let tag = tag.trim_end_matches('>');
            assert_eq!(opened(tag), 0, "{tag}");
        }
    }

    #[test]
    fn lines_have_a_class_each() {
        let page = page(&report());
        for (line, class) in [(1, "none"), (4, "yes"), (5, "part"), (6, "no"), (7, "no")] {
            assert!(page.contains(&format!("<tr class=\"{class}\" id=\"L{line}\">")), "{line}");
        }
    }
}
