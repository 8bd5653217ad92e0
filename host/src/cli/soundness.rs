//! `tandem plugins check --soundness`: checks whether an analysis is sound, on random programs that run in step with
//! it.

use super::Context;
use super::exit::{Exit, Failure};
use super::plugins::find;
use crate::compose::units::parse_duration;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::plugins::LoadedPlugin;
use crate::soundness::{self, Effort, Part, Report, Subject, Violation};
use clap::Args;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tandem_plugin_api::descriptor::{OptionType, OptionValue, PluginKind};
use tandem_plugin_api::kit::testing::laws::Law;

#[derive(Args)]
#[command(next_help_heading = "With --soundness")]
pub struct SoundnessArgs {
    /// Run an analysis in step with random programs, and check that each concrete state lies in some abstract state of
    /// its location; also check the laws of its operators. Exit status: 0 if no mistake is found, 10 if one is found,
    /// 20 if too few programs could be checked
    #[arg(long)]
    soundness: bool,
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "soundness", value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,
    /// The seed of the first random program; the next one has the next number
    #[arg(long, value_name = "S", default_value_t = 0, requires = "soundness")]
    seed: u64,
    /// An option of the analysis, or of one that runs with it (PLUGIN.NAME=VALUE); may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "soundness")]
    option: Vec<String>,
    /// Check the analysis in a product with this one, too; may be given several times
    #[arg(long = "with", value_name = "ANALYSIS", requires = "soundness")]
    partners: Vec<String>,
    /// A law that the analysis need not keep, such as monotone-transfer where it widens; may be given several times
    #[arg(long, value_name = "LAW", requires = "soundness")]
    without_law: Vec<String>,
    /// Hold the analysis to its claims also where it noted unsound steps: for notes about accesses outside of objects, which the
    /// random programs never make
    #[arg(long, requires = "soundness")]
    despite_notes: bool,
    /// Where the program of a violation is written, as a C file
    #[arg(short, long, value_name = "DIR", default_value = ".", requires = "soundness")]
    output: PathBuf,
}

impl SoundnessArgs {
    pub fn wanted(&self) -> bool {
        self.soundness
    }
}

pub fn run(context: &Context, plugin: &LoadedPlugin, arguments: &SoundnessArgs) -> Result<Exit, Failure> {
    let name = plugin.descriptor.name.as_str();
    let kind = plugin.descriptor.kind;
    if kind != PluginKind::Analysis {
        let message = format!("`{name}` is of kind {kind}; only an analysis has abstract states to check");
        return Err(Diagnostic::new(message).in_file(plugin.file.display().to_string()).into());
    }
    let subject = subject(context, plugin, arguments)?;
    let excused = arguments.without_law.iter().map(|law| read_law(law)).collect::<Result<Vec<Law>, Diagnostic>>()?;
    let SoundnessArgs { runs, seed, despite_notes, .. } = *arguments;
    let effort = Effort { runs, seed, excused, despite_notes, ..Effort::default() };
    context.console.stage(format!("checking `{name}`"));
    let report = soundness::check(&subject, &effort, &|runs| {
        context.console.progress_detail(&format!("{runs} of {} runs", effort.runs));
    });
    context.console.stage_done();
    tell(context, plugin, arguments, &effort, &report)
}

fn tell(
    context: &Context,
    plugin: &LoadedPlugin,
    arguments: &SoundnessArgs,
    effort: &Effort,
    report: &Report,
) -> Result<Exit, Failure> {
    let name = &plugin.descriptor.name;
    let mut text = format!("{name}: {}", report.summary());
    if let Some(violation) = report.violations.first() {
        let file = write(plugin, arguments, effort, violation)?;
        let again = again(plugin, arguments, effort, violation.seed);
        text.push_str(&format!("\n{name} is WRONG: {}", violation.explain()));
        text.push_str(&format!("the program is in {}; again with\n  {again}\n", file.display()));
        context.console.result(&text)?;
        return Ok(Exit::False);
    }
    let enough = report.runs >= effort.runs;
    text.push_str(match enough {
        true => "nothing wrong was found\n",
        false => "too few programs could be checked\n",
    });
    context.console.result(&text)?;
    Ok(if enough { Exit::Success } else { Exit::Unknown })
}

