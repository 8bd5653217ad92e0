//! The TOML file of an experiment: which configurations, which tasks, which limits. All mistakes are reported at once.

use crate::artifact::input;
use crate::compose::document::{Node, Place, Sources, Table, Value};
use crate::compose::library;
use crate::compose::parameters::{Given, join};
use crate::compose::schema::{Fields, Problems, read_text, read_text_list};
use crate::compose::units::parse_size;
use crate::diagnostic::Diagnostic;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A complete one, for `tandem experiment --example`.
pub const EXAMPLE: &str = include_str!("example.toml");

/// Where experiments are found by name.
const FOLDER: &str = "configs/experiments";
const LARGEST_FILE: u64 = 1 << 20;
/// More than any run needs, fewer than would bring a machine down.
pub const USUAL_PROCESSES: u64 = 1000;

#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub about: String,
    pub limits: RunLimits,
    /// Whether each run writes a report.
    pub report: bool,
    pub tasks: Selection,
    pub configs: Vec<ConfigUse>,
}

/// The limits of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunLimits {
    pub wall: Duration,
    pub cpu: Option<Duration>,
    pub memory: Option<u64>,
    pub processes: u64,
    /// Cores of each run; runs are not pinned where this is 0.
    pub cores: usize,
}

/// Which tasks, as patterns that still have to be looked up.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// What patterns are relative to.
    pub folder: PathBuf,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// Every how many-th task.
    pub every: usize,
    /// The name of a property (`unreach-call`), or the path of its file.
    pub property: Option<String>,
}

#[derive(Clone, Debug)]
pub struct ConfigUse {
    /// Unique in the experiment.
    pub label: String,
    /// What `-c` gets: a name, or a path, with the values of parameters.
    pub config: String,
    pub options: Vec<String>,
    /// The texts of the configuration and of all that it extends.
    pub texts: Vec<String>,
}

