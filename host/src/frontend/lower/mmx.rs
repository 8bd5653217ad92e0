//! For ILP32, gcc computes with vectors of 8 bytes in MMX registers, which are those of the x87 unit, and leaves the
//! unit in a state in which its next results are NaN. Programs that use both are unsupported, since their results
//! depend on gcc's choices.

use super::Lowerer;
use super::draft::{Draft, DraftOp, Target};
use tandem_plugin_api::program::*;

/// Makes the entry of `main` unsupported where both may be used.
pub(super) fn check(lowerer: &mut Lowerer<'_>, drafts: &mut [Option<Draft>], main: FunctionId) {
    let is_ilp32 = lowerer.types.model == DataModel::Ilp32;
    if !is_ilp32 || !lowerer.has_vectors_of(8) || !uses_x87(lowerer, drafts) {
        return;
    }
    let Some(draft) = drafts[main.index()].as_mut() else { return };
    let span = lowerer.functions[main.index()].span;
    let what = "vectors of 8 bytes in a program that also passes floating-point numbers, for ILP32".to_owned();
    let id = UnsupportedId::new(lowerer.unsupported.len());
    lowerer.unsupported.push(Unsupported { what, span });
    let body = draft.entry;
    draft.entry = draft.place();
    let target = Target { place: body, settles: None };
    draft.add(draft.entry, target, DraftOp::Plain(Op::Unsupported(id)), span);
}

/// The x87 unit returns numbers from functions, and has `long double` and the conversions of 64-bit integers.
fn uses_x87(lowerer: &Lowerer<'_>, drafts: &[Option<Draft>]) -> bool {
    let types = &lowerer.types;
    let is_wide = |ty| types.is_integer(ty) && types.size_of(ty) == Some(8);
    let passes = |expr: &ExprId| {
        let ty = lowerer.exprs.ty(*expr);
        let part = lowerer.complex_element(ty).unwrap_or(ty);
        types.is_float(part)
    };
    let calls = drafts.iter().flatten().flat_map(|draft| &draft.edges).any(|edge| match &edge.op {
        DraftOp::Call { arguments, result, .. } => arguments.iter().chain(result).any(passes),
        DraftOp::Plain(Op::Input { target, .. }) => target.iter().any(passes),
        DraftOp::Plain(_) => false,
    });
    let computes = || {
        (0..lowerer.exprs.len()).map(ExprId::new).any(|id| {
            let ty = lowerer.exprs.ty(id);
            let is_long = matches!(types.get(ty), Type::Float(FloatKind::LongDouble | FloatKind::Float128));
            let converts = match lowerer.exprs.kind(id) {
                ExprKind::Cast(inner) => {
                    let from = lowerer.exprs.ty(inner);
                    is_wide(from) && types.is_float(ty) || is_wide(ty) && types.is_float(from)
                }
                _ => false,
            };
            is_long || converts
        })
    };
    calls || computes()
}
