//! An external tool as an actor: an adapter says what to run and reads the results; the host runs it in a directory of
//! its own, under limits on its whole tree of processes, never through a shell. A verdict of the tool is a claim.

use super::config::PluginUse;
use super::live_actor::plugin;
use super::run::Composition;
use crate::cpa::grounds;
use crate::process::{self, Cancel, Ended, Finished, Job, Limits, Stopped};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tandem_plugin_api::adapter::{Invocation, ToolCommand, ToolExit, ToolFile, ToolRun};
use tandem_plugin_api::artifact::Outcome;
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::service::Host;
use tandem_plugin_api::task::Inputs;

/// The most bytes that are read of a tool's output, or of a file.
const MOST_BYTES: u64 = 64 << 20;
/// Files of a directory that is collected.
const MOST_FILES: usize = 10_000;
/// Processes of a tool at a time; a fork bomb has more.
const PROCESSES: u64 = 1024;
/// Reading the results takes time as well: a twentieth of the whole, but no more than this.
const LONGEST_RESERVE: Duration = Duration::from_secs(2);
const POLL: Duration = Duration::from_millis(5);

pub fn run(adapter: &PluginUse, composition: &Composition, inputs: &Inputs, host: &Host) -> Result<Outcome, String> {
    let name = &adapter.plugin;
    let failed = |error: &dyn std::fmt::Display| format!("adapter `{name}` failed: {error}");
    let mut instance = plugin(&composition.registry, PluginKind::Adapter, adapter)?
        .worker(&composition.task, &adapter.options, host)
        .map_err(|error| format!("adapter `{name}` cannot start: {error}"))?;
    let invocation = instance.prepare(inputs, host).map_err(|error| failed(&error))?;
    let directory = process::Scratch::new("tandem-tool-").map_err(|error| failed(&error))?;
    let tool = Tool { invocation: &invocation, directory: directory.path(), memory: composition.memory };
    let ran = tool.run(host).map_err(|error| failed(&error))?;
    let mut outcome = instance.interpret(&ran, host).map_err(|error| failed(&error))?;
    instance.health().map_err(|error| failed(&error))?;
    // The edges that a tool passes are not known, so everything that the graph reaches counts.
    outcome.soundness.absorb(&grounds(composition.task.task(), None));
    outcome.statistic("seconds of the tool", format!("{:.2}", ran.wall_time.as_secs_f64()));
    if outcome.verdict.is_true() || outcome.gia.is_some() {
        // An adapter that runs several tools says which one.
        if outcome.soundness.claims().next().is_none() {
            outcome.soundness.claim(format!("{} by `{name}`", outcome.verdict.name()));
        }
    }
    Ok(outcome)
}

struct Tool<'a> {
    invocation: &'a Invocation,
    directory: &'a Path,
    memory: Option<u64>,
}

impl Tool<'_> {
    fn run(&self, host: &Host) -> io::Result<ToolRun> {
        let work = self.directory.join("work");
        fs::create_dir(&work)?;
        for file in &self.invocation.files {
            let path = inside(&work, &file.path)?;
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, &file.content)?;
        }
        let (cancel, ended) = (Cancel::default(), Arc::new(AtomicBool::new(false)));
        let watcher = self.watch(host, &cancel, &ended)?;
        let run = self.commands(&work, host, &cancel);
        ended.store(true, Ordering::Relaxed);
        // The thread only waits.
        let _ = watcher.join();
        let mut run = run?;
        run.files = collect(&work, &self.invocation.collect)?;
        Ok(run)
    }

    /// Runs the commands before the tool, and the tool; the last result is that of the first command that fails, if one
    /// does.
    fn commands(&self, work: &Path, host: &Host, cancel: &Cancel) -> io::Result<ToolRun> {
        let mut before = Vec::new();
        for ToolCommand { program, arguments } in &self.invocation.before {
            let run = self.command(program, arguments, &[], work, host, cancel)?;
            if run.exit != ToolExit::Code(0) {
                return Ok(ToolRun { before, ..run });
            }
            before.push(run.standard_output);
        }
        let Invocation { program, arguments, standard_input, .. } = self.invocation;
        let run = self.command(program, arguments, standard_input, work, host, cancel)?;
        Ok(ToolRun { before, ..run })
    }

    fn command(
        &self,
        program: &str,
        arguments: &[String],
        input: &[u8],
        work: &Path,
        host: &Host,
        cancel: &Cancel,
    ) -> io::Result<ToolRun> {
        let job = self.job(program, arguments, input, work, host)?;
        let mut run = match process::run(&job, cancel) {
            Ok(finished) => as_run(&finished),
            Err(problem) => ToolRun::of(ToolExit::NotStarted(problem.message)),
        };
        run.standard_output = fs::read(&job.stdout).unwrap_or_default();
        run.standard_error = fs::read(&job.stderr).unwrap_or_default();
        Ok(run)
    }

    fn job(&self, program: &str, arguments: &[String], input: &[u8], work: &Path, host: &Host) -> io::Result<Job> {
        let mut job = Job::new(program, self.directory.join("stdout"), self.directory.join("stderr"));
        job.arguments = arguments.iter().map(Into::into).collect();
        job.directory = Some(work.to_path_buf());
        job.output_cap = MOST_BYTES;
        job.name = process::fresh_name("tool");
        let file = self.directory.join("stdin");
        fs::write(&file, input)?;
        job.stdin = Some(file);
        // The tool does not get the user's environment, except for the path to programs.
        let path = std::env::var_os("PATH").unwrap_or_default();
        job.only_environment = true;
        job.environment = vec![
            ("PATH".into(), path),
            ("HOME".into(), work.into()),
            ("TMPDIR".into(), work.into()),
            ("LC_ALL".into(), "C.UTF-8".into()),
        ];
        let own = self.invocation.environment.iter().map(|(name, value)| (name.into(), value.into()));
        job.environment.extend(own);
        let time = host.budget().time.map(|time| time.saturating_sub((time / 20).min(LONGEST_RESERVE)));
        let memory = Some(self.memory.unwrap_or_else(process::half_of_all_memory));
        job.limits = Limits { wall: time, memory, processes: Some(PROCESSES), ..Limits::default() };
        Ok(job)
    }

    /// Ends the tool when the actor is stopped.
    fn watch(&self, host: &Host, cancel: &Cancel, ended: &Arc<AtomicBool>) -> io::Result<thread::JoinHandle<()>> {
        let (stop, cancel, ended) = (host.stop_signal().clone(), cancel.clone(), ended.clone());
        thread::Builder::new().name("tool, limits".into()).spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                if stop.reason().is_some() {
                    return cancel.cancel();
                }
                thread::sleep(POLL);
            }
        })
    }
}

