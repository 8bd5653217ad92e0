//! The path of a violation witness as a GIA, whose candidates are the paths that follow it; and a witness of an executed test.

use super::places;
use super::{Action, Constraint, Position, Segment, Waypoint, WaypointType};
use crate::artifact::condition_automaton::Translated;
use crate::diagnostic::Diagnostic;
use std::collections::BTreeSet;
use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder};
use tandem_plugin_api::program::{EdgeId, Op, Program};
use tandem_plugin_api::service::execution::ConsumedInput;
use tandem_plugin_api::service::recorded::test_case;

/// Paths that pass the waypoints in their order are candidates, and no others. A constraint that has no meaning for an edge of
/// ours is noted and left out: there are more candidates then, and none is lost.
pub fn gia(segments: &[Segment], program: &Program, file: &str) -> Result<Translated<Gia>, Diagnostic> {
    let mut notes = BTreeSet::new();
    let mut builder = GiaBuilder::new();
    let mut at = builder.state("start", Acceptance::None);
    let initial = at;
    for (number, segment) in segments.iter().enumerate() {
        let mut avoided: Vec<EdgeId> = Vec::new();
        let Some((follow, avoid)) = segment.waypoints.split_last() else { continue };
        for waypoint in avoid {
            if waypoint.kind == WaypointType::Branching {
                avoided.extend(passing(waypoint, program, file)?.0);
            }
        }
        if follow.action == Action::Cycle {
            let problem = Diagnostic::new("the witness is about a run that never ends").in_file(file);
            return Err(problem.help("only violations of reachability can be used"));
        }
        let (mut edges, condition) = passing(follow, program, file)?;
        edges.retain(|edge| !avoided.contains(edge));
        if condition.is_none() {
            notes.insert(format!(
                "{}:{}: the constraint of a waypoint cannot be used, and is left out",
                follow.position.file, follow.position.line
            ));
        }
        let last = number + 1 == segments.len();
        let next = if last {
            builder.sink("target", Acceptance::Cand)
        } else {
            builder.state(format!("after segment {}", number + 1), Acceptance::None)
        };
        let others = program.edge_ids().filter(|edge| !avoided.contains(edge));
        let stay = if avoided.is_empty() { EdgeSet::any() } else { EdgeSet::of(others) };
        builder.transition(at, stay, Condition::always(), at);
        builder.transition(at, EdgeSet::of(edges), condition.unwrap_or_default(), next);
        at = next;
    }
    let gia = builder.build(initial).map_err(|error| Diagnostic::new(error.to_string()).in_file(file))?;
    Ok(Translated { result: gia, notes: notes.into_iter().collect() })
}

/// The edges by which a path passes a waypoint, and what holds after them; no condition where it cannot be said.
fn passing(waypoint: &Waypoint, program: &Program, file: &str) -> Result<(Vec<EdgeId>, Option<Condition>), Diagnostic> {
    let position = &waypoint.position;
    let (edges, condition) = match waypoint.kind {
        WaypointType::Assumption => assumption(waypoint, program),
        WaypointType::Branching => (branches(waypoint, program), Some(Condition::always())),
        WaypointType::FunctionEnter => (places::calls(program, position), Some(Condition::always())),
        WaypointType::FunctionReturn => returns(waypoint, program),
        WaypointType::Target => {
            let edges = places::edges(program, position);
            (edges.first().copied().into_iter().collect(), Some(Condition::always()))
        }
    };
    if edges.is_empty() {
        let column = position.column.map_or(String::new(), |column| format!(":{column}"));
        let message =
            format!("the program has nothing at {}:{}{column} that the waypoint names", position.file, position.line);
        return Err(Diagnostic::new(message).in_file(file).help("give the program that the witness was made for"));
    }
    Ok((edges, condition))
}

fn value(waypoint: &Waypoint) -> &str {
    waypoint.constraint.as_ref().map_or("true", |constraint| constraint.value.trim())
}

