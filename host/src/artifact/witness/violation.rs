//! The path of a violation witness as a GIA, whose candidates are the paths that follow it; and a witness of an executed test.

use super::{Action, Constraint, Position, Segment, Waypoint, WaypointType};
use super::{places, result};
use crate::artifact::condition_automaton::Translated;
use crate::diagnostic::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder};
use tandem_plugin_api::program::{BinaryOp, EdgeId, ExprKind, Op, Program};
use tandem_plugin_api::service::execution::ConsumedInput;
use tandem_plugin_api::service::recorded::test_case;

/// The demands of a segment on a path.
struct Passage {
    /// One of these is taken at its end,
    edges: Vec<EdgeId>,
    /// and this holds then.
    condition: Condition,
    /// Whether it is about a moment, which may be the one at which the segment before ends.
    is_assumption: bool,
    /// See [`avoided`].
    avoided: BTreeMap<EdgeId, Option<Condition>>,
    /// The same for assumptions alone.
    avoided_moments: BTreeMap<EdgeId, Option<Condition>>,
}

/// Paths that pass the waypoints in their order are candidates, and no others. A constraint without a meaning for our
/// edges is noted and left out: there are more candidates then, and none is lost.
pub fn gia(segments: &[Segment], program: &Program, file: &str) -> Result<Translated<Gia>, Diagnostic> {
    let mut notes = BTreeSet::new();
    let segments = segments.iter().filter(|segment| !segment.waypoints.is_empty());
    let passages = segments
        .map(|segment| passage(segment, program, file, &mut notes))
        .collect::<Result<Vec<Passage>, Diagnostic>>()?;
    let mut builder = GiaBuilder::new();
    let initial = builder.state("start", Acceptance::None);
    let mut states = vec![initial];
    for number in 1..=passages.len() {
        states.push(match number == passages.len() {
            true => builder.sink("target", Acceptance::Cand),
            false => builder.state(format!("after segment {number}"), Acceptance::None),
        });
    }
    for (number, passage) in passages.iter().enumerate() {
        let at = states[number];
        let others = program.edge_ids().filter(|edge| !passage.avoided.contains_key(edge));
        let stay = if passage.avoided.is_empty() { EdgeSet::any() } else { EdgeSet::of(others) };
        builder.transition(at, stay, Condition::always(), at);
        for (edge, otherwise) in &passage.avoided {
            if let Some(otherwise) = otherwise {
                builder.transition(at, EdgeSet::one(*edge), otherwise.clone(), at);
            }
        }
        for (end, condition, edges) in ends(&passages, number) {
            builder.transition(at, EdgeSet::of(edges), condition, states[end]);
        }
    }
    let gia = builder.build(initial).map_err(|error| Diagnostic::new(error.to_string()).in_file(file))?;
    Ok(Translated { result: gia, notes: notes.into_iter().collect() })
}

fn passage(
    segment: &Segment,
    program: &Program,
    file: &str,
    notes: &mut BTreeSet<String>,
) -> Result<Passage, Diagnostic> {
    let Some((follow, avoid)) = segment.waypoints.split_last() else {
        return Err(Diagnostic::new("a segment has no waypoints").in_file(file));
    };
    if follow.action == Action::Cycle {
        let problem = Diagnostic::new("the witness is about a run that never ends").in_file(file);
        return Err(problem.help("only violations of reachability can be used"));
    }
    let left_out = |waypoint: &Waypoint| {
        let Position { file, line, .. } = &waypoint.position;
        format!("the constraint of the waypoint at {file}:{line} cannot be used, and is left out")
    };
    let moments: Vec<Waypoint> = avoid.iter().filter(|w| w.kind == WaypointType::Assumption).cloned().collect();
    let avoided_moments = avoided(&moments, program, file, &mut |_| ())?;
    let avoided = avoided(avoid, program, file, &mut |waypoint| _ = notes.insert(left_out(waypoint)))?;
    let (mut edges, condition) = passing(follow, program, file)?;
    edges.retain(|edge| avoided.get(edge) != Some(&None));
    if condition.is_none() {
        notes.insert(left_out(follow));
    }
    let is_assumption = follow.kind == WaypointType::Assumption;
    Ok(Passage { edges, condition: condition.unwrap_or_default(), is_assumption, avoided, avoided_moments })
}

