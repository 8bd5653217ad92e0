//! The result of checking an analysis, and the description of a violation.

use super::execute::Outside;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tandem_plugin_api::kit::testing::laws::{Broken, Law};

/// Sums over all programs.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Programs that were explored completely, so that they could be checked.
    pub programs: u64,
    /// Programs that were left out, by reason.
    pub skipped: BTreeMap<String, u64>,
    pub runs: u64,
    /// Runs that ended regularly, or at an error that the analysis knows.
    pub ended: u64,
    /// Concrete states that were compared with the abstract states of their locations.
    pub states: u64,
    /// Conditions of invariants in the programs.
    pub conditions: u64,
    /// Locations that must not be reached.
    pub forbidden: u64,
    /// Claims that could not be checked.
    pub left_out: u64,
    /// How often the abstraction was refined.
    pub refinements: u64,
    /// How often each law was checked.
    pub laws: BTreeMap<Law, u64>,
    /// At most one for each program.
    pub violations: Vec<Violation>,
}

/// Why an analysis is wrong, or breaks its contract.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The seed that names the program.
    pub seed: u64,
    pub text: String,
    /// The data model that the program is for.
    pub model: &'static str,
    pub what: Wrong,
}

#[derive(Clone, Debug)]
pub enum Wrong {
    /// A concrete state is in none of the abstract states of its location.
    Outside(Outside),
    Law(Broken),
    /// A claim is not a C expression over the variables of its place.
    Unreadable(String),
    /// The analysis returned an error, or panicked.
    Failed(String),
}

impl Report {
    /// Adds the results for other programs.
    pub fn absorb(&mut self, other: Report) {
        self.programs += other.programs;
        self.runs += other.runs;
        self.ended += other.ended;
        self.states += other.states;
        self.conditions += other.conditions;
        self.forbidden += other.forbidden;
        self.left_out += other.left_out;
        self.refinements += other.refinements;
        other.skipped.into_iter().for_each(|(why, count)| *self.skipped.entry(why).or_default() += count);
        other.laws.into_iter().for_each(|(law, count)| *self.laws.entry(law).or_default() += count);
        self.violations.extend(other.violations);
    }

    /// Programs that were left out.
    pub fn skipped_programs(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// Two or three lines.
    pub fn summary(&self) -> String {
        let Report { programs, runs, states, conditions, forbidden, refinements, .. } = self;
        let mut text = format!(
            "{runs} runs of {programs} programs: {states} states checked, {conditions} conditions, {forbidden} locations out \
             of reach, {refinements} refinements\n"
        );
        let checks: u64 = self.laws.values().sum();
        let _ = writeln!(text, "{checks} checks of {} laws", self.laws.len());
        if self.left_out > 0 {
            let _ = writeln!(text, "{} claims could not be checked", self.left_out);
        }
        for (why, count) in &self.skipped {
            let _ = writeln!(text, "{count} programs left out: {why}");
        }
        text
    }
}

impl Violation {
    /// Describes the violation, over several lines.
    pub fn explain(&self) -> String {
        match &self.what {
            Wrong::Outside(outside) => explain_outside(outside),
            Wrong::Law(broken) => format!("{broken}\n"),
            Wrong::Unreadable(why) => format!("an invariant cannot be read: {why}\n"),
            Wrong::Failed(why) => format!("{why}\n"),
        }
    }

    /// The program as a C file, with the violation in a comment at its end, so that lines keep their numbers.
    pub fn as_c(&self, reproduce: &str) -> String {
        let note = self.explain().replace("*/", "* /");
        let Violation { seed, model, text, .. } = self;
        format!("{text}\n/* The program of seed {seed}, data model {model}; again with\n   {reproduce}\n{note}*/\n")
    }
}

fn explain_outside(outside: &Outside) -> String {
    let Outside { location, function, line, what, inputs, values, run, invariants } = outside;
    let mut text = format!("in {function}, line {line} (location {location}), run {run}:\n  {what}\n");
    if let [only] = invariants.as_slice() {
        let _ = writeln!(text, "  the whole claim: {only}");
    }
    if !values.is_empty() {
        let values: Vec<String> = values.iter().map(|(place, value)| format!("{place} = {value}")).collect();
        let _ = writeln!(text, "  values there: {}", values.join(", "));
    }
    let inputs: Vec<String> = inputs.iter().map(|(_, bits)| format!("{bits}")).collect();
    let inputs = if inputs.is_empty() { "none".into() } else { inputs.join(" ") };
    let _ = writeln!(text, "  inputs: {inputs}");
    text
}
