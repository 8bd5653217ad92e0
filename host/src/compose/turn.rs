//! The time of one run of a part, and the signal that ends it.

use super::stop::{Alarm, Stop};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an actor may take to stop after it was asked to.
const GRACE: Duration = Duration::from_secs(1);
/// The same after the end of the whole run.
const GRACE_AT_THE_END: Duration = Duration::from_millis(300);

/// The time of one run of a part.
#[derive(Clone)]
pub struct Turn {
    pub stop: Stop,
    pub deadline: Option<Instant>,
    /// This time is less than that of the whole run.
    pub is_limited: bool,
    /// The part will run again, so that its actors keep what they have.
    pub comes_back: bool,
    /// Of the whole run.
    end: Option<Instant>,
    /// Stops the part at its deadline.
    alarm: Option<Arc<Alarm>>,
}

impl Turn {
    /// The whole run, which the caller ends at its deadline.
    pub fn whole(stop: Stop, deadline: Option<Instant>) -> Self {
        Turn { stop, deadline, is_limited: false, comes_back: false, end: deadline, alarm: None }
    }

    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// A part with this time limit. The error says why the limit could not be kept.
    pub fn within(&self, limit: Duration) -> Result<Turn, String> {
        let own = Instant::now().checked_add(limit);
        let stop = self.stop.child();
        let alarm = own.map(|deadline| stop.at(deadline)).transpose()?.map(Arc::new);
        let deadline = [self.deadline, own].into_iter().flatten().min();
        Ok(Turn { stop, deadline, is_limited: true, comes_back: self.comes_back, end: self.end, alarm })
    }

    /// The same time with another signal.
    pub fn with(&self, stop: Stop) -> Turn {
        Turn { stop, alarm: self.alarm.clone(), ..*self }
    }

    /// The same time for a part whose actors are not needed after it.
    pub fn once(&self) -> Turn {
        Turn { comes_back: false, ..self.clone() }
    }

    /// The same time for a part whose actors run again after it.
    pub fn with_return(&self) -> Turn {
        Turn { comes_back: true, ..self.clone() }
    }

    /// How long to wait for an actor that is asked to stop now.
    pub fn end_of_grace(&self) -> Instant {
        let now = Instant::now();
        let last = self.end.map(|end| end.max(now) + GRACE_AT_THE_END);
        last.map_or(now + GRACE, |last| last.min(now + GRACE))
    }

    /// The same time for one of several parts that can be ended on their own.
    pub fn shared(&self) -> Turn {
        self.with(self.stop.child())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::service::StopReason;

    #[test]
    fn a_part_ends_at_its_own_deadline_or_with_the_whole() {
        let whole = Turn::whole(Stop::new(), Some(Instant::now() + Duration::from_secs(3600)));
        let (short, long) = (whole.within(Duration::ZERO).unwrap(), whole.within(Duration::from_secs(9999)).unwrap());
        assert_eq!(short.stop.stopped().recv(), Ok(StopReason::OutOfTime));
        assert_eq!((whole.stop.reason(), whole.is_limited, short.is_limited), (None, false, true));
        assert!(short.deadline < whole.deadline && long.deadline == whole.deadline);
        let part = long.shared();
        whole.stop.stop(StopReason::Cancelled);
        assert_eq!(part.stop.reason(), Some(StopReason::Cancelled));
    }
}
