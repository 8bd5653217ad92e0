//! The artifacts that actors of one run pass to each other while they work.

use std::sync::{Mutex, PoisonError};
use tandem_plugin_api::service::Artifact;

/// All that was published, in the order in which it came, with the actor that published it.
#[derive(Default)]
pub struct Exchange {
    published: Mutex<Vec<(String, Artifact)>>,
}

impl Exchange {
    pub fn publish(&self, actor: &str, artifact: &Artifact) {
        let mut published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
        published.push((actor.to_string(), artifact.clone()));
    }

    /// The artifacts that others than this actor published, without the first `seen`.
    pub fn for_actor(&self, actor: &str, seen: usize) -> Vec<Artifact> {
        let published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
        let others = published.iter().filter(|(from, _)| from != actor);
        others.skip(seen).map(|(_, artifact)| artifact.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::{Invariants, Precision};

    #[test]
    fn everybody_gets_what_others_found_once() {
        let exchange = Exchange::default();
        let (a, b) = (Artifact::Invariants(Invariants::new()), Artifact::Precision(Precision::empty()));
        exchange.publish("a", &a);
        exchange.publish("b", &b);
        assert_eq!(exchange.for_actor("a", 0), std::slice::from_ref(&b));
        assert_eq!(exchange.for_actor("b", 0), [a]);
        assert_eq!(exchange.for_actor("c", 1), [b]);
        assert!(exchange.for_actor("a", 1).is_empty());
    }
}
