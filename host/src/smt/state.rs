//! A symbolic state: the values on a set of paths to one place of the program, as terms over inputs and unknowns.
//! States are persistent: a successor shares what did not change.

use super::contents::Contents;
use super::term::{FALSE, Node, TRUE, Term, Terms};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use std::sync::Arc;
use tandem_plugin_api::program::{CallSiteId, EdgeId, FunctionId, VarId};

/// A piece of the program's memory: a variable, or the result of one allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// See the module.
#[derive(Clone)]
pub struct State {
    /// The paths of the state, as a condition over the symbols.
    pub guard: Term,
    /// Scalars that nothing points to.
    pub values: OrdMap<VarId, Term>,
    /// Where the other variables are.
    pub places: OrdMap<VarId, ObjectId>,
    pub memory: OrdMap<ObjectId, Contents>,
    pub frames: Option<Arc<Frame>>,
    pub inputs: Log<Input>,
}

/// A call that has not returned.
#[derive(Clone)]
pub struct Frame {
    pub site: CallSiteId,
    pub callee: FunctionId,
    pub caller: Option<Arc<Frame>>,
    pub depth: u32,
    /// The callee's variables in an earlier call of it that has not returned either.
    pub values: Vec<(VarId, Option<Term>)>,
    pub places: Vec<(VarId, Option<ObjectId>)>,
}

/// A test input that was read.
#[derive(Clone, Copy)]
pub struct Input {
    pub order: u64,
    pub guard: Term,
    pub function: FunctionId,
    pub edge: EdgeId,
    pub value: Term,
}

/// Something that the formulas do not describe, such as an access outside of an object.
#[derive(Clone, Copy)]
pub struct Hazard {
    /// Holds on the paths on which it happens.
    pub condition: Term,
    pub edge: EdgeId,
    pub kind: HazardKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HazardKind {
    OutOfBounds,
    Askew,
    Gone,
    WildPointer,
    DeadObject,
    Library,
    Unsupported,
}

impl HazardKind {
    /// Whether the condition says that the program itself does something undefined. Then an execution that is known to
    /// do nothing undefined does not satisfy it. All other hazards only say that the formulas do not describe enough.
    pub fn is_undefined_behaviour(self) -> bool {
        matches!(self, HazardKind::OutOfBounds | HazardKind::DeadObject)
    }

    pub fn describe(self) -> &'static str {
        match self {
            HazardKind::OutOfBounds => "memory may be accessed outside of an object",
            HazardKind::Askew => "memory may be accessed across the elements of an object",
            HazardKind::Gone => "memory may be accessed whose lifetime has ended",
            HazardKind::WildPointer => "a pointer may be followed whose target is not known",
            HazardKind::DeadObject => "memory may be accessed that was freed or whose function has returned",
            HazardKind::Library => "a library function is called whose effects are not described",
            HazardKind::Unsupported => "code is reached that is not supported",
        }
    }
}

/// A sequence that grows at the end, shared between states, and joined where paths meet.
pub struct Log<T>(Option<Arc<LogNode<T>>>);

enum LogNode<T> {
    Entry(Log<T>, T),
    Both(Log<T>, Log<T>),
}

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Log(self.0.clone())
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Log(None)
    }
}

/// Long logs are dropped link by link: recursion would need a stack as deep as the log is long.
impl<T> Drop for Log<T> {
    fn drop(&mut self) {
        let mut rest: Vec<Arc<LogNode<T>>> = self.0.take().into_iter().collect();
        while let Some(node) = rest.pop() {
            if let Some(node) = Arc::into_inner(node) {
                match node {
                    LogNode::Entry(mut before, _) => rest.extend(before.0.take()),
                    LogNode::Both(mut a, mut b) => rest.extend(a.0.take().into_iter().chain(b.0.take())),
                }
            }
        }
    }
}

impl<T: Copy> Log<T> {
    pub fn push(&mut self, entry: T) {
        let before = std::mem::take(self);
        self.0 = Some(Arc::new(LogNode::Entry(before, entry)));
    }

    fn same(&self, other: &Log<T>) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    pub fn join(&self, other: &Log<T>) -> Log<T> {
        if self.same(other) || other.0.is_none() {
            return self.clone();
        }
        if self.0.is_none() {
            return other.clone();
        }
        Log(Some(Arc::new(LogNode::Both(self.clone(), other.clone()))))
    }

