//! The command line: one file per subcommand. Only this folder prints, and only it knows exit statuses.

mod cfa;
mod combine;
mod configs;
mod console;
mod convert;
mod coverage;
mod exit;
mod experiment;
mod interrupts;
mod outputs;
mod page;
mod panics;
mod plugins;
mod question;
mod reduce;
mod report;
mod second_opinion;
mod soundness;
mod task_run;
mod test;
mod validate;
mod verify;
mod watchdog;
mod witness;

use crate::compose::isolated;
use crate::diagnostic::Diagnostic;
use crate::process;
use clap::builder::styling::Styles;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use console::{Console, Loudness};
use exit::{Exit, Failure};
use std::path::PathBuf;
use std::time::Instant;
use tandem_plugin_api::descriptor::API_VERSION;

#[derive(Parser)]
#[command(
    name = "tandem",
    about = "Verifies and tests C programs by letting analyses cooperate",
    disable_help_subcommand = true
)]
#[command(styles = Styles::plain(), arg_required_else_help = true, subcommand_required = true)]
#[command(
    after_help = "Exit status: 0 TRUE (or success), 10 FALSE, 20 UNKNOWN, 2 bad usage or input, 70 internal error."
)]
struct CommandLine {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Args, Clone)]
#[command(next_help_heading = "For all commands")]
struct Global {
    /// Search plugins here first (may be given several times)
    #[arg(long, value_name = "DIR", global = true)]
    plugin_dir: Vec<PathBuf>,
    /// Say more on standard error: choices made, statistics
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// Say nothing on standard error but errors
    #[arg(long, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Prove a property of a C program, or find a violation
    Verify(verify::VerifyArgs),
    /// Find tests that cover the branches of a C program, or reach its error
    Test(test::TestArgs),
    /// Execute a test suite and report what it covers
    Coverage(coverage::CoverageArgs),
    /// Check the claims of a witness, of whatever tool
    Validate(validate::ValidateArgs),
    /// Print the control-flow automaton of a C program
    Cfa(cfa::CfaArgs),
    /// Convert knowledge about a program between file formats
    Convert(convert::ConvertArgs),
    /// Combine the knowledge of several files about a program
    Combine(combine::CombineArgs),
    /// Make the residual program, which has the paths that a GIA does not cover
    Reduce(reduce::ReduceArgs),
    /// Run configurations on many tasks, under limits, with tables and plots of the results
    Experiment(experiment::ExperimentArgs),
    /// The plugins that are there
    #[command(subcommand)]
    Plugins(plugins::PluginsCommand),
    /// Configurations: which analyses run, and how they cooperate
    #[command(subcommand)]
    Configs(configs::ConfigsCommand),
}

/// The data that every subcommand gets.
struct Context {
    console: Console,
    plugin_dirs: Vec<PathBuf>,
    started: Instant,
}

/// Runs the command line of this process.
pub fn main() -> ! {
    let started = Instant::now();
    let ended = panics::catch(|| match parse() {
        Ok(command_line) => run(command_line, started),
        Err(exit) => exit,
    });
    let exit = ended.unwrap_or_else(|panic| {
        let help = "this is a mistake in tandem: please report it with the command and the input files";
        Console::new(Loudness::Quiet).error(&Diagnostic::new(format!("internal error: {panic}")).help(help));
        Exit::Internal
    });
    // A thread that is left behind may still have a tool running.
    process::end_all();
    interrupts::give_way();
    process::leave(i32::from(exit as u8))
}

/// Runs plugins for another process, if this process was started for that.
pub fn serve_actor_if_asked() {
    if !isolated::is_asked() {
        return;
    }
    let ended = panics::catch(isolated::serve).unwrap_or_else(|panic| Err(format!("internal error: {panic}")));
    let exit = match ended {
        Ok(()) => Exit::Success,
        Err(why) => {
            Console::new(Loudness::Quiet).error(&Diagnostic::new(why));
            Exit::Internal
        }
    };
    process::leave(i32::from(exit as u8))
}

fn parse() -> Result<CommandLine, Exit> {
    let version =
        format!("{} (plugin API {API_VERSION}, {})", env!("CARGO_PKG_VERSION"), crate::smt::solver::version());
    let parsed = CommandLine::command().version(version).try_get_matches();
    parsed.and_then(|matches| CommandLine::from_arg_matches(&matches)).map_err(|error| {
        // If the reader is gone, it has read enough.
        let _ = error.print();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
            _ => Exit::BadInput,
        }
    })
}

fn run(command_line: CommandLine, started: Instant) -> Exit {
    let Global { plugin_dir, verbose, quiet } = command_line.global;
    let loudness = match (verbose, quiet) {
        (true, _) => Loudness::Verbose,
        (_, true) => Loudness::Quiet,
        _ => Loudness::Normal,
    };
    let console = Console::new(loudness);
    interrupts::install();
    let context = Context { console: console.clone(), plugin_dirs: plugin_dir, started };
    let ended = match command_line.command {
        Command::Verify(arguments) => verify::run(&context, arguments),
        Command::Test(arguments) => test::run(&context, arguments),
        Command::Coverage(arguments) => coverage::run(&context, &arguments).map(|()| Exit::Success),
        Command::Validate(arguments) => validate::run(&context, &arguments),
        Command::Cfa(arguments) => cfa::run(&context, &arguments).map(|()| Exit::Success),
        Command::Convert(arguments) => convert::run(&context, &arguments).map(|()| Exit::Success),
        Command::Combine(arguments) => combine::run(&context, &arguments).map(|()| Exit::Success),
        Command::Reduce(arguments) => reduce::run(&context, &arguments).map(|()| Exit::Success),
        Command::Experiment(arguments) => experiment::run(&context, &arguments),
        Command::Plugins(command) => plugins::run(&context, &command),
        Command::Configs(command) => configs::run(&context, &command).map(|()| Exit::Success),
    };
    ended.unwrap_or_else(|Failure(diagnostics)| {
        console.stage_done();
        diagnostics.iter().for_each(|diagnostic| console.error(diagnostic));
        Exit::BadInput
    })
}
