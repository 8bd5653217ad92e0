//! The C programs that tests and measurements run on: the SV-COMP tasks of `../shared`, and our own in `programs/`.

use std::path::{Path, PathBuf};
use tandem_plugin_api::program::DataModel;

#[derive(Clone, Debug)]
pub struct Task {
    pub category: String,
    /// The task's name in lists and messages.
    pub name: String,
    pub source: PathBuf,
    pub model: DataModel,
    pub bytes: u64,
}

/// The directory with the benchmark tasks: `TANDEM_SHARED`, or `../shared` beside the workspace.
pub fn shared_directory() -> Option<PathBuf> {
    let directory = match std::env::var_os("TANDEM_SHARED") {
        Some(path) => PathBuf::from(path),
        None => workspace().join("../shared"),
    };
    directory.join("sv-benchmarks").is_dir().then_some(directory)
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All tasks of `sv-benchmarks/tasks.csv`, in the order of the list.
pub fn benchmark_tasks() -> Result<Vec<Task>, String> {
    let Some(shared) = shared_directory() else {
        return Err("the benchmark tasks are not there: put them into ../shared/sv-benchmarks, or set TANDEM_SHARED \
                    to the directory that holds sv-benchmarks"
            .into());
    };
    let root = shared.join("sv-benchmarks");
    let list = root.join("tasks.csv");
    let text = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let column =
        |name: &str| header.iter().position(|&h| h == name).ok_or(format!("{}: no column `{name}`", list.display()));
    let columns = [column("category")?, column("task")?, column("input")?, column("data_model")?, column("bytes")?];
    let mut tasks = Vec::new();
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let cells: Vec<&str> = line.split(',').collect();
        let [category, name, input, model, bytes] = columns.map(|at| cells.get(at).copied().unwrap_or(""));
        let model = match model {
            "ILP32" => DataModel::Ilp32,
            "LP64" => DataModel::Lp64,
            other => return Err(format!("{}:{}: unknown data model `{other}`", list.display(), number + 2)),
        };
        tasks.push(Task {
            category: category.into(),
            name: name.into(),
            source: root.join(input),
            model,
            bytes: bytes.parse().unwrap_or(0),
        });
    }
    Ok(tasks)
}

/// Our own programs, each for both data models.
pub fn own_programs() -> Result<Vec<Task>, String> {
    own_programs_about("")
}

/// Those of one folder of `programs/`.
pub fn own_programs_about(topic: &str) -> Result<Vec<Task>, String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(topic);
    let entries = std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut sources: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort();
    let mut tasks = Vec::new();
    for source in sources {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let stem = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
            tasks.push(Task {
                category: "own".into(),
                name: Path::new("programs")
                    .join(topic)
                    .join(format!("{stem} ({})", model.name()))
                    .display()
                    .to_string(),
                source: source.clone(),
                model,
                bytes: std::fs::metadata(&source).map_or(0, |m| m.len()),
            });
        }
    }
    Ok(tasks)
}

/// Runs `work` on every item by `jobs` threads; the results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results: Vec<std::sync::Mutex<Option<R>>> = items.iter().map(|_| std::sync::Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(item);
                    if let Ok(mut slot) = results[at].lock() {
                        *slot = Some(result);
                    }
                }
            });
        }
    });
    results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect()
}
