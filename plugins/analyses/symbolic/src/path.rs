//! One path of the program: the values and the condition that it stands for, and how often it went around its loops.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tandem_plugin_api::program::{EdgeId, LocationId};
use tandem_plugin_api::service::formulas::{Formula, SymbolicState};

/// The state of the analysis.
pub struct Path {
    pub symbolic: SymbolicState,
    /// The conjuncts of the path's guard, so that a solver can leave out those that are unrelated to a question.
    pub conditions: Conditions,
    /// Branches since the solver was last asked about this path.
    pub unchecked: u32,
    /// The sum of the probabilities that one of them has closed the path.
    pub doubt: f32,
    /// One of the two sides of the branch at which this path stands is known to be closed; as the path itself is open,
    /// the other one is, too.
    pub other_side_closed: AtomicBool,
    /// A hazard was noted on an edge that leaves this path.
    pub in_danger: AtomicBool,
    pub rounds: Rounds,
    pub callers: Callers,
}

impl Path {
    pub fn start(symbolic: SymbolicState) -> Self {
        let conditions = Conditions::default().replaced(symbolic.guard(), None);
        Path {
            symbolic,
            conditions,
            unchecked: 0,
            doubt: 0.0,
            other_side_closed: AtomicBool::new(false),
            in_danger: AtomicBool::new(false),
            rounds: Rounds::default(),
            callers: Callers::default(),
        }
    }
}

/// A conjunction that grows at the end, shared between paths with the same beginning.
#[derive(Clone, Default)]
pub struct Conditions(Option<Arc<Condition>>);

struct Condition {
    formula: Formula,
    /// The edge where it comes from; `None` for conditions at the start.
    edge: Option<EdgeId>,
    before: Conditions,
}

impl Conditions {
    pub fn and(&self, formula: Formula, edge: Option<EdgeId>) -> Conditions {
        Conditions(Some(Arc::new(Condition { formula, edge, before: self.clone() })))
    }

    /// A condition that implies all of this, in its place.
    pub fn replaced(&self, formula: Formula, edge: Option<EdgeId>) -> Conditions {
        if formula == Formula::TRUE { Conditions(None) } else { Conditions::default().and(formula, edge) }
    }

    /// The last one first.
    fn backwards(&self) -> impl Iterator<Item = &Condition> {
        std::iter::successors(self.0.as_deref(), |condition| condition.before.0.as_deref())
    }

    pub fn list(&self) -> Vec<Formula> {
        let mut list: Vec<Formula> = self.backwards().map(|condition| condition.formula).collect();
        list.reverse();
        list
    }

    /// Where the last of them come from, the very last first.
    pub fn last_edges(&self, number: u32) -> impl Iterator<Item = EdgeId> {
        self.backwards().take(number as usize).filter_map(|condition| condition.edge)
    }

    /// Where the condition with this place in the list comes from.
    pub fn edge_of(&self, place: u32) -> Option<EdgeId> {
        let after = self.backwards().count().checked_sub(place as usize + 1)?;
        self.backwards().nth(after)?.edge
    }
}

/// Link by link: recursion would need a stack as deep as the path is long.
impl Drop for Conditions {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(condition) = next.and_then(Arc::into_inner) {
            let mut condition = condition;
            next = condition.before.0.take();
        }
    }
}

/// How often the loops around a place were gone around, in this call.
#[derive(Clone, Default)]
pub struct Rounds(Option<Arc<[Round]>>);

#[derive(Clone, Copy)]
struct Round {
    head: LocationId,
    /// Iterations that constants did not decide.
    counted: u32,
    /// The guard when the head was reached last.
    guard: Formula,
}

impl Rounds {
    /// At the head of the last of the loops in `around`. Also says how often that loop was gone around.
    pub fn at_head(&self, around: &[LocationId], guard: Formula) -> (Rounds, u32) {
        let known = self.0.as_deref().unwrap_or_default();
        // Loops that were left do not matter: a loop can be entered again only through one around it.
        let shared = known.iter().zip(around).take_while(|(round, head)| round.head == **head).count();
        let mut rounds = known[..shared].to_vec();
        if shared == around.len() {
            if let Some(last) = rounds.last_mut() {
                last.counted += u32::from(last.guard != guard);
                last.guard = guard;
            }
        } else {
            rounds.extend(around[shared..].iter().map(|&head| Round { head, counted: 0, guard }));
        }
        let counted = rounds.last().map_or(0, |round| round.counted);
        (Rounds(Some(rounds.into())), counted)
    }
}

/// The rounds of the calls that have not returned.
#[derive(Clone, Default)]
pub struct Callers(Option<Arc<Caller>>);

struct Caller {
    rounds: Rounds,
    below: Callers,
}

impl Callers {
    pub fn push(&self, rounds: &Rounds) -> Callers {
        Callers(Some(Arc::new(Caller { rounds: rounds.clone(), below: self.clone() })))
    }

    pub fn pop(&self) -> (Rounds, Callers) {
        match &self.0 {
            Some(caller) => (caller.rounds.clone(), caller.below.clone()),
            None => Default::default(),
        }
    }
}

impl Drop for Callers {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(caller) = next.and_then(Arc::into_inner) {
            let mut caller = caller;
            next = caller.below.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_dropped_without_recursion() {
        let mut conditions = Conditions::default();
        let mut callers = Callers::default();
        for number in 0..1_000_000 {
            conditions = conditions.and(Formula(number), Some(EdgeId(number)));
            callers = callers.push(&Rounds::default());
        }
        let fork = conditions.and(Formula(7), None);
        drop(conditions);
        assert_eq!(fork.list().len(), 1_000_001);
        assert_eq!(fork.list()[..2], [Formula(0), Formula(1)]);
        assert_eq!(fork.edge_of(1), Some(EdgeId(1)));
        assert_eq!((fork.edge_of(1_000_000), fork.edge_of(1_000_001)), (None, None));
        assert_eq!(fork.last_edges(3).collect::<Vec<_>>(), [EdgeId(999_999), EdgeId(999_998)]);
    }

    #[test]
    fn only_undecided_iterations_count() {
        let (outer, inner) = (LocationId(1), LocationId(2));
        let (rounds, counted) = Rounds::default().at_head(&[outer], Formula(5));
        assert_eq!(counted, 0);
        let (rounds, counted) = rounds.at_head(&[outer], Formula(5));
        assert_eq!(counted, 0, "constants decided this one");
        let (rounds, counted) = rounds.at_head(&[outer], Formula(6));
        assert_eq!(counted, 1);
        let (rounds, counted) = rounds.at_head(&[outer, inner], Formula(7));
        assert_eq!(counted, 0);
        let (rounds, counted) = rounds.at_head(&[outer, inner], Formula(8));
        assert_eq!(counted, 1);
        // The next iteration of the outer loop enters the inner one anew.
        let (rounds, counted) = rounds.at_head(&[outer], Formula(9));
        assert_eq!(counted, 2);
        assert_eq!(rounds.at_head(&[outer, inner], Formula(9)).1, 0);
    }
}
