//! Random programs for checks of analyses. A seed names a program. Their only undefined behaviour is the use of
//! uninitialised locals and the overflow of signed integers, which wraps here.

pub mod errors;
pub mod memory;

use tandem_plugin_api::program::DataModel;

/// A small deterministic generator (xorshift64*).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        (self.number() >> 16) % bound
    }

    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// The text that a seed names, and for which machine it is compiled.
pub fn program(seed: u64) -> (String, DataModel) {
    let model = if seed.is_multiple_of(3) { DataModel::Ilp32 } else { DataModel::Lp64 };
    // Large programs with much memory are for the few analyses that get through them.
    let text = if seed % 5 == 4 { memory::program_with_errors(seed) } else { errors::program(seed) };
    (text, model)
}
