//! Inputs as bytes: every input takes the same number of bytes, so that bytes are a vector of inputs whatever the types of the calls are.

use std::collections::BTreeSet;
use tandem_plugin_api::artifact::{InputValue, ValueType};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::FunctionId;

/// How many bytes an input takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(pub usize);

/// More inputs than this in one seed make AFL++ slow.
const MOST_INPUTS: usize = 4_096;

impl Width {
    /// The width of the widest input that the program reads.
    pub fn of(program: &Program) -> Self {
        let sizes = input_functions(program)
            .into_iter()
            .filter_map(|function| program.types.size_of(program.result_type(function)?));
        Width(sizes.max().map_or(4, |size| size.clamp(1, 8) as usize))
    }

    /// The inputs of a run for these bytes. If the last input lacks bytes it is dropped: the harness ends there.
    pub fn vector(self, bytes: &[u8]) -> Vec<u64> {
        let number = |chunk: &[u8]| chunk.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        bytes.chunks_exact(self.0).map(number).collect()
    }

    fn bytes(self, vector: &[u64]) -> Vec<u8> {
        let cut = &vector[..vector.len().min(MOST_INPUTS)];
        cut.iter().flat_map(|value| value.to_le_bytes()[..self.0].to_vec()).collect()
    }

    /// Seeds: the tests of others, and some vectors that fit any program.
    pub fn seeds(self, inputs: &Inputs) -> Vec<Vec<u8>> {
        let any = ValueType::Int { width: 64, signed: true };
        let bits = |value: &InputValue| {
            let typed = if value.bits().is_some() { Ok(value.clone()) } else { value.typed(any) };
            typed.ok().and_then(|value| value.bits()).map_or(0, |bits| bits as u64)
        };
        let tests = inputs.tests.iter().flat_map(|suite| &suite.tests);
        let known: BTreeSet<Vec<u8>> = tests
            .map(|test| self.bytes(&test.values().map(bits).collect::<Vec<_>>()))
            .filter(|seed| !seed.is_empty())
            .collect();
        let ours = [vec![0; 16], vec![1; 16], (0..16).collect(), vec![u64::MAX; 8]];
        known.into_iter().chain(ours.iter().map(|vector: &Vec<u64>| self.bytes(vector))).collect()
    }
}

/// The functions that read inputs, in the order of their numbers.
pub fn input_functions(program: &Program) -> BTreeSet<FunctionId> {
    let functions = program.edges.iter().filter_map(|edge| match edge.op {
        Op::Input { function, .. } => Some(function),
        _ => None,
    });
    functions.collect()
}
