//! A cgroup per run, version 1 or 2, below the one of this process: the kernel accounts, limits, and knows all members.
//! Where no cgroup can be made (no rights, no controllers), the caller falls back to `/proc`.

use super::tracker::Sample;
use super::{Limits, Mechanism};
use rustix::process::Pid;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// The prefix of every group that is made here.
const PREFIX: &str = "tandem-";
/// The group into which this process moves, since in version 2 a group with groups inside has no processes.
const OWN: &str = "tandem-self";
/// Names that are tried until one is free.
const NAMES: usize = 1000;
/// How long freezing the processes may take.
const FREEZING: Duration = Duration::from_millis(300);

/// Where groups can be made: the folders of this process's own group.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Base {
    V1 { memory: PathBuf, cpu: PathBuf, pids: Option<PathBuf>, freezer: Option<PathBuf> },
    V2(PathBuf),
}

/// One run's group: the same name in the folder of each controller. What runs in it may make groups inside, and those count as well.
pub struct Group {
    base: Base,
}

fn base() -> Option<&'static Base> {
    static BASE: OnceLock<Option<Base>> = OnceLock::new();
    BASE.get_or_init(|| {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        version_1(&groups, &mounts).filter(Base::is_there).or_else(|| version_2(&groups, &mounts))
    })
    .as_ref()
}

/// The folder of a controller of version 1 for this process.
fn folder(controller: &str, groups: &str, mounts: &str) -> Option<PathBuf> {
    let path = groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        parts.next()?.split(',').any(|name| name == controller).then(|| parts.next())?
    })?;
    mounts.lines().find_map(|line| {
        let (mount, system) = line.split_once(" - ")?;
        let mut system = system.split(' ');
        let is_it = match controller {
            "" => system.next()? == "cgroup2",
            _ => system.next()? == "cgroup" && system.nth(1)?.split(',').any(|option| option == controller),
        };
        let mut mount = mount.split(' ').skip(3);
        let (root, point) = (mount.next()?, mount.next()?);
        let below = path.strip_prefix(root.trim_end_matches('/')).unwrap_or(path);
        is_it.then(|| Path::new(point).join(below.trim_start_matches('/')))
    })
}

fn version_1(groups: &str, mounts: &str) -> Option<Base> {
    let folder = |controller| folder(controller, groups, mounts);
    let (memory, cpu) = (folder("memory")?, folder("cpuacct")?);
    let (pids, freezer) = (folder("pids"), folder("freezer"));
    Some(Base::V1 { memory, cpu, pids, freezer })
}

/// Version 2 gives controllers to groups inside only where the group itself has no processes, except for the root.
/// Where this process is alone in its group, as under `systemd-run --user --scope -p Delegate=yes`, it moves to a group
/// inside.
fn version_2(groups: &str, mounts: &str) -> Option<Base> {
    let own = folder("", groups, mounts)?;
    let there = fs::read_to_string(own.join("cgroup.controllers")).ok()?;
    if !["memory", "pids"].iter().all(|needed| there.split_whitespace().any(|name| name == *needed)) {
        return None;
    }
    let enable = || fs::write(own.join("cgroup.subtree_control"), "+memory +pids").is_ok();
    if !enable() {
        let processes = fs::read_to_string(own.join("cgroup.procs")).ok()?;
        let alone = processes.split_whitespace().eq([std::process::id().to_string().as_str()]);
        let leaf = own.join(OWN);
        if !alone || fs::create_dir(&leaf).is_err() || fs::write(leaf.join("cgroup.procs"), "0").is_err() || !enable() {
            return None;
        }
    }
    Some(Base::V2(own))
}

impl Base {
    fn folders(&self) -> Vec<&PathBuf> {
        match self {
            Base::V1 { memory, cpu, pids, freezer } => [memory, cpu].into_iter().chain(pids).chain(freezer).collect(),
            Base::V2(folder) => vec![folder],
        }
    }

    fn is_there(&self) -> bool {
        self.folders().iter().all(|folder| folder.is_dir())
    }

