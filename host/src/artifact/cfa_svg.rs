//! The control-flow automaton as a picture, drawn by graphviz.

use super::cfa_dot;
use crate::diagnostic::Diagnostic;
use std::io::Write;
use std::process::{Command, Stdio};
use tandem_plugin_api::program::Program;

/// Graphviz needs minutes and gigabytes for graphs beyond this.
const MOST_LOCATIONS: usize = 20_000;

pub fn write(program: &Program) -> Result<String, Diagnostic> {
    if program.locations.len() > MOST_LOCATIONS {
        let message = format!("the program has {} locations, too many for a picture", program.locations.len());
        return Err(Diagnostic::new(message).help("use `--format dot` or `--format json`"));
    }
    draw("dot", &cfa_dot::write(program))
}

pub(super) fn draw(graphviz: &str, graph: &str) -> Result<String, Diagnostic> {
    let mut child = Command::new(graphviz)
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| not_runnable(graphviz, &error))?;
    let Some(mut input) = child.stdin.take() else {
        return Err(Diagnostic::new("graphviz has no standard input"));
    };
    // A thread of its own feeds the graph, so that neither side waits for the other with a full pipe.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(graph.as_bytes()));
        child.wait_with_output()
    })
    .map_err(|error| Diagnostic::new(format!("graphviz cannot be run: {error}")))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().next().unwrap_or("no message").to_string();
        return Err(Diagnostic::new(format!("graphviz failed ({}): {first}", output.status))
            .help("use `--format dot` and draw the graph with another program"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn not_runnable(graphviz: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(format!("cannot run `{graphviz}`, which draws the picture: {error}"))
        .help("install graphviz (Debian: apt install graphviz), or use `--format dot`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_graphviz_is_named_with_the_remedy() {
        let error = draw("dot-that-is-not-installed", "digraph {}").expect_err("there is no such program");
        assert!(error.to_string().contains("apt install graphviz"), "{error}");
    }

    #[test]
    fn graphviz_draws_and_reports_its_errors() {
        match draw("dot", "digraph { a -> b }") {
            Ok(svg) => assert!(svg.contains("<svg")),
            Err(error) => assert!(error.to_string().contains("apt install"), "{error}"),
        }
        assert!(draw("dot", "this is no graph").is_err());
    }
}
