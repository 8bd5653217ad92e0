//! Counters of edges that no code counts one by one: when a run has ended, their values are computed from other
//! counters.

use super::translate::Counting;
use tandem_plugin_api::program::EdgeId;
use tandem_plugin_api::service::execution::Exit;

/// How counters are completed after a run.
#[derive(Default)]
pub struct Derived {
    /// First and last of edges that are counted together, sorted.
    together: Vec<(EdgeId, EdgeId)>,
    functions: Vec<Switches>,
}

/// The chains of comparisons in one function.
struct Switches {
    /// The first edge of the function. Most functions of a large program are not called in a run: its counter is zero
    /// then.
    first: Option<EdgeId>,
    /// For each comparison of a chain: the edge where the value is equal, and the edge where it is not.
    chains: Vec<Vec<(EdgeId, EdgeId)>>,
}

impl Derived {
    pub fn take(&mut self, counting: Counting) {
        self.together.extend(counting.together);
        if !counting.switches.is_empty() {
            self.functions.push(Switches { first: counting.first, chains: counting.switches });
        }
    }

    /// To be called when all functions were added.
    pub fn finish(mut self) -> Self {
        self.together.sort_unstable();
        self
    }

    /// Sets the counters of edges without code, and takes back counts that were too early.
    pub fn complete(&self, counters: &mut [u8], exit: Exit) {
        for function in &self.functions {
            if function.first.is_none_or(|first| counters[first.index()] != 0) {
                function.chains.iter().for_each(|chain| complete_chain(counters, chain));
            }
        }
        // At other ends of runs, no edges are counted together.
        if let Exit::MemoryFault(edge) | Exit::DivisionError(edge) | Exit::Unsupported(edge) = exit {
            self.take_back(counters, edge);
        }
    }

    /// The run ended at this edge: the edges behind it were counted but not taken.
    fn take_back(&self, counters: &mut [u8], edge: EdgeId) {
        let at = self.together.partition_point(|(first, _)| *first <= edge);
        let Some(&(_, last)) = at.checked_sub(1).and_then(|at| self.together.get(at)) else { return };
        for later in edge.0 + 1..=last.0 {
            let count = &mut counters[later as usize];
            // A full counter may have lost some counts; the result is near enough.
            if *count != u8::MAX {
                *count = count.saturating_sub(1);
            }
        }
    }
}

/// A value that was not equal to one constant went on to the next comparison.
fn complete_chain(counters: &mut [u8], chain: &[(EdgeId, EdgeId)]) {
    let Some((&(_, last), before)) = chain.split_last() else { return };
    let (mut reached, mut later) = (counters[last.index()], chain[before.len()].0);
    for &(yes, no) in before.iter().rev() {
        reached = reached.saturating_add(counters[later.index()]);
        counters[no.index()] = reached;
        later = yes;
    }
}
