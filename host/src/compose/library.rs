//! Finds configurations by name or path: files of the user, files in `./configs`, and those built into the binary.
//! Also follows `extends`, so that the rest of the composition sees one document.

use super::document::{Place, Sources, Table, Value};
use super::parameters::{self, Given, Parameters};
use super::schema::{Problems, read_text};
use crate::diagnostic::{Diagnostic, did_you_mean};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Name and text of every file in `configs/` when the binary was built.
static BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/builtin_configs.rs"));

/// The configuration that runs if the user names none.
pub const DEFAULT: &str = "default";
/// The same for `tandem test`.
pub const DEFAULT_TEST: &str = "default-test";

/// Names of configurations that run an external tool begin with this, as the tool's folder in `configs/` does.
const TOOLS: &str = "tools/";

/// A configuration is written by hand; anything larger is a mistake.
const LARGEST_FILE: u64 = 1 << 20;

/// A configuration's text and where it came from.
#[derive(Clone, Debug)]
pub struct Located {
    /// The name in messages: the path, or `NAME (built in)`.
    pub name: String,
    pub text: String,
    /// `None` for a configuration that is built in.
    pub path: Option<PathBuf>,
    /// Values for its parameters.
    pub given: Given,
}

/// A configuration with all that it extends merged in.
#[derive(Debug)]
pub struct Document {
    pub name: String,
    pub sources: Sources,
    pub root: Table,
}

impl Document {
    /// The purpose that the configuration states, checked or not.
    pub fn about(&self) -> &str {
        match self.root.get("about").map(|entry| &entry.node.value) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }
}

/// The default configuration of a command; never a file in the working directory.
pub fn default_config(name: &str) -> Result<Located, Diagnostic> {
    built_in(name).ok_or_else(|| Diagnostic::new("this build has no default configuration").help("name one with -c"))
}

/// By the path of a file, by the name of a file in `./configs`, or by the name of one that is built in; perhaps with values for
/// its parameters: `NAME:parameter=value,…`.
pub fn locate(wanted: &str) -> Result<Located, Diagnostic> {
    let (name, given) = if Path::new(wanted).is_file() { (wanted, Given::new()) } else { parameters::split(wanted) };
    Ok(Located { given, ..locate_named(name)? })
}

fn locate_named(wanted: &str) -> Result<Located, Diagnostic> {
    let path = Path::new(wanted);
    if looks_like_path(wanted) || path.is_file() {
        return read(path);
    }
    let local = Path::new("configs").join(format!("{wanted}.toml"));
    if local.is_file() {
        return read(&local);
    }
    built_in(wanted).ok_or_else(|| {
        let names: Vec<String> = list().into_iter().map(|(name, _)| name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let near = did_you_mean(wanted, names.iter().copied()).map(|near| format!("did you mean `{near}`? "));
        Diagnostic::new(format!("there is no configuration `{wanted}`")).help(format!(
            "{}known: {}; or give the path of a TOML file",
            near.unwrap_or_default(),
            names.join(", ")
        ))
    })
}

/// Every configuration that a name finds, sorted by name, with the path of those that are files.
pub fn list() -> Vec<(String, Option<PathBuf>)> {
    let mut found: Vec<(String, Option<PathBuf>)> = Vec::new();
    for prefix in ["", TOOLS] {
        for entry in fs::read_dir(Path::new("configs").join(prefix)).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "toml") && path.is_file() {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                found.push((prefix.to_string() + &stem, Some(path)));
            }
        }
    }
    for (name, _) in BUILT_IN {
        if !found.iter().any(|(other, _)| other == name) {
            found.push((name.to_string(), None));
        }
    }
    found.sort();
    found
}

/// Parses a configuration and all that it extends.
pub fn open(located: Located) -> Result<Document, Vec<Diagnostic>> {
    let name = located.name.clone();
    let mut sources = Sources::default();
    let mut chain: Vec<(String, Table)> = Vec::new();
    let mut parameters = Parameters::new(located.given.clone());
    let mut next = located;
    loop {
        let (mut table, mut problems) = sources.add(&next.name, &next.text);
        if !problems.is_empty() {
            if let Some(help) = other_kind_of_text(&next.text) {
                problems.truncate(1);
                problems = problems.into_iter().map(|problem| problem.help(help)).collect();
            }
            return Err(problems);
        }
        let mut problems = Problems::new(&sources);
        parameters.apply(&mut problems, &mut table);
        let mistakes = problems.into_diagnostics();
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let base = base_of(&sources, &table, &next, &chain);
        chain.push((identity(&next), table));
        match base {
            Ok(None) => break,
            Ok(Some(base)) => next = base,
            Err(diagnostics) => return Err(diagnostics),
        }
    }
    let mut problems = Problems::new(&sources);
    parameters.finish(&mut problems, sources.start());
    let mistakes = problems.into_diagnostics();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut root = Table::default();
    for (_, table) in chain {
        // `[run]` is one decision: parts of two different ones would mean nothing.
        root.inherit(table, &["run"]);
    }
    Ok(Document { name, sources, root })
}

