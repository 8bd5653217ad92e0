//! The claims of a witness about a program, read strictly: a claim that does not fit the program is an error, and one
//! that cannot be checked is reported.

use crate::artifact::witness::{self, graphml::GraphWitness, invariants, violation};
use crate::artifact::witness::{Document, EntryContent, InvariantType, Witness, WitnessInvariant};
use crate::diagnostic::Diagnostic;
use crate::frontend::parse_expression;
use crate::replay::guided::GuidedInput;
use tandem_plugin_api::artifact::Gia;
use tandem_plugin_api::program::{LocationId, Program};
use tandem_plugin_api::service::Scope;
use tandem_plugin_api::task::Task;

/// An invariant at a place of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub at: LocationId,
    pub is_loop: bool,
    pub text: String,
    pub function: String,
    pub file: String,
    pub line: u32,
}

impl Claim {
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

#[derive(Clone, Debug)]
pub enum Claims {
    Invariants(Vec<Claim>),
    Violation { gia: Gia, inputs: Vec<GuidedInput> },
}

/// A witness as it was read for a program.
#[derive(Clone, Debug)]
pub struct Reading {
    pub claims: Claims,
    /// Parts of the witness that cannot be checked.
    pub left_out: Vec<String>,
    /// Whether each claim is about every visit of its place. A claim of an automaton may be about visits on certain
    /// paths only.
    pub everywhere: bool,
}

/// Reads the claims of a witness about a program.
pub fn read(document: &Document, task: &Task, file: &str) -> Result<Reading, Diagnostic> {
    match document {
        Document::Yaml(witness) => match witness.violation() {
            Some(_) if witness.entries.len() > 1 => {
                let problem = Diagnostic::new("the file holds a violation and other entries").in_file(file);
                Err(problem.help("a violation witness is one entry"))
            }
            Some(segments) => {
                let read = violation::gia(segments, &task.program, file)?;
                followable(&read.result, &task.program, file)?;
                let target = segments.last().and_then(|segment| segment.waypoints.last());
                let reached = target.map_or(Vec::new(), |target| violation::statement(target, &task.program));
                if !reached.iter().any(|edge| task.is_target(*edge)) {
                    let problem =
                        Diagnostic::new("the target waypoint names no call of the error function").in_file(file);
                    return Err(problem.help("it must be the statement that violates the property"));
                }
                let inputs = violation::inputs(segments, &task.program).into_iter().map(GuidedInput::from).collect();
                Ok(Reading {
                    claims: Claims::Violation { gia: read.result, inputs },
                    left_out: read.notes,
                    everywhere: true,
                })
            }
            None => correctness(witness, &task.program, file),
        },
        Document::Graph(witness) if witness.is_violation => {
            let read = witness::graphml::gia(witness, &task.program, file)?;
            followable(&read.result, &task.program, file)?;
            let inputs = witness::graphml::inputs(witness, &task.program).into_iter().map(GuidedInput::from).collect();
            Ok(Reading {
                claims: Claims::Violation { gia: read.result, inputs },
                left_out: read.notes,
                everywhere: true,
            })
        }
        Document::Graph(witness) => of_graph(witness, &task.program, file),
    }
}

/// Assumptions must be expressions over names that are visible where the assumptions are to hold.
fn followable(gia: &Gia, program: &Program, file: &str) -> Result<(), Diagnostic> {
    for transition in gia.transitions().iter().filter(|transition| !transition.condition.is_true()) {
        let text = transition.condition.text();
        let places = transition.edges.edges().unwrap_or_default().iter().map(|edge| program.edge(*edge).to);
        let mut problem = None;
        let is_read = places.into_iter().any(|at| match parse_expression(program, text, Scope::Location(at)) {
            Ok(_) => true,
            Err(error) => {
                problem = Some(error.message);
                false
            }
        });
        if let (false, Some(problem)) = (is_read, problem) {
            let problem = Diagnostic::new(format!("the assumption `{text}` cannot be read: {problem}")).in_file(file);
            return Err(problem.help("an assumption is a C expression over names that are visible at its place"));
        }
    }
    Ok(())
}

fn correctness(witness: &Witness, program: &Program, file: &str) -> Result<Reading, Diagnostic> {
    let (mut claims, mut left_out) = (Vec::new(), Vec::new());
    for entry in &witness.entries {
        match &entry.content {
            EntryContent::Invariants(list) => {
                for claimed in list {
                    claim(claimed, program, file, &mut claims, &mut left_out)?;
                }
            }
            EntryContent::Other(kind) => left_out.push(format!("entries of type `{kind}` are not checked")),
            EntryContent::Violation(_) => {}
        }
    }
    Ok(Reading { claims: Claims::Invariants(claims), left_out, everywhere: true })
}

fn claim(
    claimed: &WitnessInvariant,
    program: &Program,
    file: &str,
    claims: &mut Vec<Claim>,
    left_out: &mut Vec<String>,
) -> Result<(), Diagnostic> {
    let position = &claimed.position;
    let place = format!("{}:{}", position.file, position.line);
    let is_loop = match claimed.kind {
        InvariantType::Loop => true,
        InvariantType::Location => false,
        InvariantType::LoopTransition | InvariantType::LocationTransition => {
            left_out.push(format!("the transition invariant at {place} is not checked"));
            return Ok(());
        }
        InvariantType::FunctionContract => {
            left_out.push(format!("the contract at {place} is not checked"));
            return Ok(());
        }
    };
    if claimed.value.contains('\\') {
        left_out.push(format!("`{}` at {place} is not plain C, and is not checked", claimed.value));
        return Ok(());
    }
    let Some(at) = invariants::place_of(program, claimed) else {
        let what = if is_loop { "loop" } else { "statement" };
        let column = position.column.map_or(String::new(), |column| format!(", column {column}"));
        let within = position.function.as_ref().map_or(String::new(), |name| format!(" of `{name}`"));
        let message = format!("the program has no {what} on line {}{column}{within}", position.line);
        let problem = Diagnostic::new(message).in_file(file);
        return Err(problem.help(
            "give the program that the witness was made for; loops that a macro puts at one place cannot be distinguished",
        ));
    };
    match readable(program, at, is_loop, &claimed.value, (&position.file, position.line), file) {
        Ok(claim) => claims.push(claim),
        // Other languages have words that C has not.
        Err(_) if claimed.format != "c_expression" => {
            left_out.push(format!("`{}` at {place} is not plain C, and is not checked", claimed.value));
        }
        Err(problem) => return Err(problem),
    }
    Ok(())
}

/// A claim whose text is an expression over the names of its place.
fn readable(
    program: &Program,
    at: LocationId,
    is_loop: bool,
    text: &str,
    (name, line): (&str, u32),
    file: &str,
) -> Result<Claim, Diagnostic> {
    if let Err(error) = parse_expression(program, text, Scope::Location(at)) {
        let message = format!("the invariant `{text}` for line {line} cannot be read: {}", error.message);
        let problem = Diagnostic::new(message).in_file(file);
        return Err(problem.help("an invariant is a C expression over names that are visible at its place"));
    }
    let function = program.function(program.location(at).function).name.clone();
    Ok(Claim { at, is_loop, text: text.to_string(), function, file: name.to_string(), line })
}

fn of_graph(witness: &GraphWitness, program: &Program, file: &str) -> Result<Reading, Diagnostic> {
    let (mut claims, mut left_out, mut everywhere) = (Vec::<Claim>::new(), Vec::new(), true);
    let base = program.name.rsplit('/').next().unwrap_or(&program.name).to_string();
    for placed in witness::graphml::placed_invariants(witness, program) {
        everywhere &= placed.everywhere;
        let Some((at, line)) = placed.at else {
            left_out.push(format!("the place of the invariant `{}` is not that of one loop", placed.text));
            continue;
        };
        let found = readable(program, at, true, &placed.text, (&base, line), file)?;
        if !claims.contains(&found) {
            claims.push(found);
        }
    }
    Ok(Reading { claims: Claims::Invariants(claims), left_out, everywhere })
}