/// Where the edges that end a segment lead to, under which condition: behind it, or behind the assumptions that follow
/// it at once, since an assumption about a moment is checked after the edge that leads there.
fn ends(passages: &[Passage], number: usize) -> Vec<(usize, Condition, Vec<EdgeId>)> {
    let mut found = Vec::new();
    for &edge in &passages[number].edges {
        let mut condition = passages[number].condition.clone();
        let mut end = number + 1;
        loop {
            let next = passages.get(end);
            match next.and_then(|next| next.avoided_moments.get(&edge)) {
                Some(None) => break,
                Some(Some(otherwise)) => match both(&condition, otherwise) {
                    Some(restricted) => condition = restricted,
                    None => break,
                },
                None => {}
            }
            found.push((end, condition.clone(), vec![edge]));
            let Some(next) = next.filter(|next| next.is_assumption && next.edges.contains(&edge)) else { break };
            let Some(restricted) = both(&condition, &next.condition) else { break };
            (condition, end) = (restricted, end + 1);
        }
    }
    found
}

/// `None` if they are about different functions.
fn both(one: &Condition, other: &Condition) -> Option<Condition> {
    if one.is_true() || other.is_true() {
        return Some(if one.is_true() { other.clone() } else { one.clone() });
    }
    (one.scope() == other.scope())
        .then(|| Condition::new(one.scope(), format!("({}) && ({})", one.text(), other.text())))
}

/// The edges that must not be passed, each with the condition under which it may be passed: `None` if it never may.
fn avoided(
    waypoints: &[Waypoint],
    program: &Program,
    file: &str,
    left_out: &mut dyn FnMut(&Waypoint),
) -> Result<BTreeMap<EdgeId, Option<Condition>>, Diagnostic> {
    let mut found: BTreeMap<EdgeId, Option<Condition>> = BTreeMap::new();
    for waypoint in waypoints {
        let (edges, condition) = passing(waypoint, program, file)?;
        let otherwise = match condition {
            Some(condition) if condition.is_true() => None,
            Some(condition) => Some(Condition::new(condition.scope(), format!("!({})", condition.text()))),
            None => {
                left_out(waypoint);
                continue;
            }
        };
        for edge in edges {
            let both = match (found.remove(&edge), &otherwise) {
                (Some(None), _) | (_, None) => None,
                (Some(Some(one)), Some(other)) => {
                    Some(Condition::new(other.scope(), format!("({}) && ({})", one.text(), other.text())))
                }
                (None, Some(other)) => Some(other.clone()),
            };
            found.insert(edge, both);
        }
    }
    Ok(found)
}

/// The edges of the statement that a waypoint points at.
pub fn statement(waypoint: &Waypoint, program: &Program) -> Vec<EdgeId> {
    places::edges(program, &waypoint.position)
}

/// The inputs that the waypoints name: where each is read, and its text.
pub fn inputs(segments: &[Segment], program: &Program) -> Vec<(Vec<EdgeId>, String)> {
    let follows = segments.iter().filter_map(|segment| segment.waypoints.last());
    let named = follows.filter(|waypoint| waypoint.kind == WaypointType::FunctionReturn).filter_map(|waypoint| {
        let value = result::named_value(&waypoint.constraint.as_ref()?.value)?;
        Some((places::calls(program, &waypoint.position), value))
    });
    named.collect()
}

