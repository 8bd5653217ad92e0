//! Stop signals that end the parts of a run together, and the one timer that stops parts when their time is over.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::service::{StopReason, StopSignal};

/// Ends a part of a run, and all parts of that part. Clones share it.
#[derive(Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// The signal that plugins poll.
    signal: StopSignal,
    dependents: Mutex<Dependents>,
}

#[derive(Default)]
struct Dependents {
    children: Vec<Weak<Inner>>,
    /// Each gets the reason once.
    listeners: Vec<Sender<StopReason>>,
}

impl Stop {
    pub fn new() -> Self {
        Self::default()
    }

    /// The signal that plugins poll.
    pub fn signal(&self) -> &StopSignal {
        &self.0.signal
    }

    pub fn reason(&self) -> Option<StopReason> {
        self.0.signal.reason()
    }

    /// Ends this part and its parts. The first reason stays.
    pub fn stop(&self, reason: StopReason) {
        self.0.stop(reason);
    }

    /// A part that ends with this one, and may end before it.
    pub fn child(&self) -> Stop {
        self.child_with(StopSignal::new())
    }

    /// The same with a signal that was used before: an actor that comes back keeps its signal, which is renewed here.
    pub fn child_with(&self, signal: StopSignal) -> Stop {
        signal.renew();
        let child = Stop(Arc::new(Inner { signal, dependents: Mutex::default() }));
        let mut dependents = self.0.dependents();
        match self.reason() {
            Some(reason) => child.stop(reason),
            None => {
                dependents.children.retain(|child| child.strong_count() > 0);
                dependents.children.push(Arc::downgrade(&child.0));
            }
        }
        child
    }

    /// Receives the reason when this part is stopped.
    pub fn stopped(&self) -> Receiver<StopReason> {
        let (sender, receiver) = bounded(1);
        let mut dependents = self.0.dependents();
        match self.reason() {
            Some(reason) => {
                // The channel has room for one.
                let _ = sender.try_send(reason);
            }
            None => dependents.listeners.push(sender),
        }
        receiver
    }

    /// Stops this part at a time, unless the alarm is dropped before. An error means that no thread can be started for
    /// it.
    pub fn at(&self, deadline: Instant) -> Result<Alarm, String> {
        let timer = timer().as_ref().map_err(Clone::clone)?;
        Ok(timer.add(deadline, Arc::downgrade(&self.0)))
    }

    /// The same after a time. There is no alarm if the clock cannot represent that moment.
    pub fn after(&self, time: Duration) -> Result<Option<Alarm>, String> {
        Instant::now().checked_add(time).map(|deadline| self.at(deadline)).transpose()
    }
}

impl Inner {
    fn dependents(&self) -> MutexGuard<'_, Dependents> {
        self.dependents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self, reason: StopReason) {
        let Dependents { children, listeners } = {
            let mut dependents = self.dependents();
            self.signal.stop(reason);
            std::mem::take(&mut *dependents)
        };
        for listener in listeners {
            // A full channel has a reason already.
            let _ = listener.try_send(reason);
        }
        children.iter().filter_map(Weak::upgrade).for_each(|child| child.stop(reason));
    }
}

/// The alarm of a part; dropping it cancels the alarm.
pub struct Alarm {
    timer: &'static Timer,
    key: (Instant, u64),
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.timer.alarms().waiting.remove(&self.key);
    }
}

#[derive(Default)]
struct Timer {
    alarms: Mutex<Alarms>,
    changed: Condvar,
}

#[derive(Default)]
struct Alarms {
    /// By time, and by a number for those of the same time.
    waiting: BTreeMap<(Instant, u64), Weak<Inner>>,
    next: u64,
}

/// The process has one, with one thread that lives as long as the process.
fn timer() -> &'static Result<&'static Timer, String> {
    static TIMER: OnceLock<Result<&'static Timer, String>> = OnceLock::new();
    TIMER.get_or_init(|| {
        let timer: &'static Timer = Box::leak(Box::default());
        let started = thread::Builder::new().name("timer".into()).spawn(|| timer.serve());
        started.map(|_| timer).map_err(|error| format!("no thread could be started to watch a time limit: {error}"))
    })
}

impl Timer {
    fn alarms(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&'static self, deadline: Instant, part: Weak<Inner>) -> Alarm {
        let mut alarms = self.alarms();
        alarms.next += 1;
        let key = (deadline, alarms.next);
        alarms.waiting.insert(key, part);
        self.changed.notify_one();
        Alarm { timer: self, key }
    }

    fn serve(&self) {
        let mut alarms = self.alarms();
        loop {
            let now = Instant::now();
            let first = alarms.waiting.first_key_value().map(|(key, _)| *key);
            alarms = match first {
                Some(key) if key.0 <= now => {
                    let due = alarms.waiting.remove(&key);
                    drop(alarms);
                    if let Some(part) = due.and_then(|part| part.upgrade()) {
                        part.stop(StopReason::OutOfTime);
                    }
                    self.alarms()
                }
                Some((deadline, _)) => {
                    let waited = self.changed.wait_timeout(alarms, deadline - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(alarms).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_with_the_whole_and_not_the_other_way_round() {
        let whole = Stop::new();
        let (part, other) = (whole.child(), whole.child());
        let inner = part.child();
        part.stop(StopReason::OutOfTime);
        assert_eq!((inner.reason(), other.reason(), whole.reason()), (Some(StopReason::OutOfTime), None, None));
        whole.stop(StopReason::Cancelled);
        assert_eq!((inner.reason(), other.reason()), (Some(StopReason::OutOfTime), Some(StopReason::Cancelled)));
        assert_eq!(whole.child().reason(), Some(StopReason::Cancelled), "one that comes late is stopped at once");
    }

    #[test]
    fn a_signal_is_renewed_for_the_next_run() {
        let (whole, signal) = (Stop::new(), StopSignal::new());
        let first = whole.child_with(signal.clone());
        first.stop(StopReason::OutOfTime);
        let second = whole.child_with(signal.clone());
        assert_eq!(signal.reason(), None);
        whole.stop(StopReason::OutOfMemory);
        assert!(second.signal().same(&signal));
        assert_eq!(signal.reason(), Some(StopReason::OutOfMemory));
    }

    #[test]
    fn listeners_get_the_reason() {
        let stop = Stop::new();
        let early = stop.stopped();
        stop.stop(StopReason::OutOfMemory);
        assert_eq!(early.recv(), Ok(StopReason::OutOfMemory));
        assert_eq!(stop.stopped().try_recv(), Ok(StopReason::OutOfMemory));
    }

    #[test]
    fn the_timer_stops_what_is_out_of_time_and_nothing_else() {
        let [late, dropped, soon] = [(); 3].map(|()| Stop::new());
        let far = Duration::from_secs(3600);
        let _late = late.after(far).unwrap();
        drop(dropped.after(Duration::from_millis(1)).unwrap());
        let _soon = soon.after(Duration::from_millis(2)).unwrap();
        assert_eq!(soon.stopped().recv(), Ok(StopReason::OutOfTime));
        assert_eq!((late.reason(), dropped.reason()), (None, None));
        assert!(late.after(Duration::MAX).unwrap().is_none());
    }
}
