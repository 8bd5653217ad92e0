//! How functions inside functions find the variables of the function around them: it sets global pointers to its
//! variables when it is entered, and gives them their old values back when it returns, since it may call itself.

use super::Lowerer;
use super::draft::{Draft, DraftEdge, DraftOp, Place, Target};
use rustc_hash::FxHashSet;
use tandem_plugin_api::program::*;

/// Sets the pointers in each function whose variables others use.
pub(super) fn link(lowerer: &mut Lowerer<'_>, drafts: &mut [Option<Draft>]) {
    for (owner, captured) in std::mem::take(&mut lowerer.nested.captured) {
        let reentered = can_call(lowerer, drafts, owner, owner);
        let escapes = lowerer
            .nested
            .functions
            .keys()
            .any(|&inner| lowerer.functions[inner.index()].address_taken && is_inside(lowerer, inner, owner));
        let Some(draft) = drafts[owner.index()].as_mut() else { continue };
        if reentered && escapes {
            refuse(lowerer, draft);
        } else {
            set_pointers(lowerer, draft, &captured, reentered);
        }
    }
}

fn is_inside(lowerer: &Lowerer<'_>, mut inner: FunctionId, outer: FunctionId) -> bool {
    while let Some((_, around)) = lowerer.nested.functions.get(&inner) {
        if *around == outer {
            return true;
        }
        inner = *around;
    }
    false
}

/// Whether a call of `to` may happen while `from` runs. A call through a pointer, and a library function that may call
/// back, may enter each function whose address is taken.
fn can_call(lowerer: &Lowerer<'_>, drafts: &[Option<Draft>], from: FunctionId, to: FunctionId) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![from];
    while let Some(function) = work.pop() {
        let Some(draft) = &drafts[function.index()] else { continue };
        for edge in &draft.edges {
            let DraftOp::Call { callee, .. } = &edge.op else { continue };
            let called: Vec<FunctionId> = match callee {
                Callee::Function(id) if drafts[id.index()].is_some() => vec![*id],
                _ => (0..drafts.len()).filter(|&id| lowerer.functions[id].address_taken).map(FunctionId::new).collect(),
            };
            if called.contains(&to) {
                return true;
            }
            work.extend(called.into_iter().filter(|id| seen.insert(*id)));
        }
    }
    false
}

/// A pointer to a function inside may belong to any of several calls of the function around it that are under way:
/// one set of pointers is not enough.
fn refuse(lowerer: &mut Lowerer<'_>, draft: &mut Draft) {
    let function = &lowerer.functions[draft.function.index()];
    let (name, span) = (function.name.clone(), function.span);
    let what = format!("pointers to functions inside of `{name}`, which may be called again while it runs");
    let id = UnsupportedId::new(lowerer.unsupported.len());
    lowerer.unsupported.push(Unsupported { what, span });
    let body = draft.entry;
    draft.entry = draft.place();
    let target = Target { place: body, settles: None };
    draft.add(draft.entry, target, DraftOp::Plain(Op::Unsupported(id)), span);
}

fn set_pointers(lowerer: &mut Lowerer<'_>, draft: &mut Draft, captured: &[(VarId, VarId)], reentered: bool) {
    let span = lowerer.functions[draft.function.index()].span;
    let body = draft.entry;
    let mut at = draft.place();
    draft.entry = at;
    let mut restores = Vec::new();
    let mut sets = Vec::new();
    for &(variable, pointer) in captured {
        let place = lowerer.variable_expr(pointer);
        if reentered {
            let ty = lowerer.variables[pointer.index()].ty;
            let saved = new_temporary(lowerer, draft, ty, span);
            sets.push((saved, place));
            restores.push((place, saved));
        }
        let variable = lowerer.variable_expr(variable);
        sets.push((place, lowerer.address_of(variable)));
    }
    for (index, &(target, value)) in sets.iter().enumerate() {
        let next = if index + 1 == sets.len() { body } else { draft.place() };
        draft.add(at, Target { place: next, settles: None }, DraftOp::Plain(Op::Assign { target, value }), span);
        at = next;
    }
    restore_before_returns(draft, &restores);
}

fn new_temporary(lowerer: &mut Lowerer<'_>, draft: &mut Draft, ty: TypeId, span: Span) -> ExprId {
    let id = lowerer.add_variable(Variable {
        name: "__tandem_tmp".into(),
        unique_name: String::new(),
        ty,
        storage: Storage::Temporary,
        function: Some(draft.function),
        span,
        address_taken: false,
        align: None,
        initializer: Vec::new(),
    });
    draft.locals.push(id);
    lowerer.variable_expr(id)
}

fn restore_before_returns(draft: &mut Draft, restores: &[(ExprId, ExprId)]) {
    let edges = std::mem::take(&mut draft.edges);
    for mut edge in edges {
        if matches!(edge.op, DraftOp::Plain(Op::Return(_))) {
            edge.from = restore(draft, edge.from, restores, edge.span);
        }
        draft.edges.push(edge);
    }
}

/// Puts the assignments at `from`, and says where they end.
fn restore(draft: &mut Draft, mut from: Place, restores: &[(ExprId, ExprId)], span: Span) -> Place {
    for &(target, value) in restores {
        let to = draft.place();
        let op = DraftOp::Plain(Op::Assign { target, value });
        draft.edges.push(DraftEdge { from, to, op, span, settles: None });
        from = to;
    }
    from
}