    /// The same, one folder below each.
    fn below(&self, name: &str) -> Base {
        match self {
            Base::V1 { memory, cpu, pids, freezer } => Base::V1 {
                memory: memory.join(name),
                cpu: cpu.join(name),
                pids: pids.as_ref().map(|folder| folder.join(name)),
                freezer: freezer.as_ref().map(|folder| folder.join(name)),
            },
            Base::V2(folder) => Base::V2(folder.join(name)),
        }
    }
}

/// Groups of runs whose name begins so.
pub fn existing(beginning: &str) -> Vec<Group> {
    let Some(base) = base() else { return Vec::new() };
    let mut names = std::collections::BTreeSet::new();
    for folder in base.folders() {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let found = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.extend(found.filter(|name| name.starts_with(&format!("{PREFIX}{beginning}")) && name != OWN));
    }
    names.iter().map(|name| Group { base: base.below(name) }).collect()
}

impl Group {
    /// Makes a new group. The kernel's counts last as long as a group, so a group that an earlier run left is never
    /// used again.
    pub fn new(name: &str, limits: &Limits) -> Option<Group> {
        let base = base()?;
        let mut names = (0..NAMES).map(|number| base.below(&format!("{PREFIX}{name}.{number}")));
        let group = names.find_map(|base| match make(&base) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
            made => Some(made.map(|()| Group { base })),
        });
        let group = group?.ok()?;
        if group.limit(limits).is_none() {
            group.remove();
            return None;
        }
        Some(group)
    }

    /// All folders of the group, those of groups inside before those that they are in.
    fn all_folders(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.base.folders().into_iter().for_each(|folder| deepest_first(folder, &mut found));
        found
    }

    fn limit(&self, limits: &Limits) -> Option<()> {
        match &self.base {
            Base::V1 { memory, pids, .. } => {
                // The use of groups inside counts here too; newer kernels have no other choice.
                let _ = fs::write(memory.join("memory.use_hierarchy"), "1");
                if let Some(bytes) = limits.memory {
                    fs::write(memory.join("memory.limit_in_bytes"), bytes.to_string()).ok()?;
                    // Swap is counted where the kernel does so.
                    let _ = fs::write(memory.join("memory.memsw.limit_in_bytes"), bytes.to_string());
                }
                if let (Some(most), Some(pids)) = (limits.processes, pids) {
                    fs::write(pids.join("pids.max"), most.to_string()).ok()?;
                }
            }
            Base::V2(folder) => {
                if let Some(bytes) = limits.memory {
                    fs::write(folder.join("memory.max"), bytes.to_string()).ok()?;
                    let _ = fs::write(folder.join("memory.swap.max"), "0");
                    let _ = fs::write(folder.join("memory.oom.group"), "1");
                }
                if let Some(most) = limits.processes {
                    fs::write(folder.join("pids.max"), most.to_string()).ok()?;
                }
            }
        }
        Some(())
    }

    pub fn mechanism(&self) -> Mechanism {
        match &self.base {
            Base::V1 { .. } => Mechanism::CgroupV1,
            Base::V2(_) => Mechanism::CgroupV2,
        }
    }

    pub fn entrances(&self) -> io::Result<Vec<File>> {
        let open = |folder: &PathBuf| OpenOptions::new().write(true).open(folder.join("cgroup.procs"));
        // Co-mounted controllers share a folder: entering it twice does no harm.
        self.base.folders().into_iter().map(open).collect()
    }

    pub fn sample(&self) -> Sample {
        match &self.base {
            Base::V1 { memory, cpu, pids, .. } => Sample {
                cpu: Duration::from_nanos(number(&cpu.join("cpuacct.usage")).unwrap_or(0)),
                memory: number(&memory.join("memory.usage_in_bytes")),
                peak_memory: number(&memory.join("memory.max_usage_in_bytes")),
                processes: pids.as_ref().and_then(|pids| number(&pids.join("pids.current"))),
                out_of_memory: value(&memory.join("memory.oom_control"), "oom_kill").is_some_and(|count| count > 0),
                out_of_processes: pids.as_ref().is_some_and(|pids| refused(&pids.join("pids.events"))),
            },
            Base::V2(folder) => {
                let memory = number(&folder.join("memory.current"));
                Sample {
                    cpu: Duration::from_micros(value(&folder.join("cpu.stat"), "usage_usec").unwrap_or(0)),
                    memory,
                    peak_memory: number(&folder.join("memory.peak")).or(memory),
                    processes: number(&folder.join("pids.current")),
                    out_of_memory: value(&folder.join("memory.events"), "oom_kill").is_some_and(|count| count > 0),
                    out_of_processes: refused(&folder.join("pids.events")),
                }
            }
        }
    }

    /// Members of any of the folders, and of groups inside: a process that left one of the folders by itself is still
    /// found in the others.
    pub fn alive(&self) -> Vec<Pid> {
        let mut members = std::collections::BTreeSet::new();
        for folder in self.all_folders() {
            let text = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
            members.extend(text.split_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
        }
        members.into_iter().filter_map(Pid::from_raw).collect()
    }

    pub fn freeze(&self) -> bool {
        let (file, word, state) = match &self.base {
            Base::V1 { freezer: Some(freezer), .. } => (freezer.join("freezer.state"), "FROZEN", None),
            Base::V1 { freezer: None, .. } => return false,
            Base::V2(folder) => (folder.join("cgroup.freeze"), "1", Some(folder.join("cgroup.events"))),
        };
        if fs::write(&file, word).is_err() {
            return false;
        }
        let frozen = || match &state {
            None => fs::read_to_string(&file).is_ok_and(|text| text.trim() == word),
            Some(events) => value(events, "frozen") == Some(1),
        };
        let deadline = Instant::now() + FREEZING;
        while !frozen() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Also thaws groups inside: a process that froze one may have been killed before it could thaw it.
    pub fn thaw(&self) {
        let (root, file, word) = match &self.base {
            Base::V1 { freezer: Some(freezer), .. } => (freezer, "freezer.state", "THAWED"),
            Base::V1 { freezer: None, .. } => return,
            Base::V2(folder) => (folder, "cgroup.freeze", "0"),
        };
        let mut folders = Vec::new();
        deepest_first(root, &mut folders);
        // If it cannot be written, it could not be frozen either.
        folders.iter().for_each(|folder| drop(fs::write(folder.join(file), word)));
    }

    /// With the groups inside. A group can be removed a moment after its last process has ended.
    pub fn remove(&self) {
        let deadline = Instant::now() + Duration::from_secs(1);
        for folder in self.all_folders() {
            while fs::remove_dir(&folder).is_err() && folder.is_dir() && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(2));
            }
        }
    }
}

