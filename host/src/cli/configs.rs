//! `tandem configs`: lists configurations, shows their texts, and checks files.

use super::exit::Failure;
use super::{Context, plugins};
use crate::compose::library::{self, Located};
use crate::compose::{self, Config};
use crate::experiment::definition;
use crate::plugins::Registry;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum ConfigsCommand {
    /// List the built-in configurations and those in ./configs, and experiments in ./configs/experiments
    List,
    /// Print a configuration as text, to read it or to start a new one from it
    Show {
        /// A built-in name, or the path of a TOML file
        #[arg(value_name = "NAME")]
        config: String,
    },
    /// Check a configuration against the plugins that are there, and report all mistakes
    Check {
        /// The path of a TOML file, or a built-in name
        #[arg(value_name = "FILE")]
        config: String,
    },
}

pub fn run(context: &Context, command: &ConfigsCommand) -> Result<(), Failure> {
    match command {
        ConfigsCommand::List => list(context),
        ConfigsCommand::Show { config } => {
            context.console.result(&library::locate(config)?.text)?;
            Ok(())
        }
        ConfigsCommand::Check { config } => check(context, config),
    }
}

fn list(context: &Context) -> Result<(), Failure> {
    let names = library::list();
    let width = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, path) in names {
        let origin = path.map_or("built in".to_string(), |path| path.display().to_string());
        let about = match library::locate(&name).map_err(|error| vec![error]).and_then(library::open) {
            Ok(document) => document.about().to_string(),
            Err(_) => format!("(has mistakes, see `tandem configs check {name}`)"),
        };
        text.push_str(&format!("{name:width$}  {about} [{origin}]\n"));
    }
    let experiments = definition::known();
    if !experiments.is_empty() {
        text.push_str("\nExperiments, for `tandem experiment NAME`:\n");
    }
    for (name, about, path) in experiments {
        text.push_str(&format!("{name:width$}  {about} [{}]\n", path.display()));
    }
    context.console.result(&text)?;
    Ok(())
}

fn check(context: &Context, wanted: &str) -> Result<(), Failure> {
    let config = load(library::locate(wanted)?, &plugins::find(context))?;
    context.console.result(&format!("{}: no mistakes\n", config.name))?;
    Ok(())
}

/// A configuration, checked against the plugins that are there.
pub fn load(located: Located, registry: &Registry) -> Result<Config, Failure> {
    let document = compose::open(located)?;
    Ok(compose::check(&document, &plugins::available(registry)?)?)
}
