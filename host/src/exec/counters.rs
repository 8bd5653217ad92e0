//! Counters of edges that no code counts one by one: what they are follows from others when a run has ended.

use super::translate::Counting;
use tandem_plugin_api::program::EdgeId;
use tandem_plugin_api::service::execution::Exit;

/// What is to be done with the counters after a run.
#[derive(Default)]
pub struct Derived {
    /// First and last of edges that code counts at once, sorted.
    together: Vec<(EdgeId, EdgeId)>,
    /// Chains of comparisons: the edges where the value is equal and where not.
    switches: Vec<Vec<(EdgeId, EdgeId)>>,
}

impl Derived {
    pub fn take(&mut self, counting: Counting) {
        self.together.extend(counting.together);
        self.together.sort_unstable();
        self.switches.extend(counting.switches);
    }

    pub fn complete(&self, counters: &mut [u8], exit: Exit) {
        for switch in &self.switches {
            let (Some((from, _)), Some((_, to))) = (switch.first(), switch.last()) else { continue };
            let inside = counters.get(from.index()..=to.index()).unwrap_or_default();
            // Most functions of a large program are not called: all of a switch at once.
            if from < to && inside.len() < 4 * switch.len() && inside.iter().fold(0, |any, &count| any | count) == 0 {
                continue;
            }
            // Whoever was not equal to one constant went on to the next comparison.
            let Some((_, last)) = switch.last() else { continue };
            let mut reached = counters[last.index()];
            for pair in switch.windows(2).rev() {
                let [(_, earlier), (yes, _)] = pair else { continue };
                reached = reached.saturating_add(counters[yes.index()]);
                counters[earlier.index()] = reached;
            }
        }
        // Other ends are where nothing more is counted together.
        if let Exit::MemoryFault(edge) | Exit::DivisionError(edge) | Exit::Unsupported(edge) = exit {
            self.take_back(counters, edge);
        }
    }

    /// The run ended at this edge: those behind it were counted but not taken.
    fn take_back(&self, counters: &mut [u8], edge: EdgeId) {
        let at = self.together.partition_point(|(first, _)| *first <= edge);
        let Some(&(_, last)) = at.checked_sub(1).and_then(|at| self.together.get(at)) else { return };
        for later in edge.0 + 1..=last.0 {
            let count = &mut counters[later as usize];
            // One that is full has been higher, or so nearly that it makes no difference.
            if *count != u8::MAX {
                *count = count.saturating_sub(1);
            }
        }
    }
}
