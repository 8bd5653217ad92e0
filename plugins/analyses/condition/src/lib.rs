//! The guard of native conditional model checking: follows the GIA of earlier actors, and leaves out the paths that are
//! known to reach no target. In a product with any other analysis it makes a conditional verifier of it.

use std::cell::RefCell;
use std::sync::Arc;
use tandem_plugin_api::kit::residual::{Follower, Next, SetId};
use tandem_plugin_api::prelude::*;

struct Guard {
    follower: RefCell<Follower>,
}

impl Plugin for Guard {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "condition",
            env!("CARGO_PKG_VERSION"),
            "Follows a GIA and leaves out the paths that are proven already.",
        )
        .details(
            "Put it before another analysis in a product, in an actor that comes after one that gives a GIA: the product then explores \
             only what is left to do. Paths on which the GIA has a condition or an invariant are explored. Instead of it, a reducer \
             makes a program of what is left, which serves every verifier.",
        )
        .needs(&[ArtifactKind::Gia])
    }

    fn new(_: &Setup) -> Result<Self> {
        Ok(Guard { follower: RefCell::new(following(&Gia::nothing_known())) })
    }
}

/// Candidates do not matter: all paths that are not proven are explored.
fn following(gia: &Gia) -> Follower {
    Follower::new(Arc::new(gia.without_candidates()), Covered::Ut)
}

impl Analysis for Guard {
    type State = SetId;
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().indexes();

    fn start(&mut self, inputs: &Inputs, _: &Host) -> Result<()> {
        // A later run goes on with states of this one.
        if *self.follower.borrow().gia() == Gia::nothing_known().without_candidates() {
            self.follower = RefCell::new(following(&inputs.gia));
        }
        Ok(())
    }

    fn initial(&self) -> Result<SetId> {
        Ok(match self.follower.borrow_mut().start() {
            Next::At(set) => set,
            // The whole program is proven. No state of the follower says so, and exploring is never wrong.
            Next::Done => SetId::NONE,
        })
    }

    fn successors(&self, set: &SetId, edge: EdgeId, _: &()) -> Result<Successors<SetId>> {
        Ok(match self.follower.borrow_mut().next(*set, edge) {
            Next::Done => Successors::None,
            Next::At(next) if next == *set => Successors::Unchanged,
            Next::At(next) => Successors::One(next),
        })
    }

    /// A state with fewer runs leaves out fewer paths.
    fn less_or_equal(&self, smaller: &SetId, greater: &SetId) -> Result<bool> {
        Ok(self.follower.borrow().is_subset(*greater, *smaller))
    }

    /// The automaton's edges determine which call returns where.
    fn ignores_call_stack(&self) -> bool {
        true
    }

    fn describe(&self, set: &SetId) -> Result<String> {
        Ok(self.follower.borrow().describe(*set))
    }
}

impl Indexes for Guard {
    fn merges(&self) -> bool {
        false
    }
}

tandem_plugin_api::export_plugin!(Guard);

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::abi::host_side::Next as After;
    use tandem_plugin_api::artifact::{Acceptance, Condition, GiaBuilder};
    use tandem_plugin_api::kit::testing;

    #[test]
    fn describes_itself_without_mistakes() {
        assert_eq!(Guard::descriptor().problems(), Vec::<String>::new());
    }

    #[test]
    fn proven_paths_end_and_others_go_on() {
        let mut builder = GiaBuilder::new();
        let start = builder.state("start", Acceptance::None);
        let proven = builder.sink("proven", Acceptance::Ut);
        let guess = builder.state_with_invariant("guess", Condition::global("x"), Acceptance::Ut);
        builder.transition(start, EdgeId(0), Condition::always(), start);
        builder.transition(start, EdgeId(1), Condition::always(), proven);
        builder.transition(start, EdgeId(2), Condition::always(), guess);
        let inputs = Inputs { gia: builder.build(start).unwrap(), ..Inputs::default() };
        let task = testing::two_inputs();
        let mut guard = testing::analysis::<Guard>(&task, &[]).unwrap();
        guard.start(&inputs, &Host::silent()).unwrap();
        let (initial, precision) = (guard.initial().unwrap(), guard.initial_precision().unwrap());
        let after = |edge| guard.successors(&initial, EdgeId(edge), &precision).unwrap();
        assert!(matches!(after(0), After::Unchanged));
        assert!(matches!(after(1), After::None));
        let After::One(lost) = after(2) else { panic!("a run that may be wrong does not end a path") };
        assert!(guard.less_or_equal(&initial, &lost).unwrap() && !guard.less_or_equal(&lost, &initial).unwrap());
    }
}
