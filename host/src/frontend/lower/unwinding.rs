//! Completes jumps out of functions when all functions are known: after a call that a jump may leave, the caller checks
//! whether a jump is under way. If so, the caller either is its target or returns, too.

use super::Lowerer;
use super::draft::{Draft, DraftOp, Place, Target};
use super::nonlocal_jumps::Globals;
use tandem_plugin_api::program::*;

pub(super) fn link(lowerer: &mut Lowerer<'_>, drafts: &mut [Option<Draft>]) {
    let Some(globals) = lowerer.nonlocal.globals else { return };
    let left = left_by_jumps(lowerer, drafts);
    let any_pointer = (0..drafts.len()).any(|id| left[id] && lowerer.functions[id].address_taken);
    for (id, draft) in drafts.iter_mut().enumerate() {
        let Some(draft) = draft else { continue };
        let span = lowerer.functions[id].span;
        let mut link = Link { lowerer, globals, span };
        link.number_the_call(draft);
        if !left[id] {
            continue;
        }
        link.start_without_targets(draft);
        let unwinding = draft.unwinding.unwrap_or_else(|| draft.place());
        link.look_after_calls(draft, unwinding, |callee| match callee {
            Callee::Function(id) => left[id.index()],
            Callee::Pointer(_) => any_pointer,
        });
        link.choose_target(draft, unwinding);
    }
}

/// By function: whether a jump may leave it, or pass through it.
fn left_by_jumps(lowerer: &Lowerer<'_>, drafts: &[Option<Draft>]) -> Vec<bool> {
    let mut left: Vec<bool> =
        drafts.iter().map(|draft| draft.as_ref().is_some_and(|draft| draft.unwinding.is_some())).collect();
    loop {
        let by_pointer = (0..drafts.len()).any(|id| left[id] && lowerer.functions[id].address_taken);
        let jumps = |draft: &Draft| {
            draft.edges.iter().any(|edge| match &edge.op {
                DraftOp::Call { callee: Callee::Function(id), .. } => left[id.index()],
                DraftOp::Call { callee: Callee::Pointer(_), .. } => by_pointer,
                DraftOp::Plain(_) => false,
            })
        };
        let more: Vec<usize> =
            (0..drafts.len()).filter(|&id| !left[id] && drafts[id].as_ref().is_some_and(jumps)).collect();
        if more.is_empty() {
            return left;
        }
        more.into_iter().for_each(|id| left[id] = true);
    }
}

struct Link<'l, 'a> {
    lowerer: &'l mut Lowerer<'a>,
    globals: Globals,
    span: Span,
}

impl Link<'_, '_> {
    fn add(&self, draft: &mut Draft, from: Place, to: Place, op: Op) {
        draft.add(from, Target { place: to, settles: None }, DraftOp::Plain(op), self.span);
    }

    fn assign(&mut self, draft: &mut Draft, from: Place, to: Place, target: VarId, value: ExprId) {
        let target = self.lowerer.variable_expr(target);
        self.add(draft, from, to, Op::Assign { target, value });
    }

    /// Goes to the first place where `condition` holds, and returns the place where it does not.
    fn branch(&self, draft: &mut Draft, from: Place, condition: ExprId, yes: Place) -> Place {
        let no = draft.place();
        self.add(draft, from, yes, Op::Assume { condition, holds: true });
        self.add(draft, from, no, Op::Assume { condition, holds: false });
        no
    }

    fn unsupported(&mut self, draft: &mut Draft, from: Place, what: &str) {
        let id = UnsupportedId::new(self.lowerer.unsupported.len());
        self.lowerer.unsupported.push(Unsupported { what: what.to_owned(), span: self.span });
        let exit = draft.exit;
        self.add(draft, from, exit, Op::Unsupported(id));
    }

    /// A function whose labels others jump to numbers each of its calls.
    fn number_the_call(&mut self, draft: &mut Draft) {
        let Some(&(frame, _)) = self.lowerer.nonlocal.labels.get(&draft.function) else { return };
        draft.locals.push(frame);
        let body = draft.entry;
        let (entry, counted) = (draft.place(), draft.place());
        draft.entry = entry;
        let count = self.lowerer.variable_expr(self.globals.count);
        let one = self.lowerer.size_constant(1);
        let next = self.lowerer.binary(BinaryOp::Add, count, one);
        self.assign(draft, entry, counted, self.globals.count, next);
        self.assign(draft, counted, body, frame, count);
    }

    /// No call of `setjmp` was executed when the function begins.
    fn start_without_targets(&mut self, draft: &mut Draft) {
        let targets: Vec<VarId> = draft.returns.iter().map(|site| site.own).collect();
        for own in targets {
            let body = draft.entry;
            draft.entry = draft.place();
            let zero = self.lowerer.size_constant(0);
            let entry = draft.entry;
            self.assign(draft, entry, body, own, zero);
        }
    }

