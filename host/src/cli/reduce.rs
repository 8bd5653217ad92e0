//! `tandem reduce`: makes the residual program, which has the paths that a GIA does not cover.

use super::convert::{ProgramArgs, read, size};
use super::exit::Failure;
use super::{Context, outputs, plugins};
use crate::compose::units::parse_duration_or_seconds;
use crate::conversion::{base_name, origin_json, write_text};
use crate::diagnostic::Diagnostic;
use crate::plugins::LoadedPlugin;
use crate::services::HostServices;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::Gia;
use tandem_plugin_api::descriptor::{OptionValue, PluginKind};
use tandem_plugin_api::options::Options;
use tandem_plugin_api::program::{PrintOptions, Program};
use tandem_plugin_api::reducer::{Covered, Residual};
use tandem_plugin_api::service::{Host, StopReason, StopSignal};

#[derive(Args)]
#[command(after_help = "\
The residual program is C that any other tool can read. It has all paths that are not covered, and none
that the program does not have. Beside it, FILE.origin.json names for each of its edges the edge of the program that it came from.

Example: the paths that the first verifier leaves, for the second one
  tandem reduce --reducer product --gia known.json -o residual.c program.c")]
pub struct ReduceArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// The plugin that does it; `tandem plugins list` shows those of kind reducer
    #[arg(long, value_name = "NAME")]
    reducer: String,
    /// The knowledge about the program: a GIA, or another file that `tandem convert` reads
    #[arg(long, value_name = "FILE")]
    gia: PathBuf,
    /// Which paths are covered: ut, those that reach no target, or rt, those that do
    #[arg(long, value_enum, default_value_t = CoveredName::Ut)]
    covered: CoveredName,
    /// Keep only the paths of candidates, of all that is not done (X-reducer of the GIA paper)
    #[arg(long)]
    only_candidates: bool,
    /// Set an option of the reducer (may be given several times); `tandem plugins info NAME` lists them
    #[arg(long, value_name = "OPTION=VALUE")]
    set: Vec<String>,
    /// Write the residual program to this file
    #[arg(short, long, value_name = "FILE.c")]
    output: PathBuf,
    /// Time for it, as 500ms, 60s, 2m or 1h; a bare number means seconds
    #[arg(long, value_name = "TIME", value_parser = parse_duration_or_seconds, default_value = "60s")]
    limit: Duration,
}

#[derive(Clone, Copy, ValueEnum)]
enum CoveredName {
    Ut,
    Rt,
}

pub fn run(context: &Context, arguments: &ReduceArgs) -> Result<(), Failure> {
    let registry = plugins::find(context);
    if let Some(nothing) = registry.if_empty() {
        return Err(nothing.into());
    }
    let plugin = registry.get(PluginKind::Reducer, &arguments.reducer).map_err(|error| {
        Diagnostic::new(error.to_string()).help("`tandem plugins list` shows the plugins and their kinds")
    })?;
    let options = options(plugin, &arguments.set)?;
    let task = arguments.program.task(context)?;
    let inputs = [&arguments.gia, &arguments.program.file, Path::new(&task.program.name)];
    outputs::apart(&[&arguments.output, &origin_path(&arguments.output)], &inputs)?;
    outputs::writable(&arguments.output)?;
    let known = read(context, &task, &arguments.gia, None)?;
    if let Some(reason) = known.soundness.objection(false) {
        context
            .console
            .warning(&format!("what is known rests on something unsound ({reason}): so does the residual program"));
    }
    let shared = SharedTask::new(&SharedProgram::new(task.program.clone()), task.property.clone());
    let stop = StopSignal::new();
    let services = HostServices::of(&task.program).with_stop(stop.clone()).with_log(context.console.clone());
    let services = Arc::new(services);
    let host = Host::new(services.clone());
    stop_after(arguments.limit, stop);
    context.console.stage(format!("reducing with {}", arguments.reducer));
    let gia = if arguments.only_candidates { known.gia } else { known.gia.without_candidates() };
    let residual = reduce(&shared, (plugin, &options), &gia, arguments, &host)?;
    context.console.stage_done();
    let notes = services.notes();
    for note in notes.unsound_steps().map(str::to_string).chain(notes.convention_texts()) {
        context.console.warning(&note);
    }
    write(context, arguments, &task.program, &residual)
}

fn reduce(
    task: &SharedTask,
    (plugin, options): (&LoadedPlugin, &Options),
    known: &Gia,
    arguments: &ReduceArgs,
    host: &Host,
) -> Result<Residual, Diagnostic> {
    let name = &arguments.reducer;
    let failed = |what: String| {
        let limit = match host.stopped() {
            Some(StopReason::OutOfTime) => format!(" within the limit of {:?}", arguments.limit),
            _ => String::new(),
        };
        Diagnostic::new(format!("reducer `{name}` gave no residual program{limit}: {what}"))
            .in_file(arguments.gia.display().to_string())
            .help("try another reducer, or a smaller GIA; `identity` keeps the whole program")
    };
    let mut instance = plugin.worker(task, options, host).map_err(|error| failed(error.to_string()))?;
    let done = match arguments.covered {
        CoveredName::Ut => Covered::Ut,
        CoveredName::Rt => Covered::Rt,
    };
    let residual = instance.reduce(known, done, host).map_err(|error| failed(error.to_string()))?;
    instance.health().map_err(|error| failed(error.to_string()))?;
    Ok(residual)
}

/// The options that were set, and the defaults of all others.
fn options(plugin: &LoadedPlugin, set: &[String]) -> Result<Options, Failure> {
    let mut given = Vec::new();
    for assignment in set {
        let Some((name, text)) = assignment.split_once('=') else {
            let problem = Diagnostic::new(format!("`{assignment}` sets no option"));
            return Err(problem.help("write `--set option=value`").into());
        };
        let number = text.parse().map(OptionValue::Integer).ok();
        let switch = text.parse().map(OptionValue::Bool).ok();
        given.push((name.to_string(), number.or(switch).unwrap_or_else(|| OptionValue::Text(text.to_string()))));
    }
    let help = format!("`tandem plugins info {}` lists the options", plugin.descriptor.name);
    Options::fill(&plugin.descriptor.options, given).map_err(|problems| {
        let told = problems.iter().map(|problem| format!("option `{}`: {}", problem.option, problem.message));
        Failure(told.map(|message| Diagnostic::new(message).help(help.clone())).collect())
    })
}

/// The run of the plugin ends when the signal is given; the thread ends with the process.
fn stop_after(limit: Duration, stop: StopSignal) {
    let wait = move || {
        thread::sleep(limit);
        stop.stop(StopReason::OutOfTime);
    };
    // Without the thread there is only no limit.
    let _ = thread::Builder::new().name("limit".into()).spawn(wait);
}

fn write(context: &Context, arguments: &ReduceArgs, program: &Program, residual: &Residual) -> Result<(), Failure> {
    let options = PrintOptions { line_directives: true, only_used: true, ..PrintOptions::default() };
    let path = &arguments.output;
    write_text(path, &residual.program.to_c(&options))?;
    let json = origin_json(program, residual, base_name(path.to_str().unwrap_or("residual.c")))?;
    write_text(&origin_path(path), &(json + "\n"))?;
    let text = format!("program:  {}\nresidual: {}\n", size(program), size(&residual.program));
    context.console.result(&text)?;
    Ok(())
}

fn origin_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".origin.json");
    name.into()
}