/// Reads an experiment. A name without a folder is looked up in `configs/experiments`, too.
pub fn read(wanted: &Path) -> Result<Definition, Vec<Diagnostic>> {
    let path = find(wanted);
    let file = path.display().to_string();
    let text = text_of(&path).map_err(|problem| vec![problem.in_file(&file)])?;
    let mut sources = Sources::default();
    let (root, problems) = sources.add(&file, &text);
    if !problems.is_empty() {
        return Err(problems);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut problems = Problems::new(&sources);
    let definition = Reader { folder, start: sources.start() }.definition(&mut problems, &root, name);
    let problems = problems.into_diagnostics();
    if problems.is_empty() { Ok(definition) } else { Err(problems) }
}

/// Name, purpose and path of the experiments that a name finds.
pub fn known() -> Vec<(String, String, PathBuf)> {
    let entries = fs::read_dir(FOLDER).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    let about = |path: &Path| {
        let text = text_of(path).unwrap_or_default();
        match Sources::default().add("", &text).0.get("about").map(|entry| &entry.node.value) {
            Some(Value::Text(about)) => about.clone(),
            _ => String::new(),
        }
    };
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    files.into_iter().map(|path| (name(&path), about(&path), path)).collect()
}

fn find(wanted: &Path) -> PathBuf {
    let known = Path::new(FOLDER).join(wanted).with_extension("toml");
    let is_name = wanted.extension().is_none() && wanted.components().count() == 1;
    if is_name && !wanted.is_file() && known.is_file() { known } else { wanted.to_path_buf() }
}

fn text_of(path: &Path) -> Result<String, Diagnostic> {
    let help = "check the path; `tandem experiment --example` prints an experiment to start from";
    input::text(path, LARGEST_FILE)
        .map_err(|why| Diagnostic::new(format!("the experiment cannot be read: {why}")).help(help))
}

struct Reader {
    folder: PathBuf,
    start: Place,
}

impl Reader {
    fn definition(&self, problems: &mut Problems<'_>, root: &Table, name: String) -> Definition {
        if let Some(entry) = root.get("run").or_else(|| root.get("actor")) {
            let help = "an experiment names configurations; see `tandem experiment --example`";
            problems.report_with_help(entry.key_place, "this is a configuration, not an experiment", help);
            return self.empty(name);
        }
        let mut fields = Fields::new("an experiment", root);
        let about = fields.text(problems, "about").map_or(String::new(), |(text, _)| text.to_string());
        let report = fields.take("report").and_then(|entry| match entry.node.value {
            Value::Bool(value) => Some(value),
            _ => {
                problems.report(entry.node.place, "`report` must be true or false");
                None
            }
        });
        let limits = fields.table(problems, "limits");
        let tasks = fields.table(problems, "tasks");
        let configs = fields.take("config");
        fields.finish(problems);
        let limits = self.limits(problems, limits);
        let tasks = self.tasks(problems, tasks);
        let configs = match configs.map(|entry| (&entry.node.value, entry.node.place)) {
            Some((Value::List(list), _)) if !list.is_empty() => self.configs(problems, list),
            found => {
                let place = found.map_or(self.start, |(_, place)| place);
                let help = "write `config = [\"value\", \"predicate\"]`, or a table `[[config]]` for each";
                problems.report_with_help(place, "the experiment names no configurations", help);
                Vec::new()
            }
        };
        Definition { name, about, limits, report: report.unwrap_or(false), tasks, configs }
    }

    fn empty(&self, name: String) -> Definition {
        let limits = RunLimits { wall: Duration::ZERO, cpu: None, memory: None, processes: 0, cores: 0 };
        let (tasks, configs) = (Selection::default(), Vec::new());
        Definition { name, about: String::new(), limits, report: false, tasks, configs }
    }

    fn limits(&self, problems: &mut Problems<'_>, table: Option<&Table>) -> RunLimits {
        let nothing = Table::default();
        let mut fields = Fields::new("`limits`", table.unwrap_or(&nothing));
        let wall = fields.duration(problems, "wall");
        let cpu = fields.duration(problems, "cpu");
        let memory = fields.text(problems, "memory").and_then(|(text, place)| match parse_size(text) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                problems.report(place, format!("`memory`: {error}"));
                None
            }
        });
        let processes = fields.integer(problems, "processes", 1..=1_000_000);
        let cores = fields.integer(problems, "cores", 0..=1024);
        fields.finish(problems);
        if wall.is_none() && cpu.is_none() {
            let help = "write `[limits]` with `wall = \"60s\"` or `cpu = \"60s\"`";
            problems.report_with_help(self.start, "the experiment has no limit on time", help);
        }
        RunLimits {
            // A run that waits uses no CPU time.
            wall: wall.or(cpu.map(|cpu| cpu * 2)).unwrap_or_default(),
            cpu,
            memory,
            processes: processes.map_or(USUAL_PROCESSES, i64::unsigned_abs),
            cores: cores.map_or(1, |cores| usize::try_from(cores).unwrap_or(1)),
        }
    }

    fn tasks(&self, problems: &mut Problems<'_>, table: Option<&Table>) -> Selection {
        let nothing = Table::default();
        let mut fields = Fields::new("`tasks`", table.unwrap_or(&nothing));
        let texts = |list: Option<Vec<(&str, Place)>>| -> Vec<String> {
            list.into_iter().flatten().map(|(text, _)| text.to_string()).collect()
        };
        let include = texts(fields.text_list(problems, "include"));
        let exclude = texts(fields.text_list(problems, "exclude"));
        let every = fields.integer(problems, "every", 1..=1_000_000);
        let property = fields.text(problems, "property").map(|(text, _)| text.to_string());
        fields.finish(problems);
        let every = every.map_or(1, |every| usize::try_from(every).unwrap_or(1));
        Selection { folder: self.folder.clone(), include, exclude, every, property }
    }

    fn configs(&self, problems: &mut Problems<'_>, list: &[Node]) -> Vec<ConfigUse> {
        let mut labels = BTreeSet::new();
        let mut configs = Vec::new();
        for node in list {
            let (config, label, options, parameters, place) = match &node.value {
                Value::Table(table) => {
                    let mut fields = Fields::new("`config`", table);
                    let config = fields.text(problems, "config");
                    let label = fields.text(problems, "label");
                    let options = fields.take("options").and_then(|e| read_text_list(problems, "options", &e.node));
                    let parameters = fields.table(problems, "parameters");
                    fields.finish(problems);
                    if config.is_none() {
                        let message = "`config` has no key `config`: which configuration is meant?";
                        problems.report_with_help(
                            node.place,
                            message,
                            "`tandem configs list` shows those that are there",
                        );
                    }
                    let place = label.or(config).map_or(node.place, |(_, at)| at);
                    (config.map(|(text, _)| text), label, options, parameters, place)
                }
                _ => (read_text(problems, "config", node), None, None, None, node.place),
            };
            let Some(config) = config else { continue };
            let options: Vec<String> = options.into_iter().flatten().map(|(text, _)| text.to_string()).collect();
            for given in combinations(problems, parameters) {
                let label = match label {
                    Some((text, _)) => given
                        .iter()
                        .fold(text.to_string(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value)),
                    None => given.iter().fold(label_of(config), |label, (_, value)| format!("{label} {value}")),
                };
                if label.trim().is_empty() || label.chars().any(char::is_control) {
                    problems.report(place, "a label is a text of one line that is not empty");
                }
                if !labels.insert(label.clone()) {
                    let help = "give each a `label` of its own; `{{name}}` in it is the value of a parameter";
                    problems.report_with_help(place, format!("two configurations are called `{label}`"), help);
                }
                let config = join(&self.locate(config), &given);
                match texts_of(&config) {
                    Ok(texts) => configs.push(ConfigUse { label, config, options: options.clone(), texts }),
                    Err(problem) => {
                        problems.report_with_help(place, problem.message, problem.help.unwrap_or_default());
                    }
                }
            }
        }
        configs
    }

    /// A path is meant relative to the experiment.
    fn locate(&self, config: &str) -> String {
        let is_path = config.contains('/') || Path::new(config).extension().is_some_and(|e| e == "toml");
        if is_path { self.folder.join(config).display().to_string() } else { config.to_string() }
    }
}

