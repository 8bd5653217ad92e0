//! A program that calls [`FAILED`] where a run is about to reach the error, and the automaton of a witness has followed it: all
//! states that the automaton may be in are bits of new variables, which change along the edges.

use crate::frontend::parse_expression;
use crate::instrument::{Editor, FAILED};
use std::collections::{BTreeMap, BTreeSet};
use tandem_plugin_api::artifact::{Acceptance, Gia, StateId, Transition};
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::Scope;

/// States in one variable.
const BITS: usize = 32;

/// For an edge, the transitions that it takes in the automaton.
type Steps<'g> = BTreeMap<EdgeId, Vec<&'g Transition>>;

pub struct Product {
    pub program: Program,
    /// By the call of [`FAILED`]: the error that is about to be reached.
    pub targets: BTreeMap<EdgeId, EdgeId>,
    /// Edges that were added.
    pub size: usize,
}

/// The product of a program and an automaton whose candidates are the paths to the error. `Err` says what cannot be followed.
pub fn product(program: &Program, targets: &[EdgeId], gia: &Gia) -> Result<Product, String> {
    let mut follower = Follower::new(program, gia);
    let at_entries = follower.conditions_at_entries()?;
    for edge in program.edge_ids().filter(|edge| targets.binary_search(edge).is_err()) {
        follower.follow(edge, &at_entries)?;
    }
    for (entry, transitions) in &at_entries {
        follower.at_entry(*entry, transitions)?;
    }
    let mut found = BTreeMap::new();
    for &target in targets {
        if let Some(call) = follower.target(target)? {
            found.insert(call, target);
        }
    }
    let size = follower.editor.program.edges.len() - program.edges.len();
    Ok(Product { program: follower.editor.finish(), targets: found, size })
}

struct Follower<'a> {
    original: &'a Program,
    gia: &'a Gia,
    editor: Editor,
    /// The states that the automaton may be in, and those that it may be in after an edge.
    now: Vec<ExprId>,
    next: Vec<ExprId>,
    /// States from which no candidate can be reached: whether the automaton is in one of them does not matter.
    hopeless: BTreeSet<StateId>,
    /// Transitions by edge, but those of hopeless states, and those that only stay.
    steps: Steps<'a>,
    /// States that some edges leave without staying; the others stay everywhere.
    leaving: BTreeSet<StateId>,
}

impl<'a> Follower<'a> {
    fn new(original: &'a Program, gia: &'a Gia) -> Self {
        let mut editor = Editor::new(original, FAILED);
        let words = gia.states().len().div_ceil(BITS);
        let now: Vec<ExprId> =
            (0..words).map(|word| editor.global(&format!("__tandem_now_{word}"), IntKind::UInt)).collect();
        let next = (0..words).map(|word| editor.global(&format!("__tandem_next_{word}"), IntKind::UInt)).collect();
        let initial = gia.initial().index();
        let place = now[initial / BITS];
        let value = editor.constant_like(place, 1 << (initial % BITS));
        if let ExprKind::Var(variable) = editor.expressions.exprs.kind(place) {
            editor.program.variables[variable.index()].initializer.push(Initial { place, value });
        }
        let hopeless = hopeless(gia);
        let (mut steps, mut leaving) = (Steps::new(), BTreeSet::new());
        for state in (0..gia.states().len()).map(|index| StateId(index as u32)).filter(|s| !hopeless.contains(s)) {
            let stays = |t: &Transition| t.target == state && t.edges.is_any() && t.condition.is_true();
            if !gia.leaving(state).iter().any(stays) {
                leaving.insert(state);
            }
            for transition in gia.leaving(state).iter().filter(|t| !stays(t) && !hopeless.contains(&t.target)) {
                match transition.edges.edges() {
                    Some(edges) => edges.iter().for_each(|edge| steps.entry(*edge).or_default().push(transition)),
                    None => original.edge_ids().for_each(|edge| steps.entry(edge).or_default().push(transition)),
                }
            }
        }
        Follower { original, gia, editor, now, next, hopeless, steps, leaving }
    }

