//! Where the values of initialisers go: into assignments, into a global's data, or nowhere; and the cases that C and
//! gcc leave open.

use super::draft::DraftOp;
use super::{Lowered, Lowerer};
use lang_c::span::Span as AstSpan;
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::program::*;

/// Where initial values go.
pub(super) enum Sink {
    /// Executed here, as assignments.
    Execute(Executed),
    /// Kept as a global's data; must be constant.
    Record { initials: Vec<Initial>, touched: FxHashSet<ExprId>, chosen: Chosen },
    /// Only to learn how long an array is.
    Measure { root: ExprId, length: u64 },
}

/// By union: the member that has an initial value.
pub(super) type Chosen = FxHashMap<ExprId, u64>;

/// The effects of an initialiser so far.
pub(super) struct Executed {
    pub root: ExprId,
    /// Places with an initial value, and all that they are part of.
    touched: FxHashSet<ExprId>,
    /// How many edges the function had before.
    start: usize,
    /// The aggregates that one expression initialised.
    pub whole: FxHashSet<ExprId>,
    chosen: Chosen,
    /// Where the last value went: members and elements by their numbers, from the outermost on.
    last: Vec<i128>,
    /// The arrays that a string initialised, including all zeros behind it.
    pub strings: FxHashSet<ExprId>,
    /// Some value went to a place before that of an earlier one.
    pub is_disordered: bool,
}

impl Executed {
    pub fn new(root: ExprId, start: usize) -> Self {
        Executed {
            root,
            touched: FxHashSet::default(),
            start,
            whole: FxHashSet::default(),
            chosen: Chosen::default(),
            last: Vec::new(),
            strings: FxHashSet::default(),
            is_disordered: false,
        }
    }

    /// Whether a place, or a part of it, has an initial value.
    pub fn has_value(&self, place: ExprId) -> bool {
        self.touched.contains(&place)
    }
}

