//! Candidates as invariants that other actors can read: C text with the names of a function.

use crate::cells::root;
use tandem_plugin_api::kit::unroll::{Candidates, as_invariants};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{ExprKind, Storage, Variable};
use tandem_plugin_api::service::formulas::Expressions;

/// Those candidates that the function of their loop can name.
pub fn invariants(program: &Program, pool: &Expressions, candidates: &Candidates, checked: bool) -> Invariants {
    let mut nameable = candidates.clone();
    for (&head, list) in &mut nameable {
        let function = program.location(head).function;
        list.retain(|&condition| is_nameable(program, pool, function, condition));
    }
    as_invariants(program, pool, &nameable, "chc", checked)
}

/// Whether all variables of a condition are visible in a function, by names that mean these variables there.
fn is_nameable(program: &Program, pool: &Expressions, function: FunctionId, condition: ExprId) -> bool {
    let mut nameable = true;
    pool.exprs.walk(condition, &mut |node| {
        if !matches!(pool.exprs.kind(node), ExprKind::Var(_)) {
            return;
        }
        let Some(id) = root(pool, node) else { return };
        let variable = program.variable(id);
        let visible =
            |other: &Variable| !other.is_local() && other.function.is_none() || other.function == Some(function);
        let same = program.variables.iter().filter(|other| other.name == variable.name && visible(other)).count();
        let named = !matches!(variable.storage, Storage::Temporary | Storage::Result);
        nameable &= named && visible(variable) && same == 1;
    });
    nameable
}
