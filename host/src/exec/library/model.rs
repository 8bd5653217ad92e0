//! A function of the library that can be executed. The tables of the groups consist of these; what else is known of it stands
//! in the table of `plugin-api` (`library`).

use super::{Call, Stop};

/// How a model is executed. The result is extended to 64 bits as its type says; 0 for `void`.
pub type Run = fn(&mut Call<'_>) -> Result<u64, Stop>;

/// A line of a group's table.
pub struct Model {
    pub name: &'static str,
    /// Further names that are executed in the same way. `__builtin_` before any name is understood without being listed.
    pub aliases: &'static [&'static str],
    pub run: Run,
    /// Executed instead where the result is not used.
    pub run_for_effect: Option<Run>,
}

impl Model {
    pub const fn new(name: &'static str, run: Run) -> Self {
        Model { name, aliases: &[], run, run_for_effect: None }
    }

    pub const fn also(self, aliases: &'static [&'static str]) -> Self {
        Model { aliases, ..self }
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    pub const fn for_effect(self, run: Run) -> Self {
        Model { run_for_effect: Some(run), ..self }
    }
}