    /// All entries, each once, in no particular order.
    pub fn entries(&self) -> Vec<T> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut entries = Vec::new();
        let mut work: Vec<&Arc<LogNode<T>>> = self.0.iter().collect();
        while let Some(node) = work.pop() {
            if !seen.insert(Arc::as_ptr(node)) {
                continue;
            }
            match &**node {
                LogNode::Entry(before, entry) => {
                    entries.push(*entry);
                    work.extend(&before.0);
                }
                LogNode::Both(a, b) => work.extend(a.0.iter().chain(&b.0)),
            }
        }
        entries
    }
}

impl State {
    pub fn empty() -> Self {
        State {
            guard: TRUE,
            values: OrdMap::new(),
            places: OrdMap::new(),
            memory: OrdMap::new(),
            frames: None,
            inputs: Log::default(),
        }
    }

    pub fn depth(&self) -> u32 {
        self.frames.as_ref().map_or(0, |frame| frame.depth)
    }

    /// Restricts the paths.
    pub fn assume(&mut self, terms: &mut Terms, condition: Term) {
        self.guard = terms.and(self.guard, condition);
    }

    /// The paths of both. They must be at the same place with the same calls open, and no path may be in both.
    pub fn join(&self, other: &State, terms: &mut Terms) -> State {
        let (guard, condition) = join_guards(terms, self.guard, other.guard);
        let mut joined = self.clone();
        joined.guard = guard;
        for item in self.values.diff(&other.values) {
            match item {
                DiffItem::Update { old: (id, a), new: (_, b) } => {
                    let value = terms.ite(condition, *a, *b);
                    joined.values.insert(*id, value);
                }
                // Set on one side only, such as the result of a function that ends without a return on the other:
                // reading it gives an indeterminate value.
                DiffItem::Remove(id, _) => {
                    joined.values.remove(id);
                }
                DiffItem::Add(..) => {}
            }
        }
        for item in self.places.diff(&other.places) {
            if let DiffItem::Add(id, place) = item {
                joined.places.insert(*id, *place);
            }
        }
        for item in self.memory.diff(&other.memory) {
            match item {
                DiffItem::Add(id, theirs) => {
                    joined.memory.insert(*id, theirs.clone());
                }
                DiffItem::Update { old: (id, ours), new: (_, theirs) } => {
                    joined.memory.insert(*id, ours.join(theirs, terms, condition));
                }
                DiffItem::Remove(..) => {}
            }
        }
        joined.frames = join_frames(terms, condition, &self.frames, &other.frames);
        joined.inputs = self.inputs.join(&other.inputs);
        joined
    }
}

/// Frames of the same calls; what they keep of earlier calls may differ.
fn join_frames(
    terms: &mut Terms,
    condition: Term,
    a: &Option<Arc<Frame>>,
    b: &Option<Arc<Frame>>,
) -> Option<Arc<Frame>> {
    let (Some(ours), Some(theirs)) = (a, b) else { return a.clone() };
    if Arc::ptr_eq(ours, theirs) {
        return a.clone();
    }
    let mut frame = (**ours).clone();
    for ((_, mine), (_, other)) in frame.values.iter_mut().zip(&theirs.values) {
        *mine = match (*mine, *other) {
            (Some(x), Some(y)) => Some(terms.ite(condition, x, y)),
            _ => None,
        };
    }
    frame.caller = join_frames(terms, condition, &ours.caller, &theirs.caller);
    Some(Arc::new(frame))
}

/// The disjunction of two guards, with their common conjuncts in front; and a condition that separates the first from
/// the second among the paths of both.
fn join_guards(terms: &mut Terms, a: Term, b: Term) -> (Term, Term) {
    let (left, right) = (conjuncts(terms, a), conjuncts(terms, b));
    let common = left.iter().zip(&right).take_while(|(x, y)| x == y).count();
    let prefix = terms.all(left[..common].iter().copied());
    let first = terms.all(left[common..].iter().copied());
    let second = terms.all(right[common..].iter().copied());
    let either = terms.or(first, second);
    let guard = terms.and(prefix, either);
    // The shorter of the two makes smaller formulas.
    let condition = match (left.len() - common, right.len() - common) {
        (0, _) => terms.not(second),
        (n, m) if m > 0 && m < n => terms.not(second),
        _ => first,
    };
    (guard, if guard == FALSE { TRUE } else { condition })
}

/// The parts of a conjunction that nests to the left, first part first.
pub(super) fn conjuncts(terms: &Terms, mut guard: Term) -> Vec<Term> {
    let mut parts = Vec::new();
    while let Node::And(before, last) = terms.node(guard) {
        parts.push(last);
        guard = before;
    }
    if guard != TRUE {
        parts.push(guard);
    }
    parts.reverse();
    parts
}
