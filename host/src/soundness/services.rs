//! The host for analyses that are checked: all services are there, but no execution ends at a target, so that a found
//! error does not end the exploration.

use crate::services::{Execute, Executions, HostServices};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use tandem_plugin_api::error::Result;
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions};
use tandem_plugin_api::service::{Services, StopReason, StopSignal};

/// The services for one program, which has this much time.
pub fn for_checks(program: &Arc<Program>, time: Duration) -> HostServices {
    let services = HostServices::of(program).with_execution(WithoutTargets(Executions::of(program)));
    services.set_deadline(Some(Instant::now() + time));
    services
}

struct WithoutTargets(Arc<Executions>);

impl Execute for WithoutTargets {
    fn start(&self, options: &ExecutionOptions, stop: StopSignal) -> Result<Box<dyn Execution>> {
        self.0.start(&ExecutionOptions { targets: Vec::new(), ..options.clone() }, stop)
    }
}

/// Stops all work when the time is up, for as long as the result lives.
pub fn watch(services: &HostServices, time: Duration) -> Watch {
    let (end, ended) = mpsc::channel::<()>();
    let stop = services.stop_signal();
    let wait = move || {
        if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(time) {
            stop.stop(StopReason::OutOfTime);
        }
    };
    // Without a thread there is no limit, and the check takes longer.
    let _ = std::thread::Builder::new().name("time of a check".into()).spawn(wait);
    Watch { _end: end }
}

/// Ends its thread when it is dropped.
pub struct Watch {
    _end: Sender<()>,
}
