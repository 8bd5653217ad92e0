//! Traces of runs, as the harness writes them, and how two are compared.

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub events: Vec<String>,
    /// `exit 0`, `signal 11`, `error 0`, `cut by time 0`, …
    pub end: String,
}

impl Trace {
    /// Ended by a limit that two builds of one program may meet at different points.
    pub fn is_cut(&self) -> bool {
        ["cut by time", "cut by stack", "cut by trace"].iter().any(|how| self.end.starts_with(how))
    }
}

/// The runs without the last values of globals: an optimised build does not set globals that are not read any more.
pub(super) fn without_globals(traces: &[Trace]) -> Vec<Trace> {
    let keep = |event: &&String| !event.starts_with("finally ");
    let strip = |trace: &Trace| Trace { events: trace.events.iter().filter(keep).cloned().collect(), ..trace.clone() };
    traces.iter().map(strip).collect()
}

/// All runs of one execution of the harness.
pub(super) fn parse(output: &str) -> Vec<Trace> {
    let mut traces: Vec<Trace> = Vec::new();
    for line in output.lines() {
        if line.starts_with("# ") {
            traces.push(Trace { events: Vec::new(), end: String::new() });
        } else if let Some(trace) = traces.last_mut() {
            match line.strip_prefix("= ") {
                Some(end) => trace.end = end.to_string(),
                None => trace.events.push(line.to_string()),
            }
        }
    }
    traces
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Same {
        events: usize,
    },
    /// The same as far as both traces go.
    SameUntilCut {
        events: usize,
    },
    Different(String),
}

/// Compares two runs on the same inputs.
pub fn compare(original: &Trace, printed: &Trace) -> Comparison {
    let common = original.events.iter().zip(&printed.events).take_while(|(a, b)| a == b).count();
    let (a, b) = (original.events.get(common), printed.events.get(common));
    let complete = |trace: &Trace| !trace.is_cut();
    match (a, b) {
        (Some(a), Some(b)) => Comparison::Different(format!("event {}: original `{a}`, printed `{b}`", common + 1)),
        (None, None) if original.end == printed.end && complete(original) => Comparison::Same { events: common },
        (None, None) if complete(original) && complete(printed) => Comparison::Different(format!(
            "after {common} events: original ends `{}`, printed `{}`",
            original.end, printed.end
        )),
        (Some(a), None) if complete(printed) => Comparison::Different(format!(
            "after {common} events: original goes on with `{a}`, printed ends `{}`",
            printed.end
        )),
        (None, Some(b)) if complete(original) => Comparison::Different(format!(
            "after {common} events: original ends `{}`, printed goes on with `{b}`",
            original.end
        )),
        _ => Comparison::SameUntilCut { events: common },
    }
}

/// The first vector on which two lists of runs differ.
pub(super) fn first_difference(a: &[Trace], b: &[Trace]) -> Option<(usize, String)> {
    if a.len() != b.len() {
        return Some((a.len().min(b.len()), format!("{} runs against {}", a.len(), b.len())));
    }
    a.iter().zip(b).enumerate().find_map(|(at, (a, b))| match compare(a, b) {
        Comparison::Different(text) => Some((at, text)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(events: &[&str], end: &str) -> Trace {
        Trace { events: events.iter().map(|e| e.to_string()).collect(), end: end.into() }
    }

    #[test]
    fn equal_runs_and_different_ends() {
        let a = trace(&["x", "y"], "exit 0");
        assert_eq!(compare(&a, &a), Comparison::Same { events: 2 });
        assert!(matches!(compare(&a, &trace(&["x", "y"], "exit 1")), Comparison::Different(_)));
        assert!(matches!(compare(&a, &trace(&["x", "z"], "exit 0")), Comparison::Different(_)));
        assert!(matches!(compare(&a, &trace(&["x"], "exit 0")), Comparison::Different(_)));
        assert!(matches!(compare(&trace(&["x"], "error 0"), &a), Comparison::Different(_)));
    }

    #[test]
    fn a_cut_run_must_be_a_prefix() {
        let (a, cut) = (trace(&["x", "y"], "exit 0"), trace(&["x"], "cut by time 0"));
        assert_eq!(compare(&a, &cut), Comparison::SameUntilCut { events: 1 });
        assert_eq!(compare(&cut, &a), Comparison::SameUntilCut { events: 1 });
        assert!(matches!(compare(&trace(&["x", "y", "z"], "cut by time 0"), &a), Comparison::Different(_)));
        assert!(matches!(compare(&trace(&["y"], "cut by time 0"), &a), Comparison::Different(_)));
        // The number of inputs is the same in every build, so this cut is an end like others.
        assert!(matches!(compare(&a, &trace(&["x", "y"], "cut by inputs 0")), Comparison::Different(_)));
    }

    #[test]
    fn output_of_the_harness_is_split_by_vector() {
        let traces = parse("# 0\nf( ) = 1\n= exit 0\n# 1\n= signal 11\n");
        assert_eq!(traces, [trace(&["f( ) = 1"], "exit 0"), trace(&[], "signal 11")]);
    }
}