/// Makes all folders of a group, or none.
fn make(base: &Base) -> io::Result<()> {
    let mut made: Vec<&PathBuf> = Vec::new();
    for folder in base.folders() {
        // Co-mounted controllers share a folder.
        if made.contains(&folder) {
            continue;
        }
        if let Err(error) = fs::create_dir(folder) {
            made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
            return Err(error);
        }
        made.push(folder);
    }
    Ok(())
}

/// The folders below one, each before the one that it is in, and that one at last.
fn deepest_first(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        deepest_first(&entry.path(), found);
    }
    found.push(folder.to_path_buf());
}

fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The number after a word at the beginning of a line.
fn value(file: &Path, word: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' ')?.trim().parse().ok())
}

/// Whether the limit on processes was hit.
fn refused(events: &Path) -> bool {
    value(events, "max").is_some_and(|count| count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_follow_mounts() {
        let groups = "4:memory:/process/x\n3:cpu,cpuacct:/\n2:pids:/a/b\n0::/user.slice/me\n";
        let mounts = "30 25 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
            31 30 0:27 / /sys/fs/cgroup/memory rw,nosuid shared:9 - cgroup cgroup rw,memory\n\
            32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
            33 30 0:29 /a /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n\
            34 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n";
        let found = version_1(groups, mounts).unwrap();
        let expected = Base::V1 {
            memory: "/sys/fs/cgroup/memory/process/x".into(),
            cpu: "/sys/fs/cgroup/cpu,cpuacct".into(),
            pids: Some("/sys/fs/cgroup/pids/b".into()),
            freezer: None,
        };
        assert_eq!(found.folders().len(), 3);
        assert_eq!(format!("{found:?}").replace("cpuacct/\"", "cpuacct\""), format!("{expected:?}"));
        assert_eq!(folder("", groups, mounts).unwrap(), Path::new("/sys/fs/cgroup/unified/user.slice/me"));
        assert!(version_1("0::/\n", mounts).is_none());
    }
}