    /// Conditions behind calls are checked where the called function begins. That is possible only if they hold for all
    /// of its calls.
    fn conditions_at_entries(&self) -> Result<BTreeMap<LocationId, Vec<&'a Transition>>, String> {
        let mut found: BTreeMap<LocationId, Vec<&Transition>> = BTreeMap::new();
        for (edge, transitions) in &self.steps {
            if !matches!(self.original.edge(*edge).op, Op::Call(_)) {
                continue;
            }
            let entry = self.original.edge(*edge).to;
            for transition in transitions.iter().filter(|t| !t.condition.is_true() && t.source != t.target) {
                let calls = &self.original.location(entry).entering;
                if !calls.iter().all(|call| transition.edges.contains(*call)) {
                    return Err("an assumption at the beginning of a function is about some of its calls only".into());
                }
                let list = found.entry(entry).or_default();
                if !list.contains(transition) {
                    list.push(transition);
                }
            }
        }
        Ok(found)
    }

    /// Changes the states along an edge.
    fn follow(&mut self, edge: EdgeId, at_entries: &BTreeMap<LocationId, Vec<&Transition>>) -> Result<(), String> {
        let mut transitions = self.steps.get(&edge).cloned().unwrap_or_default();
        // A call enters another function, whose entry all calls share, and nothing comes between a return and the end of a
        // function: the states change before them.
        let is_before = matches!(self.original.edge(edge).op, Op::Call(_) | Op::Return(_));
        if is_before {
            let later = at_entries.get(&self.original.edge(edge).to);
            transitions.retain(|transition| !later.is_some_and(|later| later.contains(transition)));
            if transitions.iter().any(|transition| !transition.condition.is_true()) {
                return Err("what holds after a call or a return decides whether it is followed".into());
            }
        }
        let dies = |state: &StateId| {
            !transitions.iter().any(|t| t.source == *state && t.target == *state && t.condition.is_true())
        };
        let dying: Vec<StateId> = self.leaving.iter().copied().filter(dies).collect();
        transitions.retain(|t| t.source != t.target || !t.condition.is_true());
        if transitions.is_empty() && dying.is_empty() {
            return Ok(());
        }
        let (from, to) = if is_before {
            let from = self.editor.program.edge(edge).from;
            (from, self.before(edge)?)
        } else {
            let to = self.editor.program.edge(edge).to;
            (self.editor.cut(edge), to)
        };
        self.step(from, to, self.original.edge(edge).to, &transitions, &dying)
    }

    /// A location behind which a call is the only edge.
    fn before(&mut self, edge: EdgeId) -> Result<LocationId, String> {
        let from = self.editor.program.edge(edge).from;
        if self.editor.program.location(from).leaving != [edge] {
            return Err("a call through a pointer cannot be followed".into());
        }
        Ok(self.editor.split(from))
    }

    fn at_entry(&mut self, entry: LocationId, transitions: &[&Transition]) -> Result<(), String> {
        let behind = self.editor.split(entry);
        self.step(entry, behind, entry, transitions, &[])
    }

    /// Code between two locations that computes the next states from the current ones. Conditions are read at `place`.
    fn step(
        &mut self,
        from: LocationId,
        to: LocationId,
        place: LocationId,
        transitions: &[&Transition],
        dying: &[StateId],
    ) -> Result<(), String> {
        let touched: BTreeSet<usize> = transitions
            .iter()
            .map(|transition| transition.target.index())
            .chain(dying.iter().map(|state| state.index()))
            .map(|state| state / BITS)
            .collect();
        let function = self.editor.program.location(from).function;
        let mut at = from;
        for &word in &touched {
            let gone =
                dying.iter().filter(|state| state.index() / BITS == word).map(|state| 1i128 << (state.index() % BITS));
            let kept = i128::from(u32::MAX) & !gone.fold(0, |all, bit| all | bit);
            let mask = self.editor.constant_like(self.now[word], kept);
            let value = self.editor.binary(BinaryOp::BitAnd, self.now[word], mask);
            at = self.assign(at, self.next[word], value, function);
        }
        for transition in transitions {
            let after = self.editor.location(function);
            let matched = self.editor.location(function);
            let is_there = self.is_in(transition.source);
            if transition.condition.is_true() {
                self.editor.branch(at, is_there, matched, after);
            } else {
                let holds = self.condition(transition, place)?;
                let met = self.editor.location(function);
                self.editor.branch(at, is_there, met, after);
                self.editor.branch(met, holds, matched, after);
            }
            let (word, bit) = (transition.target.index() / BITS, transition.target.index() % BITS);
            let bit = self.editor.constant_like(self.next[word], 1 << bit);
            let value = self.editor.binary(BinaryOp::BitOr, self.next[word], bit);
            let target = self.next[word];
            self.editor.edge(matched, after, Op::Assign { target, value });
            at = after;
        }
        for &word in &touched {
            at = self.assign(at, self.now[word], self.next[word], function);
        }
        self.editor.edge(at, to, Op::Skip);
        Ok(())
    }

    fn assign(&mut self, at: LocationId, target: ExprId, value: ExprId, function: FunctionId) -> LocationId {
        let next = self.editor.location(function);
        self.editor.edge(at, next, Op::Assign { target, value });
        next
    }

    fn is_in(&mut self, state: StateId) -> ExprId {
        let (word, bit) = (state.index() / BITS, state.index() % BITS);
        self.any_of(word, 1 << bit)
    }

    fn any_of(&mut self, word: usize, bits: i128) -> ExprId {
        let mask = self.editor.constant_like(self.now[word], bits);
        let masked = self.editor.binary(BinaryOp::BitAnd, self.now[word], mask);
        let zero = self.editor.constant_like(masked, 0);
        self.editor.binary(BinaryOp::Ne, masked, zero)
    }

    fn condition(&mut self, transition: &Transition, place: LocationId) -> Result<ExprId, String> {
        let condition = &transition.condition;
        let here = &self.original.function(self.original.location(place).function).name;
        let unusable = |why: &str| format!("`{}` cannot be followed: {why}", condition.text());
        if condition.scope().is_some_and(|scope| scope != here) {
            return Err(unusable(&format!("it is about another function than `{here}`")));
        }
        let parsed = parse_expression(self.original, condition.text(), Scope::Location(place));
        let parsed = parsed.map_err(|error| unusable(&error.message))?;
        let root = self.editor.expressions.add(self.original, &parsed).map_err(|error| unusable(&error.message))?;
        if !self.editor.can_branch(root) {
            return Err(unusable("it has `&&`, `||` or `?:` inside of other operators"));
        }
        Ok(root)
    }

    /// Before an error: the call of [`FAILED`] where the automaton accepts, if it may.
    fn target(&mut self, target: EdgeId) -> Result<Option<EdgeId>, String> {
        let accepting = |state: StateId| self.gia.acceptance(state) == Acceptance::Cand;
        let mut states: BTreeSet<StateId> =
            (0..self.gia.states().len()).map(|index| StateId(index as u32)).filter(|state| accepting(*state)).collect();
        for transition in self.steps.get(&target).into_iter().flatten().filter(|t| accepting(t.target)) {
            if !transition.condition.is_true() {
                return Err("what must hold after the error cannot be followed".into());
            }
            states.insert(transition.source);
        }
        states.retain(|state| !self.hopeless.contains(state));
        if states.is_empty() {
            return Ok(None);
        }
        let from = self.editor.program.edge(target).from;
        let behind = self.before(target)?;
        let function = self.editor.program.location(from).function;
        let mut at = from;
        let accepted = self.editor.location(function);
        for word in 0..self.now.len() {
            let bits = states.iter().filter(|state| state.index() / BITS == word);
            let bits = bits.fold(0i128, |all, state| all | 1 << (state.index() % BITS));
            if bits != 0 {
                let condition = self.any_of(word, bits);
                let next = self.editor.location(function);
                self.editor.branch(at, condition, accepted, next);
                at = next;
            }
        }
        self.editor.edge(at, behind, Op::Skip);
        Ok(Some(self.editor.fail(accepted, behind)))
    }
}

/// States from which no candidate can be reached.
fn hopeless(gia: &Gia) -> BTreeSet<StateId> {
    let all = (0..gia.states().len()).map(|index| StateId(index as u32));
    let mut hope: BTreeSet<StateId> = all.clone().filter(|state| gia.acceptance(*state) == Acceptance::Cand).collect();
    loop {
        let before = hope.len();
        for transition in gia.transitions() {
            if hope.contains(&transition.target) {
                hope.insert(transition.source);
            }
        }
        if hope.len() == before {
            return all.filter(|state| !hope.contains(state)).collect();
        }
    }
}