impl Lowerer<'_> {
    pub(super) fn sink(&mut self, place: ExprId, value: ExprId, span: AstSpan, sink: &mut Sink) -> Lowered<()> {
        if let Sink::Record { .. } = sink
            && let Some(parts) = self.known_parts(value).map(<[ExprId]>::to_vec)
        {
            for (index, part) in parts.into_iter().enumerate() {
                let place = self.part_place(place, index as u64);
                self.sink(place, part, span, sink)?;
            }
            return Ok(());
        }
        match sink {
            Sink::Execute(done) => {
                let position = self.position_in(place, done.root);
                done.is_disordered |= position < done.last;
                done.last = position;
                let Executed { root, touched, start, whole, .. } = done;
                if !self.touch(place, touched) {
                    self.check_overridden(*root, *start, span)?;
                }
                if whole.iter().any(|&aggregate| self.is_within(place, aggregate)) {
                    // For gcc this is the aggregate's first value, and the expression's value is lost; other compilers
                    // keep the rest of it.
                    return self.unsupported("initialiser of a part of what an expression initialises", span);
                }
                if self.types.is_aggregate(self.exprs.ty(place)) {
                    whole.insert(place);
                }
                self.assign(place, value, span)
            }
            Sink::Measure { .. } => Ok(()),
            Sink::Record { initials, touched, .. } => {
                if !self.is_link_time_constant(value) {
                    return self.unsupported("initialiser that is not constant", span);
                }
                self.touch(place, touched);
                initials.push(Initial { place, value });
                Ok(())
            }
        }
    }

    /// Notes that a place and all that it is part of have an initial value. Returns whether the place had none before.
    fn touch(&self, place: ExprId, touched: &mut FxHashSet<ExprId>) -> bool {
        let (mut at, fresh) = (place, !touched.contains(&place));
        while touched.insert(at) {
            match self.exprs.kind(at) {
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => at = base,
                _ => break,
            }
        }
        fresh
    }

    /// A union has the value of one member: if another one gets a value, earlier values are lost.
    pub(super) fn choose_member(&mut self, union: ExprId, member: u64, span: AstSpan, sink: &mut Sink) -> Lowered<()> {
        let chosen = match sink {
            Sink::Execute(done) => &mut done.chosen,
            Sink::Record { chosen, .. } => chosen,
            Sink::Measure { .. } => return Ok(()),
        };
        match chosen.insert(union, member) {
            Some(other) if other != member => self.replace(union, span, sink),
            _ => Ok(()),
        }
    }

    /// A list or a string replaces all earlier values of an aggregate (C11 6.7.9p19).
    pub(super) fn replace(&mut self, place: ExprId, span: AstSpan, sink: &mut Sink) -> Lowered<()> {
        match sink {
            Sink::Execute(Executed { root, touched, start, whole, .. }) if touched.contains(&place) => {
                self.check_overridden(*root, *start, span)?;
                whole.remove(&place);
                let ty = self.exprs.ty(place);
                let zero = self.exprs.intern(ExprKind::Zeroed, ty);
                self.assign(place, zero, span)
            }
            Sink::Record { initials, touched, .. } if touched.contains(&place) => {
                initials.retain(|initial| !self.is_within(initial.place, place));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn is_within(&self, mut place: ExprId, whole: ExprId) -> bool {
        while place != whole {
            match self.exprs.kind(place) {
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => place = base,
                _ => return false,
            }
        }
        true
    }

    /// gcc leaves out the effects of an overridden initialiser; only if it has none are both the same.
    fn check_overridden(&mut self, root: ExprId, start: usize, span: AstSpan) -> Lowered<()> {
        if self.only_initializes(root, start) {
            return Ok(());
        }
        self.unsupported("initialiser that a later one overrides, with a side effect", span)
    }

    /// Whether the edges since `start` only give values to parts of `root`, and to temporaries.
    pub(super) fn only_initializes(&self, root: ExprId, start: usize) -> bool {
        let Some(draft) = &self.current else { return true };
        draft.edges[start.min(draft.edges.len())..].iter().all(|edge| match &edge.op {
            DraftOp::Plain(Op::Assign { target, .. }) => match self.exprs.kind(*target) {
                ExprKind::Var(id) if self.variables[id.index()].storage == Storage::Temporary => true,
                _ => self.is_within(*target, root),
            },
            DraftOp::Plain(Op::Assume { .. } | Op::Skip) => true,
            _ => false,
        })
    }

    /// The numbers of the members and elements that lead from `root` to a place, from the outermost on.
    fn position_in(&self, mut place: ExprId, root: ExprId) -> Vec<i128> {
        let mut numbers = Vec::new();
        while place != root {
            let (base, number) = match self.exprs.kind(place) {
                ExprKind::Field { base, field } => (base, i128::from(field)),
                ExprKind::Index { base, index } => (base, self.exprs.as_int(index).unwrap_or(0)),
                _ => break,
            };
            numbers.push(number);
            place = base;
        }
        numbers.reverse();
        numbers
    }

    /// Constants, addresses of globals and functions, and sums of these.
    fn is_link_time_constant(&self, value: ExprId) -> bool {
        match self.exprs.kind(value) {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) | ExprKind::Zeroed => true,
            ExprKind::Cast(inner) => self.is_link_time_constant(inner),
            ExprKind::Binary { lhs, rhs, .. } => self.is_link_time_constant(lhs) && self.is_link_time_constant(rhs),
            ExprKind::Unary { operand, .. } => self.is_link_time_constant(operand),
            ExprKind::AddressOf(place) => self.is_static_place(place),
            _ => false,
        }
    }

    fn is_static_place(&self, place: ExprId) -> bool {
        match self.exprs.kind(place) {
            ExprKind::Var(id) => !self.variables[id.index()].is_local(),
            ExprKind::Field { base, .. } => self.is_static_place(base),
            ExprKind::Index { base, index } => self.is_static_place(base) && self.exprs.as_int(index).is_some(),
            ExprKind::Deref(pointer) => self.is_link_time_constant(pointer),
            _ => false,
        }
    }
}
