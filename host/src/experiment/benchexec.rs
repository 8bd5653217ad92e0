//! An experiment as BenchExec's benchmark definition, so that the same runs can be made with BenchExec.
//! Format: <https://github.com/sosy-lab/benchexec/blob/main/doc/benchexec.md> and its `benchmark.dtd`.

use super::definition::ConfigUse;
use super::plan::Plan;
use crate::compose::parameters::{join, split};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The module of `contrib/benchexec`.
const TOOL: &str = "tandem_tools.tandem";
const DOCTYPE: &str = "<!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 3.30//EN\" \
    \"https://www.sosy-lab.org/benchexec/benchmark-3.30.dtd\">";

/// The text of a definition that will stand in `folder`, which paths are made relative to.
pub fn definition(plan: &Plan, folder: &Path) -> String {
    let limits = &plan.definition.limits;
    let mut attributes = format!("tool=\"{TOOL}\"");
    attributes.push_str(&format!(" displayName=\"{}\"", escape(&format!("tandem: {}", plan.definition.name))));
    if let Some(cpu) = limits.cpu {
        attributes.push_str(&format!(" timelimit=\"{} s\"", cpu.as_secs().max(1)));
    }
    attributes.push_str(&format!(" walltimelimit=\"{} s\"", limits.wall.as_secs().max(1)));
    if let Some(memory) = limits.memory {
        attributes.push_str(&format!(" memlimit=\"{memory} B\""));
    }
    if limits.cores > 0 {
        attributes.push_str(&format!(" cpuCores=\"{}\"", limits.cores));
    }
    let mut text = format!("<?xml version=\"1.0\"?>\n{DOCTYPE}\n<benchmark {attributes}>\n");
    if plan.definition.report {
        text.push_str("  <resultfiles>output/**</resultfiles>\n");
    }
    let mut names = BTreeSet::new();
    for config in &plan.definition.configs {
        text.push_str(&run_definition(config, &unique(&config.label, &mut names), plan.definition.report));
    }
    text.push_str(&tasks(plan, folder));
    text.push_str("</benchmark>\n");
    text
}

fn run_definition(config: &ConfigUse, name: &str, report: bool) -> String {
    // Names are looked up where the run starts; a path must not depend on that.
    let (name_or_path, given) = split(&config.config);
    let path = Path::new(name_or_path);
    let config_name = match path.is_file().then(|| path.canonicalize()) {
        Some(Ok(path)) => join(&path.display().to_string(), &given),
        _ => config.config.clone(),
    };
    let mut words = vec!["-c".to_string(), config_name];
    if report {
        words.extend(["--report=output/report.html", "-o", "output"].map(str::to_string));
    }
    words.extend(config.options.iter().cloned());
    let mut text = format!("  <rundefinition name=\"{}\">\n", escape(name));
    let mut rest = words.as_slice();
    while let Some((word, after)) = rest.split_first() {
        match after.split_first() {
            Some((value, after)) if word.starts_with('-') && !value.starts_with('-') => {
                text.push_str(&format!("    <option name=\"{}\">{}</option>\n", escape(word), escape(value)));
                rest = after;
            }
            _ => {
                text.push_str(&format!("    <option name=\"{}\"/>\n", escape(word)));
                rest = after;
            }
        }
    }
    text + "  </rundefinition>\n"
}

/// A group of tasks for each property file: BenchExec looks for the property in each task definition by its file.
fn tasks(plan: &Plan, folder: &Path) -> String {
    let mut groups: BTreeMap<Option<PathBuf>, Vec<&Path>> = BTreeMap::new();
    for task in &plan.tasks {
        let property = task.property.as_ref().map(|file| file.canonicalize().unwrap_or_else(|_| file.clone()));
        groups.entry(property).or_default().push(&task.file);
    }
    let mut names = BTreeSet::new();
    let mut text = String::new();
    for (property, files) in groups {
        let stem = property.as_ref().and_then(|file| file.file_stem());
        let name = unique(&stem.map_or("tasks".into(), |stem| stem.to_string_lossy()), &mut names);
        text.push_str(&format!("  <tasks name=\"{}\">\n", escape(&name)));
        for file in files {
            // It is a pattern there: brackets and stars of a name stand for themselves.
            let pattern = glob::Pattern::escape(&relative(file, folder).to_string_lossy());
            text.push_str(&format!("    <include>{}</include>\n", escape(&pattern)));
        }
        if let Some(property) = property {
            let path = relative(&property, folder);
            text.push_str(&format!("    <propertyfile>{}</propertyfile>\n", escape(&path.to_string_lossy())));
        }
        text.push_str("  </tasks>\n");
    }
    text
}

/// BenchExec makes file names of these, and wants each once.
fn unique(label: &str, names: &mut BTreeSet<String>) -> String {
    let plain: String = label.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    let mut name = plain.clone();
    let mut number = 2;
    while !names.insert(name.clone()) {
        name = format!("{plain}-{number}");
        number += 1;
    }
    name
}

/// How to get from `folder` to `file`.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(file), Ok(folder)) = (file.canonicalize(), folder.canonicalize()) else { return file.to_path_buf() };
    let (mut to, mut from) = (file.components().peekable(), folder.components().peekable());
    while to.peek().is_some() && to.peek() == from.peek() {
        to.next();
        from.next();
    }
    from.map(|_| Component::ParentDir).chain(to).collect()
}

fn escape(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}
