//! The table itself: a file for each family of headers. A line has a prototype as the header declares it, and what is known beyond it.

mod builtins;
mod characters;
mod control;
mod files;
mod heap;
mod math;
mod memory;
mod numbers;
mod output;
mod strings;
mod system;
mod threads;

use super::entry::Entry;

pub(super) const GROUPS: [&[Entry]; 12] = [
    builtins::FUNCTIONS,
    characters::FUNCTIONS,
    control::FUNCTIONS,
    files::FUNCTIONS,
    heap::FUNCTIONS,
    math::FUNCTIONS,
    memory::FUNCTIONS,
    numbers::FUNCTIONS,
    output::FUNCTIONS,
    strings::FUNCTIONS,
    system::FUNCTIONS,
    threads::FUNCTIONS,
];
