//! Plugins in a process of their own, which is this executable started again: a crash, a hang or a runaway allocation
//! costs their result, and nothing else. The solver and the execution of programs run in that process, too; everything
//! exchanged is serialised.

mod conversation;
mod failure;
mod protocol;
mod serve;

pub use protocol::{Answer, Work};
pub use serve::{is_asked, serve};

use super::run::Composition;
use crate::plugins::Registry;
use crate::process::{self, Limits};
use conversation::Conversation;
use protocol::Job;
use std::path::{Path, PathBuf};
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::service::Host;

/// The one argument that makes this executable run plugins for another process. It is not for users, hence in no help
/// text.
const ASKED: &str = "--run-plugins-apart";
/// Processes and threads of one actor at a time; a fork bomb has more.
const PROCESSES: u64 = 512;

/// Does the work in a process of its own. The error says how that process failed, or is the plugin's error.
pub fn call(composition: &Composition, work: Work, memory: Option<u64>, host: &Host) -> Result<Answer, String> {
    let executable = process::own_executable().ok_or("this executable cannot be started again for it")?;
    let memory = memory.or(composition.memory);
    call_by(executable, &composition.registry, &composition.task, work, memory, host)
}

/// The same with another `tandem` executable.
pub fn call_by(
    executable: &Path,
    registry: &Registry,
    task: &SharedTask,
    work: Work,
    memory: Option<u64>,
    host: &Host,
) -> Result<Answer, String> {
    let mut files: Vec<PathBuf> = Vec::new();
    for wanted in work.plugins() {
        let plugin = registry.named(&wanted.plugin).ok_or_else(|| format!("there is no plugin `{}`", wanted.plugin))?;
        files.push(plugin.file.clone());
    }
    let property = task.task().property.clone();
    let job = Job { files, property, work, time: host.budget().time, memory };
    let mut process = process::Job::new(executable, "", "");
    process.arguments.push(ASKED.into());
    process.name = process::fresh_name("actor");
    // Files that a killed process leaves in there are removed with it.
    let scratch = process::Scratch::new("tandem-actor-").map_err(|error| error.to_string())?;
    process.environment.push(("TMPDIR".into(), scratch.path().into()));
    process.limits = Limits {
        memory: Some(memory.unwrap_or_else(process::half_of_all_memory)),
        processes: Some(PROCESSES),
        ..Limits::default()
    };
    let program = task.shared_program().bytes().map_err(|error| error.to_string())?;
    Conversation::begin(&process, &job, program, host)?.answer(host)
}
