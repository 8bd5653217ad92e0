//! The location analysis: its only state says "anywhere". With the host's own location component this is reachability
//! in the control-flow graph, which proves programs whose error call is dead code.

use tandem_plugin_api::prelude::*;

/// Has one state without any information.
struct Location;

impl Plugin for Location {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "location",
            env!("CARGO_PKG_VERSION"),
            "Tracks nothing but the program location: proves what the control-flow graph alone proves.",
        )
        .details(
            "Explores every location that the graph can reach, whatever the conditions on the way say. Answers in \
             milliseconds, is never wrong, and says UNKNOWN as soon as some path of the graph leads to the error. Useful \
             as the first step of a sequence, and to see what the front end made of a program.",
        )
        .gives(&[ArtifactKind::Gia])
    }

    fn new(_: &Setup) -> Result<Self> {
        Ok(Location)
    }
}

impl Analysis for Location {
    type State = ();
    type Precision = ();

    fn initial(&self) -> Result<()> {
        Ok(())
    }

    fn successors(&self, _: &(), _: EdgeId, _: &()) -> Result<Successors<()>> {
        Ok(Successors::Unchanged)
    }

    fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
        Ok(true)
    }

    fn join(&self, _: &(), _: &()) -> Result<Option<()>> {
        Ok(Some(()))
    }

    fn ignores_call_stack(&self) -> bool {
        true
    }
}

tandem_plugin_api::export_plugin!(Location);

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::kit::testing;

    #[test]
    fn describes_itself_without_mistakes() {
        assert_eq!(Location::descriptor().problems(), Vec::<String>::new());
    }

    #[test]
    fn every_edge_can_be_passed_and_nothing_changes() {
        let task = testing::two_inputs();
        let location = testing::analysis::<Location>(&task, &[]).unwrap();
        let edges: Vec<_> = task.program().edge_ids().collect();
        let states = testing::states_along(&location, &edges).unwrap();
        assert_eq!(states.len(), edges.len() + 1);
        assert!(states.iter().all(|state| state.same(&states[0])));
        assert!(location.less_or_equal(&states[0], &location.initial().unwrap()).unwrap());
        assert!(location.ignores_call_stack().unwrap());
        // It has no capabilities: the host answers for it.
        assert!(Capability::ALL.iter().all(|capability| !location.has(*capability)));
        assert_eq!(location.invariant(&states[0], LocationId(0)).unwrap(), None);
        assert!(location.merges().unwrap() && location.finish(true).unwrap().is_empty());
    }
}
