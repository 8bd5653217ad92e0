//! The other side of the connection: a process that runs plugins for the process that started it, with a solver and
//! executions of its own.

use super::ASKED;
use super::protocol::{Answer, FromWorker, Job, Lost, ToWorker, Work, receive, receive_bytes, send};
use crate::compose::config::{Actor, Isolation, PluginUse};
use crate::compose::live_actor::{LiveActor, plugin};
use crate::compose::parts::reduce::reduce;
use crate::compose::run::Composition;
use crate::compose::services::{self, Events};
use crate::compose::stop::Stop;
use crate::compose::turn::Turn;
use crate::plugins::{Registry, load_plugin};
use crate::process;
use crate::services::HostServices;
use rustix::stdio::{dup2_stdin, dup2_stdout};
use std::fs::File;
use std::io::{self, BufReader};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::Bound;
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::service::{Artifact, Host, LogLevel, Progress};
use tandem_plugin_api::task::Inputs;

/// Engines recurse over programs; only what is used is ever backed by memory.
const STACK: usize = 64 << 20;
/// The name of other actors in this process.
const OTHERS: &str = "the other actors";

/// Whether this process was started to run plugins for another one.
pub fn is_asked() -> bool {
    process::is_asked(ASKED)
}

/// Runs the job of the other side, and answers. The error goes to standard error, since it cannot be sent.
pub fn serve() -> Result<(), String> {
    let (input, output) = take_pipes().map_err(|error| format!("the pipes cannot be used: {error}"))?;
    let mut input = BufReader::new(input);
    let lost = |_: Lost| "no job was received".to_string();
    let job: Job = receive(&mut input).map_err(lost)?;
    let program = receive_bytes(&mut input).map_err(lost)?;
    let output = Arc::new(Output(Mutex::new(output)));
    let out = output.clone();
    let work = move || {
        let answer = prepare(job, &program, &output).and_then(|ready| {
            let (composition, stop) = (ready.composition.clone(), ready.turn.stop.clone());
            let listening =
                thread::Builder::new().name("listens".into()).spawn(move || listen(input, &composition, &stop));
            listening.map_err(|error| format!("no thread could be started: {error}"))?;
            ready.run()
        });
        FromWorker::Done(answer)
    };
    let thread = thread::Builder::new().name("isolated actor".into()).stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| format!("no thread could be started: {error}"))?;
    let done = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    out.send(&done).map_err(|error| format!("the answer cannot be sent: {error}"))
}

/// The pipes to the other side, under numbers of their own: what plugins print must not get between the messages.
fn take_pipes() -> io::Result<(File, File)> {
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(io::stderr())?;
    Ok((input, output))
}

/// Follows messages of the other side; ends this process when the other side is gone.
fn listen(mut input: BufReader<File>, composition: &Composition, stop: &Stop) {
    loop {
        match receive(&mut input) {
            Ok(ToWorker::Stop(reason)) => stop.stop(reason),
            Ok(ToWorker::Incoming(artifact)) => composition.exchange.publish(OTHERS, &artifact),
            Err(_) => process::leave(1),
        }
    }
}

/// All that a job needs.
struct Ready {
    composition: Arc<Composition>,
    turn: Turn,
    work: Work,
}

fn prepare(job: Job, program: &[u8], output: &Arc<Output>) -> Result<Ready, String> {
    let program = SharedProgram::decode(program).map_err(|error| error.to_string())?;
    let plugins: Result<Vec<_>, _> = job.files.iter().map(|file| load_plugin(file)).collect();
    let registry = Registry::of(plugins.map_err(|refusal| refusal.to_string())?);
    let task = SharedTask::new(&program, job.property);
    let events = Arc::new(Forward(output.clone()));
    let deadline = job.time.and_then(|time| Instant::now().checked_add(time));
    let composition = Composition::of_plugins(&task, registry, events, job.memory);
    Ok(Ready { composition, turn: Turn::whole(Stop::new(), deadline), work: job.work })
}

impl Ready {
    fn run(&self) -> Result<Answer, String> {
        match &self.work {
            Work::Actor { actor, inputs } => self.actor(actor, inputs),
            Work::Reduce { reducer, known } => {
                let services = self.services(&reducer.plugin);
                let _own = services::begin(&services, &self.turn);
                let residual = reduce(&self.composition, reducer, known, &Host::new(services))?;
                Ok(Answer::Residual(Box::new(residual)))
            }
            Work::Split { splitter, inputs, parts } => Ok(Answer::Bounds(self.split(splitter, inputs, *parts)?)),
        }
    }

    fn services(&self, name: &str) -> Arc<HostServices> {
        services::for_actor(name, &self.composition)
    }

    fn actor(&self, actor: &Actor, inputs: &Inputs) -> Result<Answer, String> {
        // The work is already in a process of its own.
        let actor = Actor { isolation: Isolation::Thread, ..actor.clone() };
        let mut live = LiveActor::new(&self.composition, &actor);
        let _own = live.begin(&self.turn);
        let outcome = live.run(inputs, |_| {})?;
        Ok(Answer::Outcome(Box::new(outcome), live.notes()))
    }

    fn split(&self, splitter: &PluginUse, inputs: &Inputs, parts: u32) -> Result<Vec<Bound>, String> {
        let Composition { registry, task, .. } = &*self.composition;
        let services = self.services(&splitter.plugin);
        let _own = services::begin(&services, &self.turn);
        let host = Host::new(services);
        let found = plugin(registry, PluginKind::Splitter, splitter)?;
        let mut instance = found.worker(task, &splitter.options, &host).map_err(|error| error.to_string())?;
        let bounds = instance.split(inputs, parts, &host).map_err(|error| error.to_string())?;
        instance.health().map_err(|error| error.to_string())?;
        Ok(bounds)
    }
}

struct Output(Mutex<File>);

impl Output {
    fn send(&self, message: &FromWorker) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        send(&mut *file, message)
    }
}

/// Sends what actors publish while they run to the other side. If that is gone, this process ends soon.
struct Forward(Arc<Output>);

impl Events for Forward {
    fn log(&self, _: &str, level: LogLevel, message: &str) {
        let _ = self.0.send(&FromWorker::Log(level, message.to_string()));
    }

    fn progress(&self, _: &str, progress: &Progress) {
        let _ = self.0.send(&FromWorker::Progress(progress.clone()));
    }

    fn published(&self, _: &str, artifact: &Artifact) {
        let _ = self.0.send(&FromWorker::Published(artifact.clone()));
    }
}