/// Every choice of one value for each parameter, the last one changing first: `{ a = "1", b = ["2", "3"] }` has two.
fn combinations(problems: &mut Problems<'_>, parameters: Option<&Table>) -> Vec<Given> {
    let mut combinations = vec![Given::new()];
    for entry in parameters.into_iter().flat_map(|table| &table.entries) {
        let alone = std::slice::from_ref(&entry.node);
        let nodes = match &entry.node.value {
            Value::List(list) => list,
            _ => alone,
        };
        let values: Vec<String> = nodes.iter().filter_map(|node| value_of(problems, &entry.key, node)).collect();
        if nodes.is_empty() {
            problems.report(entry.node.place, format!("the parameter `{}` has no values", entry.key));
        }
        let with = |given: &Given| -> Vec<Given> {
            let one = |value: &String| given.iter().cloned().chain([(entry.key.clone(), value.clone())]).collect();
            values.iter().map(one).collect()
        };
        combinations = combinations.iter().flat_map(with).collect();
    }
    combinations
}

/// The value of a parameter, as it stands behind the name of a configuration.
fn value_of(problems: &mut Problems<'_>, name: &str, node: &Node) -> Option<String> {
    let value = match &node.value {
        Value::Text(text) if text.contains(',') => {
            Err(format!("the value of the parameter `{name}` has a comma in it"))
        }
        Value::Text(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Bool(value) => Ok(value.to_string()),
        other => Err(format!(
            "the parameter `{name}` must be a text, an integer, true or false, or a list of these, not {}",
            other.describe()
        )),
    };
    value.map_err(|message| problems.report(node.place, message)).ok()
}

fn label_of(config: &str) -> String {
    Path::new(config).file_stem().map_or(config.to_string(), |stem| stem.to_string_lossy().into_owned())
}

fn texts_of(config: &str) -> Result<Vec<String>, Diagnostic> {
    let document = library::open(library::locate(config)?).map_err(|mut problems| {
        let first = if problems.is_empty() { Diagnostic::new("has mistakes") } else { problems.remove(0) };
        let help = first.help.unwrap_or_else(|| format!("see `tandem configs check {config}`"));
        Diagnostic::new(format!("the configuration `{config}`: {}", first.message)).help(help)
    })?;
    Ok(document.sources.texts().map(str::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.toml");
        fs::write(&path, text).unwrap();
        let name = format!("{}/", folder.path().display());
        read(&path).map_or_else(|p| p.iter().map(|p| p.to_string().replace(&name, "")).collect(), |_| Vec::new())
    }

    #[test]
    fn the_example_is_right() {
        assert_eq!(problems(EXAMPLE), Vec::<String>::new());
    }

    #[test]
    fn each_combination_of_parameters_is_a_configuration() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.toml");
        let part = "about = 'x'\n[parameters]\na = 'value'\nb = 1\n[actor.x]\nanalyses = ['{{a}}']\nmax-call-depth = '{{b}}'\n\
                    [run]\nactor = 'x'\n";
        fs::write(folder.path().join("part.toml"), part).unwrap();
        let text = "config = ['value', {config = 'part.toml', parameters = {a = ['value', 'interval'], b = [2, 3]}},\n\
                    {config = 'part.toml', label = 'only {{a}}', parameters = {a = 'bmc'}}]\n[limits]\nwall = '1s'\n";
        fs::write(&path, text).unwrap();
        let definition = read(&path).unwrap();
        let labels: Vec<&str> = definition.configs.iter().map(|used| used.label.as_str()).collect();
        let expected = ["value", "part value 2", "part value 3", "part interval 2", "part interval 3", "only bmc"];
        assert_eq!(labels, expected);
        assert!(definition.configs[4].config.ends_with("part.toml:a=interval,b=3"), "{}", definition.configs[4].config);
    }

    #[test]
    fn mistakes_are_all_reported_with_their_places() {
        let found = problems(
            "config = ['value', 'valeu', {config = 'bmc', label = 'value'}, {label = 'x'}]\nreport = 1\n\
             [limits]\nwal = '1s'\nmemory = '5 potatoes'\n[tasks]\nevery = 0\n",
        );
        for part in [
            "e.toml:1:20: error: there is no configuration `valeu`",
            "two configurations are called `value`",
            "`config` has no key `config`",
            "`report` must be true or false",
            "unknown key `wal` in `limits`",
            "`memory`: `5 potatoes` is not a size",
            "`every` must be",
            "no limit on time",
        ] {
            assert!(found.iter().any(|problem| problem.contains(part)), "{part}: {found:#?}");
        }
        let found = problems(
            "config = [{config = 'cmc-predicate-value', label = 'x', parameters = {reducer = ['slice', 'identity', 'a,b'], z = 1.5}}, \
             {config = 'cmc-predicate-value', parameters = {reducers = 'slice'}}]\n[limits]\nwall = '1s'\n",
        );
        for part in
            ["has a comma in it", "the parameter `z` must be", "no parameter `reducers`", "did you mean `reducer`?"]
        {
            assert!(found.iter().any(|problem| problem.contains(part)), "{part}: {found:#?}");
        }
        let found = problems("[run]\nactor = 'x'\n");
        assert!(found[0].contains("this is a configuration, not an experiment"), "{found:?}");
    }
}
