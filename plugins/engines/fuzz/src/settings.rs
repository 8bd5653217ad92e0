//! The options of the fuzzer, documented in its descriptor.

use tandem_plugin_api::prelude::*;

#[derive(Clone, Debug)]
pub struct Settings {
    /// 0 takes the seed of the run.
    pub seed: u64,
    pub executions: u64,
    pub steps: u64,
    pub max_length: usize,
    pub comparisons: bool,
    pub dictionary: bool,
    pub long_runs: bool,
    pub minimise: bool,
}

impl Settings {
    /// Declares what [`Settings::read`] reads.
    pub fn declare(descriptor: Descriptor) -> Descriptor {
        let integer = |min, max| OptionType::Integer { min, max };
        descriptor
            .option(
                "seed",
                "seed of the random numbers; 0 takes the seed of the run",
                integer(0, i64::MAX),
                OptionValue::Integer(0),
            )
            .option(
                "executions",
                "end after so many executions; 0 means no limit",
                integer(0, i64::MAX),
                OptionValue::Integer(0),
            )
            .option(
                "steps",
                "loop iterations and calls after which an ordinary run is cut off; some runs may take much longer",
                integer(100, 1_000_000_000),
                OptionValue::Integer(20_000),
            )
            .option(
                "max-length",
                "mutations do not make vectors of inputs longer than this",
                integer(1, 1 << 17),
                OptionValue::Integer(4096),
            )
            .option(
                "comparisons",
                "solve branches with the values that the program compares at run time",
                OptionType::Bool,
                OptionValue::Bool(true),
            )
            .option("dictionary", "use the constants of the program", OptionType::Bool, OptionValue::Bool(true))
            .option(
                "long-runs",
                "give runs that were cut off more steps, as long as that takes a small part of the work",
                OptionType::Bool,
                OptionValue::Bool(true),
            )
            .option("minimise", "shorten tests before they are returned", OptionType::Bool, OptionValue::Bool(true))
    }

    pub fn read(options: &Options) -> Result<Self> {
        let executions = options.integer("executions")?.unsigned_abs();
        Ok(Settings {
            seed: options.integer("seed")?.unsigned_abs(),
            executions: if executions == 0 { u64::MAX } else { executions },
            steps: options.integer("steps")?.unsigned_abs(),
            max_length: usize::try_from(options.integer("max-length")?)?,
            comparisons: options.bool("comparisons")?,
            dictionary: options.bool("dictionary")?,
            long_runs: options.bool("long-runs")?,
            minimise: options.bool("minimise")?,
        })
    }
}
