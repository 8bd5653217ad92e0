//! `tandem plugins`: lists plugins, describes one, and checks whether a file would be accepted.

use super::Context;
use super::exit::{Exit, Failure};
use super::soundness::{self, SoundnessArgs};
use crate::compose::Available;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::plugins::{LoadedPlugin, PluginSearch, Refusal, Registry, load_plugin};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use tandem_plugin_api::descriptor::{ArtifactKind, Descriptor};

#[derive(Subcommand)]
pub enum PluginsCommand {
    /// List the plugins on the search path, and the files there that were refused
    List,
    /// Show what a plugin does, its options, what it needs and what it gives
    Info {
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Check whether a file would be accepted as a plugin, and whether an analysis is sound
    Check(CheckArgs),
}

#[derive(Args)]
pub struct CheckArgs {
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    soundness: SoundnessArgs,
}

pub fn run(context: &Context, command: &PluginsCommand) -> Result<Exit, Failure> {
    match command {
        PluginsCommand::List => list(context).map(|()| Exit::Success),
        PluginsCommand::Info { name } => info(context, name).map(|()| Exit::Success),
        PluginsCommand::Check(CheckArgs { file, soundness }) if soundness.wanted() => {
            soundness::run(context, &load(file)?, soundness)
        }
        PluginsCommand::Check(CheckArgs { file, .. }) => check(context, file).map(|()| Exit::Success),
    }
}

/// All plugins on the search path. A refused file is worth a warning: the user may be looking for it.
pub fn find(context: &Context) -> Registry {
    let registry = PluginSearch::new(&context.plugin_dirs).discover();
    for Refusal { file, cause, remedy, .. } in registry.refused() {
        context.console.warning(&format!("{}: refused as a plugin: {cause}\n  help: {remedy}", file.display()));
    }
    registry
}

/// The plugins that a configuration may name; an error if there are no plugins at all.
pub fn available(registry: &Registry) -> Result<Available<'_>, Diagnostic> {
    if let Some(nothing) = registry.if_empty() {
        return Err(nothing);
    }
    let plugins: Vec<&Descriptor> = registry.plugins().iter().map(|plugin| &plugin.descriptor).collect();
    let names: Vec<&str> = plugins.iter().map(|plugin| plugin.name.as_str()).collect();
    let help_if_missing = format!("there are {}; build it, or name its directory with --plugin-dir", names.join(", "));
    Ok(Available { plugins, help_if_missing })
}

fn list(context: &Context) -> Result<(), Failure> {
    let registry = find(context);
    if let Some(nothing) = registry.if_empty() {
        return Err(nothing.into());
    }
    let mut plugins: Vec<&LoadedPlugin> = registry.plugins().iter().collect();
    plugins.sort_by_key(|plugin| (plugin.descriptor.kind, plugin.descriptor.name.clone()));
    let width = plugins.iter().map(|plugin| plugin.descriptor.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for LoadedPlugin { descriptor: Descriptor { name, kind, version, about, .. }, file, .. } in plugins {
        text.push_str(&format!("{name:width$}  {:8}  {version:7}  {about} [{}]\n", kind.name(), file.display()));
    }
    context.console.result(&text)?;
    Ok(())
}

fn info(context: &Context, name: &str) -> Result<(), Failure> {
    let registry = find(context);
    let Some(plugin) = registry.named(name) else {
        if let Some(nothing) = registry.if_empty() {
            return Err(nothing.into());
        }
        let names: Vec<&str> = registry.plugins().iter().map(|plugin| plugin.descriptor.name.as_str()).collect();
        let near = did_you_mean(name, names.iter().copied()).map(|near| format!("did you mean `{near}`? "));
        let help = format!("{}there are {}", near.unwrap_or_default(), names.join(", "));
        return Err(Diagnostic::new(format!("there is no plugin `{name}`")).help(help).into());
    };
    context.console.result(&describe(&plugin.descriptor, &plugin.file.display().to_string()))?;
    Ok(())
}

fn check(context: &Context, file: &Path) -> Result<(), Failure> {
    let Descriptor { name, kind, version, api, .. } = load(file)?.descriptor;
    let file = file.display();
    context.console.result(&format!("{file}: {kind} `{name}` {version}, for plugin API {api}: accepted\n"))?;
    Ok(())
}

fn load(file: &Path) -> Result<LoadedPlugin, Failure> {
    load_plugin(file).map_err(|Refusal { file, cause, remedy, .. }| {
        Diagnostic::new(cause).in_file(file.display().to_string()).help(remedy).into()
    })
}

fn describe(plugin: &Descriptor, file: &str) -> String {
    let mut text = format!("{} ({} {})\n{}\n", plugin.name, plugin.kind, plugin.version, plugin.about);
    if !plugin.details.is_empty() {
        text.push_str(&format!("\n{}\n", plugin.details.trim_end()));
    }
    text.push_str(&format!("\nfile:  {file}\nAPI:   {}\n", plugin.api));
    for (label, kinds) in [("needs", &plugin.needs), ("gives", &plugin.gives)] {
        if !kinds.is_empty() {
            let kinds: Vec<String> = kinds.iter().map(|kind| artifact_name(*kind)).collect();
            text.push_str(&format!("{label}: {}\n", kinds.join(", ")));
        }
    }
    if !plugin.capabilities.is_empty() {
        let names: Vec<&str> = plugin.capabilities.iter().map(|capability| capability.name()).collect();
        text.push_str(&format!("capabilities: {}\n", names.join(", ")));
    }
    if plugin.options.is_empty() {
        text.push_str("\nIt has no options.\n");
        return text;
    }
    text.push_str("\nOptions:\n");
    for option in &plugin.options {
        let name = &plugin.name;
        text.push_str(&format!("  {name}.{} = {}\n", option.name, option.default));
        text.push_str(&format!("      {}; {}\n", option.about, option.ty));
    }
    text
}

fn artifact_name(kind: ArtifactKind) -> String {
    format!("{kind:?}").to_lowercase()
}