/// Holds just before the statement, that is, after the edges that lead there.
fn assumption(waypoint: &Waypoint, program: &Program) -> (Vec<EdgeId>, Option<Condition>) {
    let Some(at) = places::location(program, &waypoint.position) else { return (Vec::new(), None) };
    let function = &program.function(program.location(at).function).name;
    let entering = program.location(at).entering.clone();
    if entering.is_empty() {
        // The first statement of main: nothing leads there that could be followed.
        return (program.location(at).leaving.clone(), None);
    }
    (entering, (!value(waypoint).contains('\\')).then(|| Condition::in_function(function.clone(), value(waypoint))))
}

fn branches(waypoint: &Waypoint, program: &Program) -> Vec<EdgeId> {
    let position = &waypoint.position;
    let decisions = program.decisions.iter().enumerate().filter(|(_, decision)| {
        places::on_line(program, decision.span, position)
            && position.column.is_none_or(|column| column == decision.span.column)
    });
    let Some((wanted, _)) = decisions.min_by_key(|(_, decision)| decision.span.column) else { return Vec::new() };
    let outcome = match value(waypoint) {
        "true" => Some(1),
        "false" => Some(0),
        // Which case a number belongs to is not told apart.
        _ => None,
    };
    let settles = |edge: &EdgeId| {
        let settled = program.edge(*edge).settles;
        settled.is_some_and(|s| s.decision.index() == wanted && outcome.is_none_or(|outcome| s.index == outcome))
    };
    program.edge_ids().filter(settles).collect()
}

fn returns(waypoint: &Waypoint, program: &Program) -> (Vec<EdgeId>, Option<Condition>) {
    let calls = places::calls(program, &waypoint.position);
    let mut condition = Some(Condition::always());
    if waypoint.constraint.is_some() {
        condition = match calls.as_slice() {
            [only] => on_result(program, *only, value(waypoint)),
            _ => None,
        };
    }
    let back = |edge: EdgeId| match program.edge(edge).op {
        Op::Call(site) => program.call_site(site).resume,
        _ => Some(edge),
    };
    (calls.into_iter().filter_map(back).collect(), condition)
}

/// A condition on `\result` as one on the place that gets it.
pub(super) fn on_result(program: &Program, call: EdgeId, text: &str) -> Option<Condition> {
    let target = match program.edge(call).op {
        Op::Input { target, .. } => target?,
        Op::Call(site) | Op::External(site) => program.call_site(site).result?,
        _ => return None,
    };
    let replaced = text.replace("\\result", &program.expr_to_c(target));
    let function = &program.function(program.function_of_edge(call)).name;
    (!replaced.contains('\\')).then(|| Condition::in_function(function.clone(), replaced))
}

/// The witness of a run that read these inputs and reached the target: what each input was, in order.
pub fn of_run(inputs: &[ConsumedInput], target: EdgeId, program: &Program) -> Vec<Segment> {
    let values = test_case(program, inputs).inputs;
    let mut segments: Vec<Segment> = Vec::new();
    for (input, value) in inputs.iter().zip(values) {
        let value = value.value.to_string();
        let span = program.edge(input.edge).span;
        let writable = value.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        if !span.is_somewhere() || !writable {
            continue;
        }
        let function = program.function(program.function_of_edge(input.edge)).name.clone();
        let position = Position {
            line: span.physical_line + (span.end_line - span.line),
            column: Some(span.end_column.saturating_sub(1)),
            ..places::position(program, span, &function)
        };
        let constraint = Constraint { value: format!("\\result == {value}"), format: Some("acsl_expression".into()) };
        segments.push(Segment {
            waypoints: vec![Waypoint {
                kind: WaypointType::FunctionReturn,
                action: Action::Follow,
                constraint: Some(constraint),
                position,
                callee: Some(program.function(input.function).name.clone()),
            }],
        });
    }
    let function = program.function(program.function_of_edge(target)).name.clone();
    segments.push(Segment {
        waypoints: vec![Waypoint {
            kind: WaypointType::Target,
            action: Action::Follow,
            constraint: None,
            position: places::position(program, program.edge(target).span, &function),
            callee: program.called_function(target).map(|function| program.function(function).name.clone()),
        }],
    });
    segments
}
