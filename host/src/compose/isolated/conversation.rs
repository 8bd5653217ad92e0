//! This side of the connection with the process of an isolated plugin: passes on its messages, stops it, and never
//! waits for it longer than its time.

use super::failure;
use super::protocol::{Answer, FromWorker, Job, Lost, ToWorker, receive, send, send_bytes};
use crate::process::{self, Connected, Pipes, Stopped};
use std::io::{BufReader, BufWriter, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::service::Host;

/// How often limits and artifacts of other actors are checked.
const TICK: Duration = Duration::from_millis(5);
/// How long it may take to stop once it was asked to.
const GRACE: Duration = Duration::from_millis(300);
/// Messages that wait to be passed on; if there are more, the plugin must wait.
const BACKLOG: usize = 256;
/// How much of its standard error is kept.
const TOLD: usize = 4 << 10;

pub struct Conversation {
    connected: Connected,
    messages: Receiver<Result<FromWorker, Lost>>,
    outgoing: Sender<ToWorker>,
    told: Arc<Mutex<Vec<u8>>>,
    memory: Option<u64>,
}

impl Conversation {
    pub fn begin(process: &process::Job, job: &Job, program: &[u8], host: &Host) -> Result<Self, String> {
        let started = Connected::start(process);
        let (connected, pipes) = started.map_err(|error| format!("its process cannot be started: {error}"))?;
        let Pipes { input, output, errors } = pipes;
        let (sender, messages) = sync_channel(BACKLOG);
        let (outgoing, to_send) = channel::<ToWorker>();
        let told = Arc::new(Mutex::new(Vec::new()));
        // A pipe may be full for ever, so threads serve the pipes, which end with the process.
        let read = move || {
            let mut output = BufReader::new(output);
            loop {
                let message = receive(&mut output);
                let is_last = message.is_err();
                if sender.send(message).is_err() || is_last {
                    break;
                }
            }
        };
        let first = postcard::to_stdvec(job).map_err(|error| error.to_string())?;
        let program = program.to_vec();
        let write = move || -> std::io::Result<()> {
            let mut input = BufWriter::new(input);
            send_bytes(&mut input, &first)?;
            send_bytes(&mut input, &program)?;
            to_send.iter().try_for_each(|message| send(&mut input, &message))
        };
        let kept = told.clone();
        spawn("isolated, reads", read)?;
        // A process that does not listen any more is noticed since its messages stop.
        spawn("isolated, writes", move || drop(write()))?;
        spawn("isolated, errors", move || keep(errors, &kept))?;
        host.debug("runs in a process of its own");
        Ok(Conversation { connected, messages, outgoing, told, memory: process.limits.memory })
    }

    /// Serves the process until it has answered, failed, or run out of time.
    pub fn answer(mut self, host: &Host) -> Result<Answer, String> {
        let mut asked: Option<Instant> = None;
        loop {
            match self.messages.recv_timeout(TICK) {
                Ok(Ok(FromWorker::Done(answer))) => return answer,
                Ok(Ok(other)) => pass_on(other, host),
                Ok(Err(lost)) => return Err(self.lost(lost)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.lost(Lost::Closed)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if asked.is_none()
                && let Some(reason) = host.stopped()
            {
                asked = Some(Instant::now());
                // If the receiver is gone, the deadline ends the wait.
                let _ = self.outgoing.send(ToWorker::Stop(reason));
            }
            if asked.is_some_and(|since| since.elapsed() > GRACE) {
                return Err("it did not stop when it was asked to, and its process was ended".to_string());
            }
            for artifact in host.incoming().unwrap_or_default() {
                let _ = self.outgoing.send(ToWorker::Incoming(artifact));
            }
            if let Some(limit) = self.connected.over_limit() {
                return Err(failure::over_limit(limit, self.memory));
            }
        }
    }

    /// The error for a process that sends no more messages.
    fn lost(mut self, lost: Lost) -> String {
        if let Lost::Garbage(what) = lost {
            return format!("its process sent {what}");
        }
        let ended = self.connected.ends_within(GRACE);
        let over = self.connected.over_limit_now();
        let how = self.connected.end();
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if matches!(over, Some(Stopped::Memory | Stopped::Processes)) {
            failure::over_limit(over.unwrap_or(Stopped::Memory), self.memory)
        } else if ended {
            failure::ended(how, &String::from_utf8_lossy(&told))
        } else {
            "its process closed the connection, and was ended".to_string()
        }
    }
}

fn pass_on(message: FromWorker, host: &Host) {
    match message {
        FromWorker::Log(level, text) => host.log(level, &text),
        FromWorker::Progress(progress) => host.progress(&progress),
        FromWorker::Published(artifact) => {
            if let Err(error) = host.publish(&artifact) {
                host.warn(&format!("what it published is lost: {error}"));
            }
        }
        FromWorker::Done(_) => {}
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let started = thread::Builder::new().name(name.to_string()).spawn(work);
    started.map(drop).map_err(|error| format!("no thread could be started: {error}"))
}

/// Keeps the end of the output.
fn keep(mut from: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1 << 10];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..read]);
        let excess = kept.len().saturating_sub(TOLD);
        kept.drain(..excess);
    }
}