    /// After each call that a jump may leave: goes on to `unwinding` if a jump is under way. Then the result of the
    /// call must not be assigned to a variable.
    fn look_after_calls(&mut self, draft: &mut Draft, unwinding: Place, may_jump: impl Fn(&Callee) -> bool) {
        let target = self.lowerer.variable_expr(self.globals.target);
        let zero = self.lowerer.size_constant(0);
        let under_way = self.lowerer.binary(BinaryOp::Ne, target, zero);
        for index in 0..draft.edges.len() {
            let returned = draft.place();
            let edge = &mut draft.edges[index];
            let DraftOp::Call { callee, result, .. } = &mut edge.op else { continue };
            if !may_jump(callee) {
                continue;
            }
            let (after, span) = (std::mem::replace(&mut edge.to, returned), edge.span);
            let place = *result;
            let value = place.map(|place| {
                let id = VarId::new(self.lowerer.variables.len());
                let value = self.lowerer.exprs.intern(ExprKind::Var(id), self.lowerer.exprs.ty(place));
                *result = Some(value);
                value
            });
            self.span = span;
            let goes_on = self.branch(draft, returned, under_way, unwinding);
            match (place, value) {
                (Some(target), Some(value)) => {
                    self.new_result(draft, value, span);
                    self.add(draft, goes_on, after, Op::Assign { target, value });
                }
                _ => self.add(draft, goes_on, after, Op::Skip),
            }
        }
    }

    /// The variable that `value` names already.
    fn new_result(&mut self, draft: &mut Draft, value: ExprId, span: Span) {
        let ty = self.lowerer.exprs.ty(value);
        let id = self.lowerer.add_variable(Variable {
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
    }

    /// At `unwinding`: the jump ends here if its target is one of the function's; otherwise the function returns.
    fn choose_target(&mut self, draft: &mut Draft, unwinding: Place) {
        self.span = self.lowerer.functions[draft.function.index()].span;
        let target = self.lowerer.variable_expr(self.globals.target);
        let value = self.lowerer.variable_expr(self.globals.value);
        let zero = self.lowerer.size_constant(0);
        let mut at = unwinding;
        let sites: Vec<_> = draft.returns.iter().map(|site| (site.own, site.result, site.after)).collect();
        for (own, result, after) in sites {
            let own = self.lowerer.variable_expr(own);
            let meant = self.lowerer.binary(BinaryOp::Eq, own, target);
            let (hit, cleared) = (draft.place(), draft.place());
            at = self.branch(draft, at, meant, hit);
            self.assign(draft, hit, cleared, self.globals.target, zero);
            self.assign(draft, cleared, after, result, value);
        }
        if let Some((frame, labels)) = self.lowerer.nonlocal.labels.get(&draft.function).cloned() {
            let frame = self.lowerer.variable_expr(frame);
            let meant = self.lowerer.binary(BinaryOp::Eq, frame, target);
            let hit = draft.place();
            at = self.branch(draft, at, meant, hit);
            self.choose_label(draft, hit, &labels);
        }
        if self.lowerer.functions[draft.function.index()].name == "main" {
            self.unsupported(
                draft,
                at,
                "`longjmp` to a call of `setjmp` whose function has returned, or that was repeated",
            );
            return;
        }
        let ty = draft.result_type;
        let result = self.lowerer.types.is_scalar(ty).then(|| {
            let nothing = self.lowerer.int_constant(0, self.lowerer.common.int);
            self.lowerer.cast(nothing, ty)
        });
        let exit = draft.exit;
        self.add(draft, at, exit, Op::Return(result));
    }

    fn choose_label(&mut self, draft: &mut Draft, from: Place, labels: &[String]) {
        let cleared = draft.place();
        let zero = self.lowerer.size_constant(0);
        self.assign(draft, from, cleared, self.globals.target, zero);
        let value = self.lowerer.variable_expr(self.globals.value);
        let mut at = cleared;
        for (number, label) in labels.iter().enumerate() {
            let number = self.lowerer.int_constant(number as i128, self.lowerer.common.int);
            let meant = self.lowerer.binary(BinaryOp::Eq, value, number);
            let place = draft.labels.get(label).copied();
            let place = place.filter(|place| draft.named_labels.iter().any(|(_, defined)| defined == place));
            let hit = place.unwrap_or_else(|| draft.place());
            at = self.branch(draft, at, meant, hit);
            if place.is_none() {
                self.unsupported(draft, hit, &format!("jump to the label `{label}`"));
            }
        }
        self.unsupported(draft, at, "jump to a label of another function");
    }
}
