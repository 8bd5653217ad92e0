//! The tandem host. The modules are listed in the order in which data flows through them: none uses a later one.

/// Messages about bad input, which every layer returns.
pub mod diagnostic;

/// Other programs, run under limits.
pub mod process;

/// File formats.
pub mod artifact;

/// From C text to a program.
pub mod frontend;

/// Programs with code put in.
pub mod instrument;

/// Concrete execution as native code.
pub mod exec;

/// Bit-precise C as formulas, and the solver behind them.
pub mod smt;

/// Runs test cases.
pub mod replay;

/// gcc's build of the original, as a second opinion.
pub mod opinion;

/// What plugins get while they run.
pub mod services;

/// From what is known of a question to its verdict.
pub mod verdict;

/// Coverage of test suites.
pub mod coverage;

/// From one form of what is known to another.
pub mod conversion;

/// From files to loaded plugins.
pub mod plugins;

/// The CPA algorithm.
pub mod cpa;

/// From a TOML file to actors, and from these to a verdict.
pub mod compose;

/// Validation of witnesses.
pub mod validate;

/// A run as a page, and as SARIF.
pub mod report;

/// Checks whether analyses are sound.
pub mod soundness;

/// Configurations × tasks.
pub mod experiment;

/// The command line.
pub mod cli;
