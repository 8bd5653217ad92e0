//! Runs what a plan still has to run: a worker per job, each on cores of its own, each run a child process of the same binary.

use super::folder::{Done, Folder};
use super::plan::{Plan, PlannedRun, REPORT, arguments};
use super::result::{Answer, RunResult, answer};
use crate::diagnostic::Diagnostic;
use crate::process::{self, Cancel, Job, Stopped};
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The most bytes of a verdict document.
const LONGEST_DOCUMENT: u64 = 8 << 20;

/// Gets the results of runs as they end.
pub trait Events: Sync {
    fn finished(&self, result: &RunResult);
}

pub struct Executor<'a> {
    pub plan: &'a Plan,
    pub folder: &'a Folder,
    /// The binary that verifies.
    pub tandem: PathBuf,
    /// Options of every run, such as `--plugin-dir`.
    pub common: Vec<OsString>,
    /// One set of cores per job.
    pub cores: Vec<Vec<usize>>,
    pub cancel: Cancel,
}

impl Executor<'_> {
    /// Executes the runs that have no result yet, and adds their results to `done`. Ends early when it is cancelled.
    pub fn run(&self, done: &mut Done, events: &dyn Events) -> Result<(), Diagnostic> {
        let open: Vec<&PlannedRun> = self.plan.runs.iter().filter(|run| !done.contains_key(&run.key)).collect();
        let next = AtomicUsize::new(0);
        let finished = Mutex::new(Vec::new());
        let failure = Mutex::new(None);
        thread::scope(|scope| {
            for cores in &self.cores {
                let (open, next, finished, failure) = (&open, &next, &finished, &failure);
                scope.spawn(move || {
                    while !self.cancel.is_cancelled() {
                        let Some(run) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        match self.one(run, cores) {
                            Ok(Some(result)) => {
                                events.finished(&result);
                                finished.lock().unwrap_or_else(PoisonError::into_inner).push(result);
                            }
                            Ok(None) => {}
                            Err(problem) => {
                                // A disk that is full fails every run: the experiment ends, and can be resumed.
                                self.cancel.cancel();
                                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(problem);
                            }
                        }
                    }
                });
            }
        });
        let finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.extend(finished.into_iter().map(|result| (result.key.clone(), result)));
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// One run, recorded; `None` if it was interrupted.
    fn one(&self, run: &PlannedRun, cores: &[usize]) -> Result<Option<RunResult>, Diagnostic> {
        let (Some(config), Some(task)) = (self.plan.config(run), self.plan.task(run)) else { return Ok(None) };
        let place = self.folder.path.join(&run.folder);
        prepare(&place)?;
        let definition = &self.plan.definition;
        let mut job = Job::new(&self.tandem, place.join("result.json"), place.join("log.txt"));
        job.arguments = self.common.clone();
        job.arguments.extend(arguments(&definition.limits, config, task, definition.report, &place.join("output")));
        job.output_cap = LONGEST_DOCUMENT;
        job.limits = definition.limits.of_processes();
        job.cores = cores.to_vec();
        job.name = format!("{}{}", self.folder.id(), run.key);
        // Files that a killed run leaves in there are removed with it, or at the next start of the experiment.
        let scratch = scratch(&place)?;
        job.environment.push(("TMPDIR".into(), scratch.clone().into()));
        let ran = process::run(&job, &self.cancel);
        // A folder that cannot be removed does no harm.
        let _ = fs::remove_dir_all(&scratch);
        let mut result = match ran {
            Ok(finished) if finished.stopped == Some(Stopped::Cancelled) => return Ok(None),
            Ok(finished) => {
                let (stdout, stderr) = (text_of(&job.stdout), text_of(&job.stderr));
                let said = answer(&finished, &definition.limits, &stdout, &stderr);
                RunResult::new(&run.key, &config.label, task, said).took(&finished)
            }
            Err(problem) => RunResult::new(&run.key, &config.label, task, (Answer::Error, problem.message)),
        };
        result.cores = cores.to_vec();
        result.folder = run.folder.clone();
        result.report = place.join("output").join(REPORT).is_file();
        self.folder.record(&result)?;
        Ok(Some(result))
    }
}

/// Makes the folder for a run's temporary files.
fn scratch(place: &Path) -> Result<PathBuf, Diagnostic> {
    let path = place.join("tmp");
    // Tools work in folders of their own.
    fs::create_dir(&path).and_then(|()| path.canonicalize()).map_err(|error| {
        Diagnostic::new(format!("the folder of a run cannot be made: {error}")).in_file(path.display().to_string())
    })
}

/// Makes an empty folder; files of an interrupted run are removed.
fn prepare(place: &Path) -> Result<(), Diagnostic> {
    let failed = |error: std::io::Error| {
        Diagnostic::new(format!("the folder of a run cannot be made: {error}")).in_file(place.display().to_string())
    };
    if place.exists() {
        fs::remove_dir_all(place).map_err(failed)?;
    }
    fs::create_dir_all(place).map_err(failed)
}

/// The text of an output file; broken characters are replaced.
fn text_of(path: &Path) -> String {
    let mut bytes = Vec::new();
    // If the file is missing, the run is an error already.
    let _ = fs::File::open(path).map(|file| file.take(LONGEST_DOCUMENT).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}