/// The edges by which a path passes a waypoint, and the condition after them; `None` for a condition that cannot be
/// expressed.
fn passing(waypoint: &Waypoint, program: &Program, file: &str) -> Result<(Vec<EdgeId>, Option<Condition>), Diagnostic> {
    let position = &waypoint.position;
    let (edges, condition) = match waypoint.kind {
        WaypointType::Assumption => assumption(waypoint, program),
        WaypointType::Branching => branches(waypoint, program),
        WaypointType::FunctionEnter => (places::calls(program, position), Some(Condition::always())),
        WaypointType::FunctionReturn => returns(waypoint, program),
        WaypointType::Target => {
            let edges = places::edges(program, position);
            // The statement violates the property by a call; the rest of its line, such as a label, does not.
            let call = edges.iter().find(|edge| program.called_function(**edge).is_some());
            (call.or(edges.first()).copied().into_iter().collect(), Some(Condition::always()))
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

fn branches(waypoint: &Waypoint, program: &Program) -> (Vec<EdgeId>, Option<Condition>) {
    let position = &waypoint.position;
    let decisions = program.decisions.iter().enumerate().filter(|(_, decision)| {
        places::on_line(program, decision.span, position)
            && position.column.is_none_or(|column| column == decision.span.column)
    });
    let Some((wanted, _)) = decisions.min_by_key(|(_, decision)| decision.span.column) else {
        return (Vec::new(), None);
    };
    let of_decision = |edge: &EdgeId| program.edge(*edge).settles.filter(|s| s.decision.index() == wanted);
    let settling = |index: u32| {
        let edges = program.edge_ids().filter(|edge| of_decision(edge).is_some_and(|s| s.index == index));
        (edges.collect::<Vec<_>>(), Some(Condition::always()))
    };
    match value(waypoint) {
        "true" => settling(1),
        "false" => settling(0),
        case => {
            let all: Vec<EdgeId> = program.edge_ids().filter(|edge| of_decision(edge).is_some()).collect();
            let chosen: Vec<EdgeId> = all.iter().copied().filter(|edge| is_case(program, *edge, case)).collect();
            if chosen.is_empty() { (all, None) } else { (chosen, Some(Condition::always())) }
        }
    }
}

/// Whether an edge compares the value of a switch with this number, and finds it equal.
fn is_case(program: &Program, edge: EdgeId, number: &str) -> bool {
    let Op::Assume { condition, holds: true } = program.edge(edge).op else { return false };
    let ExprKind::Binary { op: BinaryOp::Eq, rhs, .. } = program.exprs.kind(condition) else { return false };
    number.parse().is_ok_and(|number: i128| program.exprs.as_int(rhs) == Some(number))
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
        // The value is not used, so that it may be any.
        Op::Input { target: None, .. } if result::named_value(text).is_some() => return Some(Condition::always()),
        Op::Input { target, .. } => target?,
        Op::Call(site) | Op::External(site) => program.call_site(site).result?,
        _ => return None,
    };
    let home = program.function_of_edge(call);
    // A value that is read inside of an expression goes to a variable that the source does not have.
    let place = match program.exprs.kind(target) {
        ExprKind::Var(variable) => program.name_in(variable, Some(home))?,
        _ => program.expr_to_c(target),
    };
    let replaced = text.replace("\\result", &place);
    let function = &program.function(home).name;
    (!replaced.contains('\\')).then(|| Condition::in_function(function.clone(), replaced))
}

/// The witness of a run that read these inputs and reached the target: what each input was, in order.
pub fn of_run(inputs: &[ConsumedInput], target: EdgeId, program: &Program) -> Vec<Segment> {
    let values = test_case(program, inputs).inputs;
    let mut segments: Vec<Segment> = Vec::new();
    for (input, value) in inputs.iter().zip(values) {
        let span = program.edge(input.edge).span;
        // A value that is not used need not be in the witness.
        let Op::Input { target: Some(target), .. } = program.edge(input.edge).op else { continue };
        let returned = program.types.get(program.exprs.ty(target));
        let Some(value) = result::constraint(&value.value, returned).filter(|_| span.is_somewhere()) else { continue };
        let function = program.function(program.function_of_edge(input.edge)).name.clone();
        let position = Position {
            line: span.physical_line + (span.end_line - span.line),
            column: Some(span.end_column.saturating_sub(1)),
            ..places::position(program, span, &function)
        };
        let constraint = Constraint { value, format: Some("acsl_expression".into()) };
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
