//! The path that a run took, from its branch decisions.

use tandem_plugin_api::program::{CallSiteId, EdgeId, LocationId, Op, Program};

/// All edges up to the last decision that was recorded.
pub fn path_of(program: &Program, decisions: &[u8]) -> Vec<EdgeId> {
    let mut path = Vec::new();
    let mut stack: Vec<CallSiteId> = Vec::new();
    let mut decisions = decisions.iter();
    let mut branches = 0;
    let Some(mut at) = program.entry() else { return path };
    while let Some(edge) = next(program, at, &stack, &mut decisions) {
        match program.edge(edge).op {
            Op::Call(site) => stack.push(site),
            Op::Resume(_) => _ = stack.pop(),
            Op::Assume { .. } => branches = path.len() + 1,
            _ => {}
        }
        path.push(edge);
        at = program.edge(edge).to;
        // A loop without branches goes on for ever.
        if path.len() > branches + 10_000_000 {
            break;
        }
    }
    path.truncate(branches);
    path
}

fn next<'d>(
    program: &Program,
    at: LocationId,
    stack: &[CallSiteId],
    decisions: &mut impl Iterator<Item = &'d u8>,
) -> Option<EdgeId> {
    let leaving = &program.location(at).leaving;
    let op = |edge: &EdgeId| &program.edge(*edge).op;
    match leaving[..] {
        [only] if !matches!(op(&only), Op::Resume(_)) => Some(only),
        [first, second] if matches!((op(&first), op(&second)), (Op::Assume { .. }, Op::Assume { .. })) => {
            let taken = *decisions.next()? != 0;
            let holds = matches!(op(&first), Op::Assume { holds: true, .. });
            Some(if holds == taken { first } else { second })
        }
        _ => {
            let site = stack.last()?;
            leaving.iter().copied().find(|edge| matches!(op(edge), Op::Resume(back) if back == site))
        }
    }
}
