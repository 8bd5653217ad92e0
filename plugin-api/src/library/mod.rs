//! What is known of the functions of the C library, POSIX and gcc's builtins: the one table of them, which everybody asks who
//! meets a call without a body. [`table`] has the functions; `names.txt` has all names that glibc defines.
//!
//! A user asks a question (does it return? what memory does it write?) and holds no names of its own. Names stand outside of
//! the table only where a function is implemented: such an implementation is claimed in the table by [`Models`], and
//! tests compare the two.

mod calls;
mod effects;
mod entry;
mod prototype;
mod table;
#[cfg(test)]
mod tests;

pub use calls::{called_by_library, has_count, may_touch_memory, memory_of_call, writes_a_count};
pub use effects::{Effects, Folding, Gcc, Life, Memory, Models};
pub use prototype::{CType, Class, Prototype};

use entry::Entry;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// A function of the table. Each name is a function of its own; aliases and the forms for other types of floats share a line.
#[derive(Clone, Debug, PartialEq)]
pub struct LibraryFunction {
    name: String,
    declaration: String,
    prototype: Prototype,
    entry: Entry,
}

static FUNCTIONS: LazyLock<Vec<LibraryFunction>> = LazyLock::new(|| {
    let entries = table::GROUPS.into_iter().flatten().flat_map(Entry::forms);
    // A prototype that does not parse is a mistake in the table; the tests look for one.
    entries.filter_map(|(declaration, entry)| LibraryFunction::of(declaration, entry)).collect()
});

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static LibraryFunction>> =
    LazyLock::new(|| FUNCTIONS.iter().map(|function| (function.name.as_str(), function)).collect());

static NAMES: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| include_str!("names.txt").lines().collect());

/// Whether glibc defines something of this name.
pub fn is_library_name(name: &str) -> bool {
    NAMES.contains(name)
}

/// Whether a function ends the program or jumps away: no edge after a call of it is ever passed.
pub fn never_returns(name: &str) -> bool {
    LibraryFunction::named(name).is_some_and(|function| function.has_effect(Effects::NEVER_RETURNS))
}

/// Whether a function ends the program at once. `err` does not: what was registered for the end runs first.
pub fn ends_program(name: &str) -> bool {
    LibraryFunction::named(name).is_some_and(LibraryFunction::ends_program)
}

impl LibraryFunction {
    fn of(declaration: String, entry: Entry) -> Option<LibraryFunction> {
        let prototype = Prototype::parse(&declaration)?;
        Some(LibraryFunction { name: entry::name_of(&declaration).to_owned(), declaration, prototype, entry })
    }

    /// The function that a program calls by this name, perhaps with `__builtin_` before it.
    pub fn named(name: &str) -> Option<&'static LibraryFunction> {
        BY_NAME.get(name).or_else(|| BY_NAME.get(name.strip_prefix("__builtin_")?)).copied()
    }

    /// All of them, always in the same order.
    pub fn all() -> impl Iterator<Item = &'static LibraryFunction> {
        FUNCTIONS.iter()
    }

    /// As the table has it: without `__builtin_` where both names are known.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The prototype as C text, without a semicolon.
    pub fn declaration(&self) -> &str {
        &self.declaration
    }

    pub fn prototype(&self) -> &Prototype {
        &self.prototype
    }

    pub fn has_effect(&self, effect: Effects) -> bool {
        self.entry.effects.include(effect)
    }

    /// Whether it ends the program at once: nothing that the program's graph does not show runs before.
    pub fn ends_program(&self) -> bool {
        self.has_effect(Effects::NEVER_RETURNS) && !self.has_effect(Effects::HIDDEN_CONTROL)
    }

    /// What a call does to memory that the program has.
    pub fn memory(&self) -> Memory {
        self.entry.memory
    }

    /// Whether there is this implementation.
    pub fn has(&self, models: Models) -> bool {
        self.entry.models.include(models)
    }

    /// Bounds of an integer result, where they are narrower than its type.
    pub fn range(&self) -> Option<(i64, i64)> {
        self.entry.range
    }

    /// The argument that is the result.
    pub fn returned_argument(&self) -> Option<usize> {
        self.entry.returned
    }

    /// The argument that is a format of `printf`.
    pub fn format(&self) -> Option<usize> {
        self.entry.format
    }

    /// What gcc knows of it without a declaration.
    pub fn gcc(&self) -> Gcc {
        self.entry.gcc
    }
}

/// Whether SV-COMP's rules say what a function does, which therefore needs no body.
pub fn is_verifier_function(name: &str) -> bool {
    name.strip_prefix("__VERIFIER_").is_some_and(|rest| {
        rest.starts_with("nondet_") || matches!(rest, "assume" | "error" | "atomic_begin" | "atomic_end")
    })
}
