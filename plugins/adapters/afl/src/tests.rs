//! Bytes and vectors of inputs, and the harness as text.

use crate::harness::Harness;
use crate::inputs::Width;
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;

#[test]
fn bytes_are_vectors_of_inputs() {
    assert_eq!(Width(4).vector(&[1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 9]), [1, 0xffff_ffff]);
    assert_eq!(Width(1).vector(&[7, 255]), [7, 255]);
    assert_eq!(Width(8).vector(&[0; 7]), Vec::<u64>::new());
    let seeds = Width(4).seeds(&Inputs::default());
    assert!(seeds.len() >= 3 && seeds.iter().all(|seed| seed.len() % 4 == 0));
}

#[test]
fn a_harness_reads_inputs_and_traps_at_the_error() {
    let task = testing::two_inputs();
    let program = task.program();
    let text = Harness::around(program, &task.task().targets, Width::of(program));
    assert!(text.contains("__tandem_next(4)") && text.contains("__builtin_trap"), "{text}");
}
