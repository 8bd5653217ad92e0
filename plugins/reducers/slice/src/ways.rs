//! Ends every path from which no target can be reached any more.

use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::LocationId;

/// Edges to places from which the graph has no way to a target lead to the end of the program instead. A return is
/// assumed to lead to every caller, so that a place is kept too often rather than lost.
pub fn end_where_no_target_is_left(residual: &mut Residual, targets: &[EdgeId]) {
    let open = leading_to(&residual.program, targets);
    let is_target = |edge: EdgeId| targets.binary_search(&edge).is_ok();
    let ended: Vec<EdgeId> = residual
        .program
        .edge_ids()
        .filter(|&id| {
            let edge = residual.program.edge(id);
            let inside = !matches!(edge.op, Op::Call(_) | Op::Resume(_));
            inside && !is_target(id) && open[edge.from.index()] && !open[edge.to.index()]
        })
        .collect();
    for edge in ended {
        residual.end_behind(edge);
    }
}

/// By location: whether the graph has a way from it to a target.
fn leading_to(program: &Program, targets: &[EdgeId]) -> Vec<bool> {
    let mut open = vec![false; program.locations.len()];
    let mut work: Vec<LocationId> = targets.iter().map(|&edge| program.edge(edge).from).collect();
    while let Some(at) = work.pop() {
        if std::mem::replace(&mut open[at.index()], true) {
            continue;
        }
        for &edge in &program.location(at).entering {
            match program.edge(edge).op {
                // A place after a call is reached from the call, through the callee.
                Op::Resume(site) => {
                    work.push(program.edge(program.call_site(site).call).from);
                    work.push(program.edge(edge).from);
                }
                _ => work.push(program.edge(edge).from),
            }
        }
    }
    open
}
