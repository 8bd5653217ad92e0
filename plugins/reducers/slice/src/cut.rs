//! Removes what no target depends on: branches lead straight to where their sides meet, assignments do nothing.

use super::control::Control;
use super::relevance::{Relevance, plain};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{Location, LocationId};

pub fn take_out(residual: &mut Residual, targets: &[EdgeId], branches: bool, assignments: bool) {
    let program = &residual.program;
    let Some(control) = Control::of(program) else { return };
    let relevance = Relevance::of(program, &control, targets);
    let idle: Vec<EdgeId> =
        program.edge_ids().filter(|&edge| is_assignment(program, edge) && !relevance.has_edge(edge)).collect();
    let locations = (0..program.locations.len()).map(LocationId::new);
    let idle_branches: Vec<(LocationId, LocationId)> = locations
        .filter(|&at| is_branch(program, at) && !relevance.has_location(at))
        .filter_map(|at| control.joins[at.index()].map(|join| (at, join)))
        .filter(|(_, join)| !needs_result(program, *join))
        .collect();
    if assignments {
        idle.into_iter().for_each(|edge| residual.program.edges[edge.index()].op = Op::Skip);
    }
    if branches {
        idle_branches.into_iter().for_each(|(at, join)| lead_on(residual, at, join));
    }
}

/// An assignment to a variable, or the beginning of its life.
fn is_assignment(program: &Program, edge: EdgeId) -> bool {
    match program.edge(edge).op {
        Op::Assign { target, .. } => plain(program, target).is_some(),
        Op::Declare(_) => true,
        _ => false,
    }
}

fn is_branch(program: &Program, at: LocationId) -> bool {
    let leaving = &program.location(at).leaving;
    leaving.len() > 1 && leaving.iter().all(|&edge| matches!(program.edge(edge).op, Op::Assume { .. }))
}

/// Whether the location leads to a return. Its value may be unused, but a value must be there.
fn needs_result(program: &Program, at: LocationId) -> bool {
    let function = program.function(program.location(at).function);
    function.result.is_some() && function.body.is_some_and(|body| body.exit == at)
}

/// The branch becomes one empty edge. The other edge starts at a place that nothing leads to.
fn lead_on(residual: &mut Residual, at: LocationId, join: LocationId) {
    let program = &mut residual.program;
    let leaving = std::mem::take(&mut program.locations[at.index()].leaving);
    let function = program.locations[at.index()].function;
    program.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
    let nowhere = LocationId::new(program.locations.len() - 1);
    for (number, id) in leaving.into_iter().enumerate() {
        let from = if number == 0 { at } else { nowhere };
        let before = program.edges[id.index()].to;
        program.locations[before.index()].entering.retain(|other| *other != id);
        program.locations[join.index()].entering.push(id);
        program.locations[from.index()].leaving.push(id);
        let edge = &mut program.edges[id.index()];
        (edge.from, edge.to, edge.op, edge.settles) = (from, join, Op::Skip, None);
        residual.origin[id.index()] = None;
    }
}
