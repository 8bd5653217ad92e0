//! The last steps on an assembled program: unique names, whose address is taken, which functions a pointer may point
//! to, and only the variables and decisions that are used.

use super::Lowerer;
use super::assemble::Assembler;
use super::draft::{Draft, DraftOp};
use rustc_hash::FxHashSet;
use tandem_plugin_api::program::*;

/// Marks the functions whose address is a value somewhere.
pub(super) fn mark_addressed_functions(lowerer: &mut Lowerer<'_>, drafts: &[Option<Draft>]) {
    let mut roots: Vec<ExprId> = Vec::new();
    for edge in drafts.iter().flatten().flat_map(|draft| &draft.edges) {
        match &edge.op {
            DraftOp::Plain(op) => roots.extend(op_exprs(op)),
            DraftOp::Call { callee, arguments, result } => {
                roots.extend(arguments.iter().chain(result));
                if let Callee::Pointer(pointer) = callee {
                    roots.push(*pointer);
                }
            }
        }
    }
    roots.extend(lowerer.variables.iter().flat_map(|v| &v.initializer).map(|initial| initial.value));
    visit_once(&lowerer.exprs, roots, &mut |kind| {
        if let ExprKind::FunctionAddress(id) = kind {
            lowerer.functions[id.index()].address_taken = true;
        }
    });
}

fn op_exprs(op: &Op) -> Vec<ExprId> {
    match op {
        Op::Assume { condition, .. } => vec![*condition],
        Op::Assign { target, value } => vec![*target, *value],
        Op::Input { target, .. } => target.iter().copied().collect(),
        Op::Havoc { target } => vec![*target],
        Op::Return(value) => value.iter().copied().collect(),
        Op::Skip | Op::Declare(_) | Op::Call(_) | Op::Resume(_) | Op::External(_) | Op::Unsupported(_) => Vec::new(),
    }
}

/// Visits every expression below the roots once.
fn visit_once(exprs: &Exprs, roots: Vec<ExprId>, visit: &mut dyn FnMut(ExprKind)) {
    let mut seen = vec![false; exprs.len()];
    let mut work = roots;
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut seen[id.index()], true) {
            visit(exprs.kind(id));
            work.extend(exprs.operands(id));
        }
    }
}

/// Functions that a call through `pointer` may enter: their address is taken, and the machine would pass arguments
/// and result alike.
pub(super) fn candidates(lowerer: &Lowerer<'_>, pointer: ExprId, result: Option<ExprId>) -> Vec<FunctionId> {
    let types = &lowerer.types;
    let Some(wanted) = types.pointee(lowerer.exprs.ty(pointer)) else { return Vec::new() };
    let functions = lowerer.functions.iter().enumerate();
    functions
        .filter(|(_, function)| function.address_taken && callable_as(types, function.ty, wanted, result.is_some()))
        .map(|(id, _)| FunctionId::new(id))
        .collect()
}

/// Whether a call through `pointer` does not say where the variadic arguments of `function` begin.
pub(super) fn misses_arguments(lowerer: &Lowerer<'_>, pointer: ExprId, function: FunctionId) -> bool {
    let wanted = lowerer.types.pointee(lowerer.exprs.ty(pointer));
    let says = wanted.is_some_and(|ty| matches!(lowerer.types.get(ty), Type::Function { variadic: true, .. }));
    !says && lowerer.variadic.is_read_by(&lowerer.functions[function.index()].name)
}

fn callable_as(types: &Types, function: TypeId, wanted: TypeId, uses_result: bool) -> bool {
    if function == wanted {
        return true;
    }
    let (
        Type::Function { result: r1, parameters: p1, prototyped: proto1, variadic: v1 },
        Type::Function { result: r2, parameters: p2, prototyped: proto2, variadic: v2 },
    ) = (types.get(function), types.get(wanted))
    else {
        return false;
    };
    // The result place has the pointer's result type: a function that returns another type cannot fill it.
    let results = r1 == r2 || !uses_result;
    let parameters = !proto1
        || !proto2
        || v1 == v2 && p1.len() == p2.len() && p1.iter().zip(p2).all(|(&a, &b)| passed_alike(types, a, b));
    results && parameters
}

fn passed_alike(types: &Types, a: TypeId, b: TypeId) -> bool {
    a == b || matches!((types.word_shape(a), types.word_shape(b)), (Some((x, _)), Some((y, _))) if x == y)
}