fn write(
    plugin: &LoadedPlugin,
    arguments: &SoundnessArgs,
    effort: &Effort,
    violation: &Violation,
) -> Result<PathBuf, Diagnostic> {
    let directory = &arguments.output;
    let file = directory.join(format!("{}-{}.c", plugin.descriptor.name, violation.seed));
    let text = violation.as_c(&again(plugin, arguments, effort, violation.seed));
    let written = fs::create_dir_all(directory).and_then(|()| fs::write(&file, text));
    written.map_err(|error| {
        Diagnostic::new(format!("the program of the violation cannot be written: {error}"))
            .in_file(file.display().to_string())
            .help("name another directory with -o")
    })?;
    Ok(file)
}

/// The command that checks one program again.
fn again(plugin: &LoadedPlugin, arguments: &SoundnessArgs, effort: &Effort, seed: u64) -> String {
    let mut command = format!(
        "tandem plugins check {} --soundness --seed {seed} --runs {}",
        plugin.file.display(),
        effort.runs_per_program
    );
    if arguments.despite_notes {
        command.push_str(" --despite-notes");
    }
    for (flag, values) in
        [("--option", &arguments.option), ("--with", &arguments.partners), ("--without-law", &arguments.without_law)]
    {
        values.iter().for_each(|value| command.push_str(&format!(" {flag} {value}")));
    }
    command
}

fn read_law(name: &str) -> Result<Law, Diagnostic> {
    Law::of_name(name).ok_or_else(|| {
        let names = Law::ALL.map(Law::name);
        let near = did_you_mean(name, names.iter().copied()).map(|near| format!("did you mean `{near}`? "));
        let help = format!("{}there are {}", near.unwrap_or_default(), names.join(", "));
        Diagnostic::new(format!("there is no law `{name}`")).help(help)
    })
}

fn subject(context: &Context, plugin: &LoadedPlugin, arguments: &SoundnessArgs) -> Result<Subject, Diagnostic> {
    let own = plugin.descriptor.name.clone();
    let mut given: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for option in &arguments.option {
        let Some((key, value)) = option.split_once('=') else {
            return Err(Diagnostic::new(format!("`{option}` is not an option")).help("write --option NAME=VALUE"));
        };
        let (owner, name) = key.split_once('.').unwrap_or((&own, key));
        if owner != own && !arguments.partners.iter().any(|partner| partner == owner) {
            let help = format!("name it with --with {owner}");
            return Err(Diagnostic::new(format!("`{owner}` does not run here: `{option}`")).help(help));
        }
        given.entry(owner.to_string()).or_default().push((name.to_string(), value.to_string()));
    }
    let mut part = |plugin: &LoadedPlugin| {
        let given = given.remove(&plugin.descriptor.name).unwrap_or_default();
        with_options(plugin, &given)
    };
    let mut subject = Subject::alone(part(plugin)?);
    if !arguments.partners.is_empty() {
        let registry = find(context);
        for partner in &arguments.partners {
            let found = registry.get(PluginKind::Analysis, partner);
            subject.partners.push(part(found.map_err(|error| Diagnostic::new(error.to_string()))?)?);
        }
    }
    Ok(subject)
}

fn with_options(plugin: &LoadedPlugin, given: &[(String, String)]) -> Result<Part, Diagnostic> {
    let mut values = Vec::new();
    for (name, text) in given {
        let declared = plugin.descriptor.options.iter().find(|option| option.name == *name);
        // An option that is not declared is reported with the others.
        let value = declared.map_or_else(|| Ok(OptionValue::Text(text.clone())), |option| read_value(&option.ty, text));
        let value = value.map_err(|problem| Diagnostic::new(format!("option `{name}`: {problem}")))?;
        values.push((name.clone(), value));
    }
    let options = plugin.options(values).map_err(|problems| {
        let lines: Vec<String> =
            problems.iter().map(|problem| format!("option `{}`: {}", problem.option, problem.message)).collect();
        let help = format!("`tandem plugins info {}` lists its options", plugin.descriptor.name);
        Diagnostic::new(lines.join("; ")).help(help)
    })?;
    Ok(Part { plugin: plugin.clone(), options })
}

fn read_value(ty: &OptionType, text: &str) -> Result<OptionValue, String> {
    let wrong = || format!("expected {ty}, found `{text}`");
    Ok(match ty {
        OptionType::Bool => OptionValue::Bool(text.parse().map_err(|_| wrong())?),
        OptionType::Integer { .. } => OptionValue::Integer(text.parse().map_err(|_| wrong())?),
        OptionType::Float => OptionValue::Float(text.parse().map_err(|_| wrong())?),
        OptionType::Duration => OptionValue::Duration(parse_duration(text)?),
        OptionType::TextList => OptionValue::TextList(text.split(',').map(str::to_string).collect()),
        OptionType::Text | OptionType::Choice(_) => OptionValue::Text(text.to_string()),
    })
}