fn as_run(finished: &Finished) -> ToolRun {
    let exit = match (finished.stopped, finished.ended) {
        (Some(Stopped::Wall | Stopped::Cpu), _) => ToolExit::OutOfTime,
        (Some(Stopped::Memory), _) => ToolExit::OutOfMemory,
        (Some(Stopped::Processes | Stopped::Cancelled), _) => ToolExit::Cancelled,
        (None, Ended::Exited(code)) => ToolExit::Code(code),
        (None, Ended::Signalled(signal)) => ToolExit::Signal(signal),
    };
    ToolRun { wall_time: finished.wall, cpu_time: finished.cpu, ..ToolRun::of(exit) }
}

/// The path in the tool's directory; an error outside of it.
fn inside(directory: &Path, path: &str) -> io::Result<PathBuf> {
    let path = Path::new(path);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain || path.as_os_str().is_empty() {
        return Err(io::Error::other(format!("the path `{}` leaves the tool's directory", path.display())));
    }
    Ok(directory.join(path))
}

/// The files that are asked for, those of directories in the order of their names. Anything but plain files is left
/// out.
fn collect(work: &Path, wanted: &[String]) -> io::Result<Vec<ToolFile>> {
    let mut found = Vec::new();
    let mut left = MOST_BYTES;
    let mut open: Vec<PathBuf> = wanted.iter().rev().map(|path| inside(work, path)).collect::<io::Result<_>>()?;
    while let Some(path) = open.pop() {
        let Ok(kind) = fs::symlink_metadata(&path) else { continue };
        if kind.is_dir() {
            let mut inner: Vec<PathBuf> = fs::read_dir(&path)?.flatten().map(|entry| entry.path()).collect();
            inner.sort_by(|one, other| other.cmp(one));
            open.extend(inner);
        } else if kind.is_file() && kind.len() <= left && found.len() < MOST_FILES {
            left -= kind.len();
            let name = path.strip_prefix(work).unwrap_or(&path);
            found.push(ToolFile { path: name.to_string_lossy().into_owned(), content: fs::read(&path)? });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation(script: &str) -> Invocation {
        Invocation::new("sh").argument("-c").argument(script)
    }

    fn run(invocation: &Invocation) -> io::Result<ToolRun> {
        let directory = tempfile::tempdir()?;
        Tool { invocation, directory: directory.path(), memory: None }.run(&Host::silent())
    }

    #[test]
    fn a_tool_gets_its_files_and_gives_others_back() {
        let script = "cat given/a.txt; cat; echo oops >&2; mkdir out; echo two > out/2; echo one > out/1; ln -s /etc/passwd out/3; exit 3";
        let mut invocation = invocation(script).file("given/a.txt", "from a file\n").collect("out").collect("missing");
        invocation.standard_input = b"from a pipe".to_vec();
        let run = run(&invocation).unwrap();
        assert_eq!(run.exit, ToolExit::Code(3));
        assert_eq!(run.standard_output, b"from a file\nfrom a pipe");
        assert_eq!(run.standard_error, b"oops\n");
        let files: Vec<_> = run.files.iter().map(|file| (&*file.path, &file.content[..])).collect();
        assert_eq!(files, [("out/1", &b"one\n"[..]), ("out/2", &b"two\n"[..])]);
    }

    #[test]
    fn commands_before_the_tool_come_first_and_may_fail() {
        let good = invocation("cat made").before("sh", &["-c", "echo made > made; echo told"]);
        let good = run(&good).unwrap();
        assert_eq!((good.before, good.standard_output), (vec![b"told\n".to_vec()], b"made\n".to_vec()));
        let bad = invocation("echo never").before("sh", &["-c", "echo why >&2; exit 7"]);
        let bad = run(&bad).unwrap();
        assert_eq!(
            (bad.exit, bad.standard_error, bad.standard_output),
            (ToolExit::Code(7), b"why\n".to_vec(), Vec::new())
        );
    }

    #[test]
    fn a_tool_that_is_not_there_was_not_started() {
        let run = run(&Invocation::new("no-such-tool-as-this")).unwrap();
        assert!(matches!(run.exit, ToolExit::NotStarted(why) if why.contains("cannot be started")));
    }

    #[test]
    fn paths_stay_inside() {
        for path in ["../up", "/etc/passwd", "", "a/../../b"] {
            assert!(inside(Path::new("/tmp/x"), path).is_err(), "{path}");
        }
        assert!(run(&invocation("true").file("../x", "")).is_err());
        assert!(run(&invocation("true").collect("/etc")).is_err());
    }

    #[test]
    fn the_users_environment_stays_outside() {
        let run = run(&invocation("env")).unwrap();
        let text = String::from_utf8(run.standard_output).unwrap();
        assert!(text.contains("HOME=") && !text.contains("CARGO"), "{text}");
    }
}
