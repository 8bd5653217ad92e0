//! Removes edges on which nothing happens: edges that led to them lead straight to what comes after.

use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::LocationId;

/// Afterwards, only a function's exit, a place behind a call, or a place in an empty loop is left by an empty edge
/// alone.
pub fn take_out_empty_edges(residual: &mut Residual) {
    let program = &residual.program;
    let last: Vec<LocationId> = (0..program.locations.len()).map(|at| end_of(program, LocationId::new(at))).collect();
    let program = &mut residual.program;
    for edge in program.edge_ids() {
        let to = program.edge(edge).to;
        let new = last[to.index()];
        // A return leads to its function's exit, which nothing leaves, and a call to its callee's entry: see below.
        if new != to && !matches!(program.edge(edge).op, Op::Call(_)) {
            program.locations[to.index()].entering.retain(|other| *other != edge);
            program.locations[new.index()].entering.push(edge);
            program.edges[edge.index()].to = new;
        }
    }
    for function in 0..program.functions.len() {
        let Some(body) = program.functions[function].body else { continue };
        let entry = last[body.entry.index()];
        // Calls of the function lead to its new entry.
        let calls: Vec<EdgeId> = program.locations[body.entry.index()]
            .entering
            .iter()
            .copied()
            .filter(|edge| matches!(program.edge(*edge).op, Op::Call(_)))
            .collect();
        for edge in calls {
            program.locations[body.entry.index()].entering.retain(|other| *other != edge);
            program.locations[entry.index()].entering.push(edge);
            program.edges[edge.index()].to = entry;
        }
        if let Some(body) = &mut program.functions[function].body {
            body.entry = entry;
        }
    }
    for known in &mut program.loops {
        known.head = last[known.head.index()];
    }
}

/// Where a chain of empty edges leads, as long as nothing else leaves its places. A cycle of them is left as it is.
fn end_of(program: &Program, start: LocationId) -> LocationId {
    let mut at = start;
    let mut steps = 0;
    while let [only] = program.location(at).leaving[..] {
        let edge = program.edge(only);
        let empty = edge.op == Op::Skip && edge.settles.is_none();
        let is_exit = |at: LocationId| {
            let function = program.function(program.location(at).function);
            function.body.is_some_and(|body| body.exit == at)
        };
        if !empty || is_exit(edge.to) {
            break;
        }
        steps += 1;
        if steps > program.locations.len() {
            return start;
        }
        at = edge.to;
    }
    at
}