/// What `table`, read from `from`, extends; an error where that leads back to a file of the `chain`.
fn base_of(
    sources: &Sources,
    table: &Table,
    from: &Located,
    chain: &[(String, Table)],
) -> Result<Option<Located>, Vec<Diagnostic>> {
    let Some(entry) = table.get("extends") else { return Ok(None) };
    let mut problems = Problems::new(sources);
    let Some(wanted) = read_text(&mut problems, "extends", &entry.node) else {
        return Err(problems.into_diagnostics());
    };
    let base = locate_base(wanted, from).map_err(|error| vec![at(sources, entry.node.place, error)])?;
    let identities: Vec<&str> = chain.iter().map(|(identity, _)| identity.as_str()).collect();
    let own = identity(from);
    let base_identity = identity(&base);
    if base_identity == own || identities.contains(&base_identity.as_str()) {
        let circle = [&identities[..], &[&own, &base_identity]].concat();
        problems.report(entry.node.place, format!("`extends` leads round in a circle: {}", circle.join(" → ")));
        return Err(problems.into_diagnostics());
    }
    Ok(Some(base))
}

/// A path is meant relative to the file that names it; among built-in files, it means a built-in one.
fn locate_base(wanted: &str, from: &Located) -> Result<Located, Diagnostic> {
    if !looks_like_path(wanted) {
        return locate_named(wanted);
    }
    match &from.path {
        Some(path) => read(&path.parent().unwrap_or(Path::new("")).join(wanted)),
        None => locate_named(wanted.trim_end_matches(".toml")),
    }
}

/// Puts an error about a named file where the name stands.
fn at(sources: &Sources, place: Place, error: Diagnostic) -> Diagnostic {
    let message = match &error.file {
        Some(file) => format!("{file}: {}", error.message),
        None => error.message.clone(),
    };
    let diagnostic = sources.diagnostic(place, &message);
    match error.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

fn identity(located: &Located) -> String {
    match &located.path {
        Some(path) => path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string(),
        None => located.name.clone(),
    }
}

fn built_in(wanted: &str) -> Option<Located> {
    let (name, text) = BUILT_IN.iter().find(|(name, _)| *name == wanted)?;
    Some(Located { name: format!("{name} (built in)"), text: text.to_string(), path: None, given: Given::new() })
}

/// A path has a `/` or an extension; `tools/cbmc` is a name.
fn looks_like_path(wanted: &str) -> bool {
    let name = wanted.strip_prefix(TOOLS).unwrap_or(wanted);
    name.contains('/') || Path::new(name).extension().is_some()
}

fn read(path: &Path) -> Result<Located, Diagnostic> {
    let name = path.display().to_string();
    let problem = |message: String| Diagnostic::new(message).in_file(name.clone());
    if path.is_dir() {
        return Err(problem("is a directory, not a configuration".to_string()).help("give the path of a TOML file"));
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(kind) = kind_by_extension(&extension) {
        let help = "a configuration is a TOML file; `tandem configs list` shows those that are there";
        return Err(problem(format!("is {kind}, not a configuration")).help(help));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|error| {
        let help = "check the path; `tandem configs list` shows the configurations that are known by name";
        problem(format!("cannot be read: {error}")).help(help)
    })?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| problem(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(problem("is larger than 1 MB: this is not a configuration".to_string()));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        problem(format!("is not UTF-8 text: byte {} is invalid", error.utf8_error().valid_up_to() + 1))
            .help("a configuration is a TOML file")
    })?;
    Ok(Located { name, text, path: Some(path.to_path_buf()), given: Given::new() })
}

/// The kind of a file that users give by mistake, by its extension.
pub fn kind_by_extension(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "c" | "i" | "h" => "a C file",
        "yml" | "yaml" => "a task definition",
        "prp" => "a property file",
        "so" => "a plugin",
        _ => return None,
    })
}

/// Help for a text that is not TOML, but can be recognised.
fn other_kind_of_text(text: &str) -> Option<&'static str> {
    let c_like = ["int main", "#include", "__VERIFIER_", "extern ", "void "];
    if c_like.iter().any(|sign| text.contains(sign)) {
        return Some("this looks like C; a configuration is a TOML file, see `tandem configs show default`");
    }
    if text.contains("format_version:") {
        return Some("this looks like a task definition; give it as the file to verify, not as a configuration");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_configurations_open() {
        assert!(default_config(DEFAULT).is_ok());
        assert!(default_config(DEFAULT_TEST).is_ok());
        for (name, text) in BUILT_IN {
            let located = Located { name: name.to_string(), text: text.to_string(), path: None, given: Given::new() };
            let document = open(located).unwrap();
            assert!(document.root.get("about").is_some(), "{name} does not say what it is for");
        }
    }

    #[test]
    fn circles_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        write("a.toml", "extends = 'b.toml'\n");
        write("b.toml", "\n extends = 'c.toml'\n");
        write("c.toml", "extends = 'a.toml'\n");
        let problems = open(read(&dir.path().join("a.toml")).unwrap()).unwrap_err();
        assert_eq!(problems.len(), 1);
        assert!(problems[0].file.as_ref().unwrap().ends_with("c.toml"));
        assert_eq!((problems[0].line, problems[0].column), (Some(1), Some(11)));
        assert!(problems[0].message.contains("circle"), "{}", problems[0]);
    }
}
