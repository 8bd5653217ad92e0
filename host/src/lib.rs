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

/// From test cases to what they do.
pub mod replay;

/// What gcc's build of the original does.
pub mod opinion;

/// What the tests of a suite cover.
pub mod coverage;

/// From files to loaded plugins.
pub mod plugins;

/// The CPA algorithm.
pub mod cpa;

/// From a TOML file to actors, and from these to a verdict.
pub mod compose;

/// Whether what a witness says is so.
pub mod validate;

/// A run as a page, and as SARIF.
pub mod report;

/// Whether analyses keep what they promise.
pub mod soundness;

/// Configurations × tasks.
pub mod experiment;

/// The command line.
pub mod cli;
