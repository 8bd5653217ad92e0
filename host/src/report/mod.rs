//! A run as one HTML page without other files: verdict, counterexample step by step or invariants, graphs, which actor
//! worked when. All data is in the page as JSON; its script puts it there as text, never as markup.

mod graphs;
mod layout;
pub mod sarif;
mod source;
#[cfg(test)]
mod tests;
pub mod trace;
mod values;

use crate::artifact::html::{COLOURS, escape, json_for_script, policy, shortened};
use crate::compose::recorder::{Record, Work, gia_text};
use crate::coverage::{Coverage, Ratio};
use graphs::Graph;
use serde::Serialize;
use source::Source;
use std::path::Path;
use std::time::Duration;
use tandem_plugin_api::artifact::{Invariants, Outcome, Verdict};
use tandem_plugin_api::program::{EdgeId, Program};
use trace::Followed;

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("page.html");
const SCRIPTS: [&str; 4] =
    [include_str!("page.js"), include_str!("source.js"), include_str!("graph.js"), include_str!("cooperation.js")];
/// GIAs that are drawn, at most.
const MOST_GIAS: usize = 40;

/// All that is known of a run.
pub struct Material<'a> {
    pub program: &'a Program,
    pub targets: &'a [EdgeId],
    /// The program's text, as it was read.
    pub text: &'a str,
    pub verdict: &'a Verdict,
    pub outcome: &'a Outcome,
    /// What is told of loops: each was proven.
    pub invariants: &'a Invariants,
    pub record: &'a Record,
    /// The counterexample, or why it cannot be followed.
    pub followed: Option<&'a Result<Followed, String>>,
    pub coverage: Option<&'a Coverage<'a>>,
    /// Names and values, in the order in which they are shown.
    pub facts: Vec<(&'static str, String)>,
    pub elapsed: Duration,
}

#[derive(Serialize)]
struct Data<'a> {
    verdict: &'static str,
    reason: String,
    facts: Vec<(&'static str, String)>,
    rests: Rests,
    source: Source,
    trace: Option<&'a Followed>,
    no_trace: Option<&'a str>,
    coverage: Option<Covered>,
    control_flow: Vec<Graph>,
    reached: Vec<Graph>,
    works: Vec<ShownWork>,
    passes: Vec<ShownPass>,
    elapsed: f64,
    statistics: Vec<(String, String)>,
}

#[derive(Serialize)]
struct Rests {
    conventions: Vec<String>,
    claims: Vec<String>,
    unsound: Vec<String>,
}

#[derive(Serialize)]
struct Covered {
    branches: Ratio,
    tests: usize,
}

#[derive(Serialize)]
struct ShownWork {
    actor: String,
    plugins: String,
    start: f64,
    end: Option<f64>,
    result: String,
    residual: bool,
    statistics: Vec<(String, String)>,
}

#[derive(Serialize)]
struct ShownPass {
    at: f64,
    from: String,
    to: String,
    what: Vec<String>,
    gia: Option<Graph>,
}

/// The page.
pub fn page(material: &Material<'_>) -> Result<String, serde_json::Error> {
    let data = json_for_script(&data(material))?;
    let script = format!("\"use strict\";\n{}", SCRIPTS.concat());
    let style = format!("\n{COLOURS}{STYLE}");
    let name = Path::new(&material.program.name).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| material.program.name.clone());
    let title = escape(&format!("{} – {name}", material.verdict.name()));
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>{style}</style>\n</head>\n\
         {}<script type=\"application/json\" id=\"data\">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n",
        policy(&script, &style),
        BODY.replace("{{name}}", &escape(&name)),
    ))
}

fn data<'a>(material: &Material<'a>) -> Data<'a> {
    let (program, outcome, record) = (material.program, material.outcome, material.record);
    let followed = material.followed.and_then(|followed| followed.as_ref().ok());
    let taken = followed.map_or(&[][..], |followed| &followed.taken);
    let mut source = Source::of(material.text);
    match (followed, material.coverage) {
        (Some(followed), _) => source.mark_taken(program, &followed.taken),
        (None, Some(coverage)) => source.mark_tests(coverage),
        (None, None) => source.mark_explored(program, record),
    }
    source.add_invariants(program, material.invariants);
    let reason = match material.verdict {
        Verdict::Unknown { reason } => reason.clone(),
        _ => String::new(),
    };
    Data {
        verdict: material.verdict.name(),
        reason,
        facts: material.facts.clone(),
        rests: Rests {
            conventions: outcome.soundness.convention_texts(),
            claims: outcome.soundness.claims().map(str::to_string).collect(),
            unsound: outcome.soundness.unsound_steps().map(str::to_string).collect(),
        },
        source,
        trace: followed,
        no_trace: material.followed.and_then(|followed| followed.as_ref().err()).map(String::as_str),
        coverage: material.coverage.map(|c| Covered { branches: c.branches(), tests: c.tests().len() }),
        control_flow: graphs::control_flow(program, material.targets, taken),
        reached: graphs::reached(record),
        works: record.works.iter().map(shown_work).collect(),
        passes: passes(material),
        elapsed: material.elapsed.as_secs_f64(),
        statistics: outcome.statistics.clone(),
    }
}

fn shown_work(work: &Work) -> ShownWork {
    ShownWork {
        actor: work.actor.clone(),
        plugins: work.plugins.clone(),
        start: work.start.as_secs_f64(),
        end: work.end.map(|end| end.as_secs_f64()),
        result: shortened(&work.result, 600),
        residual: work.residual,
        statistics: work.statistics.clone(),
    }
}

/// The artifacts that were passed on, and at last the results of the run.
fn passes(material: &Material<'_>) -> Vec<ShownPass> {
    let mut drawn = 0;
    let mut draw = |name: String, gia| {
        drawn += 1;
        (drawn <= MOST_GIAS).then(|| graphs::gia(name, gia, material.program)).flatten()
    };
    let mut shown: Vec<ShownPass> = Vec::new();
    for pass in &material.record.passes {
        let name = if pass.to.is_empty() { pass.from.clone() } else { format!("{} → {}", pass.from, pass.to) };
        let gia = pass.gia.as_ref().and_then(|gia| draw(name, gia));
        shown.push(ShownPass {
            at: pass.at.as_secs_f64(),
            from: pass.from.clone(),
            to: pass.to.clone(),
            what: pass.what.clone(),
            gia,
        });
    }
    if let Some(gia) = &material.outcome.gia {
        shown.push(ShownPass {
            at: material.elapsed.as_secs_f64(),
            from: String::new(),
            to: String::new(),
            what: vec![gia_text(gia)],
            gia: draw("result".into(), gia),
        });
    }
    shown
}