pub(super) fn finish(assembler: Assembler<'_>, main: FunctionId, files: Vec<SourceFile>) -> Program {
    let Assembler { mut lowerer, locations, mut edges, call_sites, loops } = assembler;
    complete_storage(&mut lowerer);
    mark_variables(&mut lowerer, &edges, &call_sites);
    name_variables(&mut lowerer);
    let decisions = used_decisions(std::mem::take(&mut lowerer.decisions), &mut edges);
    Program {
        name: lowerer.name.to_owned(),
        source_sha256: String::new(),
        files,
        types: lowerer.types,
        exprs: lowerer.exprs,
        variables: lowerer.variables,
        functions: lowerer.functions,
        locations,
        edges,
        call_sites,
        decisions,
        loops,
        unsupported: lowerer.unsupported,
        main,
    }
}

/// A variable that is only declared `extern` has an unknown value; an array that is never completed has one element.
fn complete_storage(lowerer: &mut Lowerer<'_>) {
    for id in 0..lowerer.variables.len() {
        if lowerer.variables[id].storage != Storage::Global {
            continue;
        }
        if !lowerer.defined_globals.contains(&VarId::new(id)) {
            lowerer.variables[id].storage = Storage::Extern;
        } else if let Type::IncompleteArray { element } = *lowerer.types.get(lowerer.variables[id].ty) {
            lowerer.variables[id].ty = lowerer.types.intern(Type::Array { element, length: 1 });
        }
    }
}

/// Notes whose address is taken, and drops unused temporaries from the functions' lists.
fn mark_variables(lowerer: &mut Lowerer<'_>, edges: &[Edge], call_sites: &[CallSite]) {
    let mut roots: Vec<ExprId> = edges.iter().flat_map(|edge| op_exprs(&edge.op)).collect();
    for site in call_sites {
        roots.extend(site.arguments.iter().chain(&site.result));
        if let Callee::Pointer(pointer) = site.callee {
            roots.push(pointer);
        }
    }
    roots.extend(lowerer.variables.iter().flat_map(|v| &v.initializer).flat_map(|i| [i.place, i.value]));
    let mut mentioned = vec![false; lowerer.variables.len()];
    let exprs = &lowerer.exprs;
    let variables = &mut lowerer.variables;
    visit_once(exprs, roots, &mut |kind| match kind {
        ExprKind::Var(id) => mentioned[id.index()] = true,
        ExprKind::AddressOf(place) => {
            if let Some(root) = root_variable(exprs, place) {
                variables[root.index()].address_taken = true;
            }
        }
        _ => {}
    });
    for edge in edges {
        if let Op::Declare(id) = edge.op {
            mentioned[id.index()] = true;
        }
    }
    for function in &mut lowerer.functions {
        function.locals.retain(|id| mentioned[id.index()]);
    }
}

/// The variable whose bytes a place is part of.
fn root_variable(exprs: &Exprs, mut place: ExprId) -> Option<VarId> {
    loop {
        match exprs.kind(place) {
            ExprKind::Var(id) => return Some(id),
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => place = base,
            _ => return None,
        }
    }
}

/// Globals keep their names, since other files may use them; all others get unique ones.
fn name_variables(lowerer: &mut Lowerer<'_>) {
    let mut taken: FxHashSet<String> = lowerer.functions.iter().map(|f| f.name.clone()).collect();
    let is_global = |v: &Variable| matches!(v.storage, Storage::Global | Storage::Extern) && v.function.is_none();
    for variable in lowerer.variables.iter_mut().filter(|v| is_global(v)) {
        variable.unique_name = variable.name.clone();
        if !taken.insert(variable.name.clone()) {
            // File-scope compound literals share a name.
            variable.unique_name.clear();
        }
    }
    let mut counters: rustc_hash::FxHashMap<String, u32> = rustc_hash::FxHashMap::default();
    for variable in lowerer.variables.iter_mut().filter(|v| v.unique_name.is_empty()) {
        let mut candidate = variable.name.clone();
        while !taken.insert(candidate.clone()) {
            let next = counters.entry(variable.name.clone()).or_insert(1);
            *next += 1;
            candidate = format!("{}__{next}", variable.name);
        }
        variable.unique_name = candidate;
    }
}

/// Decisions on constants settle nothing and are dropped; the rest is renumbered.
fn used_decisions(decisions: Vec<Decision>, edges: &mut [Edge]) -> Vec<Decision> {
    let mut used = vec![false; decisions.len()];
    for outcome in edges.iter().filter_map(|edge| edge.settles) {
        used[outcome.decision.index()] = true;
    }
    let mut renumbered = vec![DecisionId(0); decisions.len()];
    let mut kept = Vec::new();
    for (id, decision) in decisions.into_iter().enumerate() {
        if used[id] {
            renumbered[id] = DecisionId::new(kept.len());
            kept.push(decision);
        }
    }
    for edge in edges {
        if let Some(outcome) = &mut edge.settles {
            outcome.decision = renumbered[outcome.decision.index()];
        }
    }
    kept
}
