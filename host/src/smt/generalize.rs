//! States that stand for any number of iterations of a loop. The symbols for changed values are made once for all
//! states that agree on the rest, so that such states can be compared by their conditions alone, and queries repeat.

use super::encode::{Changes, Encoder};
use super::state::{Frame, Log, ObjectId, State, conjuncts};
use super::term::{Node, TRUE, Term};
use imbl::ordmap::DiffItem;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use tandem_plugin_api::program::{ExprKind, VarId};

/// All contexts so far.
#[derive(Default)]
pub struct Contexts {
    list: Vec<Context>,
}

/// A loop together with the values that it does not change.
struct Context {
    effects: u32,
    /// The state for which it was made. The states of this context share the values that the effects do not change in
    /// it.
    first: State,
    /// The state with new symbols for values that the effects change, and without a condition.
    start: State,
    /// Symbols of unchanged values. They are older than those of `start`, hence never the same.
    kept: FxHashSet<Term>,
}

impl Contexts {
    /// The state with unknown values for everything that `changes` may change, and the number of its context. The
    /// state's condition keeps only the parts about unchanged values: symbols for changed ones stand for values of an
    /// earlier visit.
    pub fn generalize(
        &mut self,
        encoder: &mut Encoder,
        state: &State,
        effects: u32,
        changes: &Changes,
    ) -> (State, u32) {
        let affected = Affected::of(encoder, state, changes);
        let known = self
            .list
            .iter()
            .position(|context| context.effects == effects && affected.agree_elsewhere(&context.first, state));
        let number = known.unwrap_or_else(|| {
            self.list.push(Context::new(encoder, state, effects, changes, &affected));
            self.list.len() - 1
        });
        let context = &self.list[number];
        let mut general = context.start.clone();
        let parts = conjuncts(&encoder.terms, state.guard);
        let stays: Vec<Term> = parts.into_iter().filter(|part| context.speaks_of_kept(encoder, *part)).collect();
        general.guard = encoder.terms.all(stays);
        (general, number as u32)
    }
}

impl Context {
    fn new(encoder: &mut Encoder, state: &State, effects: u32, changes: &Changes, affected: &Affected<'_>) -> Context {
        let mut start = state.clone();
        start.guard = TRUE;
        start.inputs = Log::default();
        let mut kept = FxHashSet::default();
        let mut seen = FxHashSet::default();
        for term in affected.other_terms(state) {
            collect_symbols(encoder, term, &mut seen, &mut kept);
        }
        encoder.forget(&mut start, changes);
        // Variables in memory get their symbols now, the same for all states of the context.
        let program = encoder.program.clone();
        for (&id, object) in &start.places.clone() {
            let ty = program.variable(id).ty;
            if affected.objects.contains(object) && program.types.is_scalar(ty) {
                let place = Arc::make_mut(&mut encoder.program).exprs.intern(ExprKind::Var(id), ty);
                encoder.settled_value(&mut start, place);
            }
        }
        Context { effects, first: state.clone(), start, kept }
    }

    fn speaks_of_kept(&self, encoder: &Encoder, part: Term) -> bool {
        let (mut seen, mut symbols) = (FxHashSet::default(), FxHashSet::default());
        collect_symbols(encoder, part, &mut seen, &mut symbols);
        symbols.iter().all(|symbol| self.kept.contains(symbol))
    }
}

/// The symbols of a term, but for addresses, which mean the same everywhere.
fn collect_symbols(encoder: &Encoder, term: Term, seen: &mut FxHashSet<Term>, symbols: &mut FxHashSet<Term>) {
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match encoder.terms.node(term) {
            Node::Symbol(_) if !encoder.is_base(term) => drop(symbols.insert(term)),
            _ => work.extend(encoder.terms.operands(term)),
        }
    }
}

/// The parts of a state that some changes may change.
struct Affected<'c> {
    variables: &'c [VarId],
    objects: FxHashSet<ObjectId>,
}

impl<'c> Affected<'c> {
    fn of(encoder: &Encoder, state: &State, changes: &'c Changes) -> Self {
        let mut objects: FxHashSet<ObjectId> =
            changes.variables.iter().filter_map(|variable| state.places.get(variable).copied()).collect();
        let named: FxHashSet<ObjectId> = state.places.values().copied().collect();
        if changes.pointees {
            let safe =
                |(id, object): (&VarId, &ObjectId)| (!encoder.program.variable(*id).address_taken).then_some(*object);
            let safe: FxHashSet<ObjectId> = state.places.iter().filter_map(safe).collect();
            objects.extend(state.memory.keys().filter(|object| !safe.contains(object)));
        }
        if changes.frees {
            objects.extend(state.memory.keys().filter(|object| !named.contains(object)));
        }
        Affected { variables: &changes.variables, objects }
    }

    /// Whether two states are the same except for affected parts and their conditions. An affected variable may also be
    /// missing on one side, where reading it gives an unknown value.
    fn agree_elsewhere(&self, a: &State, b: &State) -> bool {
        let changed = |id: &VarId| self.variables.binary_search(id).is_ok();
        let values = a.values.diff(&b.values).all(|item| match item {
            DiffItem::Add(id, _) | DiffItem::Remove(id, _) => changed(id),
            DiffItem::Update { old: (id, _), .. } => changed(id),
        });
        let memory = || {
            a.memory.diff(&b.memory).all(|item| match item {
                DiffItem::Update { old: (object, ours), new: (_, theirs) } => {
                    self.objects.contains(object) || ours == theirs
                }
                DiffItem::Add(..) | DiffItem::Remove(..) => false,
            })
        };
        values && same_frames(&a.frames, &b.frames) && a.places == b.places && memory()
    }

    /// The terms of unaffected parts.
    fn other_terms(&self, state: &State) -> Vec<Term> {
        let changed = |id: &VarId| self.variables.binary_search(id).is_ok();
        let mut list: Vec<Term> = state.values.iter().filter(|(id, _)| !changed(id)).map(|(_, value)| *value).collect();
        for (object, contents) in &state.memory {
            if !self.objects.contains(object) {
                list.extend(contents.terms());
            }
        }
        let mut frame = state.frames.as_ref();
        while let Some(open) = frame {
            list.extend(open.values.iter().filter_map(|(_, value)| *value));
            frame = open.caller.as_ref();
        }
        list
    }
}

fn same_frames(a: &Option<Arc<Frame>>, b: &Option<Arc<Frame>>) -> bool {
    let (mut a, mut b) = (a, b);
    while let (Some(x), Some(y)) = (a, b) {
        if Arc::ptr_eq(x, y) {
            return true;
        }
        if x.site != y.site || x.values != y.values || x.places != y.places {
            return false;
        }
        (a, b) = (&x.caller, &y.caller);
    }
    a.is_none() && b.is_none()
}
