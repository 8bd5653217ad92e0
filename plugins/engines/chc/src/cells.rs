//! The cells that the clauses follow: integers that nothing points to, as variables or as parts of variables at fixed
//! places.

use std::collections::{BTreeMap, BTreeSet};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{ExprKind, LocationId, Type};
use tandem_plugin_api::service::formulas::Expressions;

/// Parts of larger arrays are not followed.
const MOST_ELEMENTS: u64 = 16;

/// The variable that a place is in.
pub fn root(pool: &Expressions, place: ExprId) -> Option<VarId> {
    match pool.exprs.kind(place) {
        ExprKind::Var(id) => Some(id),
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => root(pool, base),
        _ => None,
    }
}

/// Whether a place is a variable that nothing points to, or a part of one that always is at the same place.
fn is_fixed(program: &Program, pool: &Expressions, place: ExprId) -> bool {
    match pool.exprs.kind(place) {
        ExprKind::Var(id) => !program.variable(id).address_taken,
        ExprKind::Field { base, field } => {
            let Type::Composite(id) = *pool.types.get(pool.exprs.ty(base)) else { return false };
            let composite = pool.types.composite(id);
            let plain = composite.fields.get(field as usize).is_some_and(|field| field.bits.is_none());
            plain && !composite.is_union && is_fixed(program, pool, base)
        }
        ExprKind::Index { base, index } => {
            let length = match *pool.types.get(pool.exprs.ty(base)) {
                Type::Array { length, .. } if length <= MOST_ELEMENTS => i128::from(length),
                _ => return false,
            };
            pool.exprs.as_int(index).is_some_and(|at| (0..length).contains(&at)) && is_fixed(program, pool, base)
        }
        _ => false,
    }
}

/// Whether an expression is an integer that the clauses follow.
pub fn is_cell(program: &Program, pool: &Expressions, place: ExprId) -> bool {
    pool.types.is_integer(pool.exprs.ty(place)) && is_fixed(program, pool, place)
}

/// All cells of a program, and which of them matter.
pub struct Cells {
    pub all: BTreeSet<ExprId>,
    /// By function: for each location, the variables that may be read before they are written.
    live: BTreeMap<LocationId, BTreeSet<VarId>>,
    relevant: BTreeSet<VarId>,
}

impl Cells {
    pub fn of(program: &Program, pool: &mut Expressions) -> Cells {
        for index in 0..program.variables.len() {
            let id = VarId::new(index);
            let ty = program.variable(id).ty;
            if pool.types.is_integer(ty) {
                pool.exprs.intern(ExprKind::Var(id), ty);
            }
        }
        let all = (0..pool.exprs.len()).map(ExprId::new).filter(|&place| is_cell(program, pool, place)).collect();
        let relevant = relevant(program, pool);
        let mut live = BTreeMap::new();
        let reached = program.reachable_functions();
        for index in (0..program.functions.len()).filter(|&index| reached[index]) {
            liveness(program, pool, FunctionId::new(index), &mut live);
        }
        Cells { all, live, relevant }
    }

    /// Whether some decision may depend on it.
    pub fn is_relevant(&self, pool: &Expressions, cell: ExprId) -> bool {
        root(pool, cell).is_some_and(|id| self.relevant.contains(&id))
    }

    pub fn is_live(&self, at: LocationId, id: VarId) -> bool {
        self.live.get(&at).is_some_and(|live| live.contains(&id))
    }
}

/// Variables that an expression reads, as far as the clauses follow it.
fn read(pool: &Expressions, expr: ExprId, found: &mut BTreeSet<VarId>) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match pool.exprs.kind(expr) {
            ExprKind::Var(id) => {
                found.insert(id);
            }
            ExprKind::Deref(_) | ExprKind::AddressOf(_) => {}
            ExprKind::Index { base, .. } => open.push(base),
            _ => open.extend(pool.exprs.operands(expr)),
        }
    }
}

/// The data flow on an edge: for each target the expressions that it gets. Conditions have no target.
fn flows(program: &Program, edge: EdgeId) -> Vec<(Option<ExprId>, Option<VarId>, Vec<ExprId>)> {
    match &program.edge(edge).op {
        Op::Assume { condition, .. } => vec![(None, None, vec![*condition])],
        Op::Assign { target, value } => vec![(Some(*target), None, vec![*value])],
        Op::Call(site) => {
            let callee = program.location(program.edge(edge).to).function;
            let arguments = &program.call_site(*site).arguments;
            let parameters = &program.function(callee).parameters;
            parameters.iter().zip(arguments).map(|(&to, &from)| (None, Some(to), vec![from])).collect()
        }
        Op::Return(Some(value)) => {
            let function = program.function_of_edge(edge);
            vec![(None, program.function(function).result, vec![*value])]
        }
        _ => Vec::new(),
    }
}

/// Variables on which decisions may depend.
fn relevant(program: &Program, pool: &Expressions) -> BTreeSet<VarId> {
    let reached = program.reachable_locations();
    let edges: Vec<EdgeId> = program.edge_ids().filter(|&edge| reached[program.edge(edge).from.index()]).collect();
    let mut found = BTreeSet::new();
    for &edge in &edges {
        for (target, variable, values) in flows(program, edge) {
            if target.is_none() && variable.is_none() {
                values.iter().for_each(|&value| read(pool, value, &mut found));
            }
        }
    }
    loop {
        let before = found.len();
        for &edge in &edges {
            if let Op::Resume(site) = program.edge(edge).op {
                let result = program.function(program.function_of_edge(edge)).result;
                let to = program.call_site(site).result.and_then(|place| root(pool, place));
                if to.is_some_and(|to| found.contains(&to)) {
                    found.extend(result);
                }
            }
            for (target, variable, values) in flows(program, edge) {
                let to = variable.or_else(|| target.and_then(|target| root(pool, target)));
                if to.is_some_and(|to| found.contains(&to)) {
                    values.iter().for_each(|&value| read(pool, value, &mut found));
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Variables of a function's frame that are live before each of its locations. A call reads its arguments.
fn liveness(
    program: &Program,
    pool: &Expressions,
    function: FunctionId,
    live: &mut BTreeMap<LocationId, BTreeSet<VarId>>,
) {
    let mut locations = program.reverse_postorder(function);
    locations.reverse();
    loop {
        let mut changed = false;
        for &at in &locations {
            let mut here = live.get(&at).cloned().unwrap_or_default();
            let before = here.len();
            for &edge in &program.location(at).leaving {
                let op = &program.edge(edge).op;
                let to = match op {
                    Op::Call(site) => program.return_location(*site),
                    Op::Resume(_) => None,
                    _ => Some(program.edge(edge).to),
                };
                let mut after = to.and_then(|to| live.get(&to)).cloned().unwrap_or_default();
                let written = match op {
                    Op::Assign { target, .. } | Op::Havoc { target } => Some(*target),
                    Op::Input { target, .. } => *target,
                    Op::Call(site) | Op::External(site) => program.call_site(*site).result,
                    _ => None,
                };
                if let Some(ExprKind::Var(id)) = written.map(|place| pool.exprs.kind(place)) {
                    after.remove(&id);
                }
                if let Op::Declare(id) = op {
                    after.remove(id);
                }
                for (_, _, values) in flows(program, edge) {
                    values.iter().for_each(|&value| read(pool, value, &mut after));
                }
                here.extend(after);
            }
            if here.len() != before {
                changed = true;
                live.insert(at, here);
            }
        }
        if !changed {
            return;
        }
    }
}
