//! Candidates for loop invariants, and which of them are invariants: those that hold when their loops are entered and that
//! every iteration keeps, bit-precisely (Houdini, Flanagan and Leino 2001).

use super::decide::Search;
use super::explore::{Candidates, Explorer, Loops};
use crate::error::Result;
use crate::service::formulas::{Formula, Satisfiability};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How much time the search for inductive candidates may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// A query about one candidate.
    pub query: Duration,
    /// The whole search ends at this time.
    pub deadline: Option<Instant>,
    /// Whether the induction begins at the first visit of a loop's head, or only where constants no longer decide
    /// whether the loop goes on. Candidates that are kept with the former hold at every visit.
    pub at_once: bool,
    /// Whether paths stay apart where they meet, see [`Explorer::apart`].
    pub apart: bool,
}

/// Drops candidates until the rest are invariants together: they hold when their loops are entered, and every iteration
/// keeps them. If time runs out, no candidate is kept.
pub fn keep_inductive(search: &mut Search, candidates: &mut Candidates, effort: Effort) -> Result<()> {
    loop {
        let explorer = Explorer::new(search.task, search.host, &mut search.formulas, Loops::Induction(0));
        let explorer = if effort.at_once { explorer.at_once() } else { explorer };
        let explorer = if effort.apart { explorer.apart() } else { explorer };
        let exploration = explorer.with(candidates).run()?;
        if !effort.apart {
            let all: Vec<Formula> = exploration.objections.iter().map(|(_, _, condition)| *condition).collect();
            let any = search.formulas.or(&all)?;
            if matches!(search.formulas.check(&[any], Some(effort.query))?, Satisfiability::Unsatisfiable(_)) {
                return Ok(());
            }
        }
        let mut failed = BTreeSet::new();
        for (head, candidate, condition) in exploration.objections {
            search.host.check()?;
            if failed.contains(&(head, candidate)) {
                continue;
            }
            if effort.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                candidates.clear();
                return Ok(());
            }
            let answer = search.formulas.check(&[condition], Some(effort.query))?;
            if !matches!(answer, Satisfiability::Unsatisfiable(_)) {
                failed.insert((head, candidate));
            }
        }
        if failed.is_empty() {
            return Ok(());
        }
        for (head, list) in candidates.iter_mut() {
            list.retain(|candidate| !failed.contains(&(*head, *candidate)));
        }
    }
}
