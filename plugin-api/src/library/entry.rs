//! A line of the table, and the words in which the table is written.

use super::effects::{Effects, Folding, Gcc, Life, Memory, Models};

/// See [`super::LibraryFunction`], which is made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// As a header declares it.
    pub prototype: &'static str,
    /// Further names of the same function, which differ in nothing else.
    pub aliases: &'static [&'static str],
    /// There are a `float` form, whose name ends with `f`, and a `long double` form, whose name ends with `l`; no model takes the latter.
    pub of_floats: bool,
    pub effects: Effects,
    pub memory: Memory,
    pub models: Models,
    /// Bounds of an integer result, where they are narrower than its type.
    pub range: Option<(i64, i64)>,
    /// The argument that is the result.
    pub returned: Option<usize>,
    /// The argument that is a format of `printf`.
    pub format: Option<usize>,
    pub gcc: Gcc,
}

impl Entry {
    const fn new(prototype: &'static str, effects: Effects, models: Models) -> Entry {
        let gcc =
            Gcc { implicit: false, builtin: false, folding: Folding::Never, promises: false, other_by_pointer: false };
        let memory = Memory::Untouched;
        Entry {
            prototype,
            aliases: &[],
            of_floats: false,
            effects,
            memory,
            models,
            range: None,
            returned: None,
            format: None,
            gcc,
        }
    }

    pub const fn also(self, aliases: &'static [&'static str]) -> Entry {
        Entry { aliases, ..self }
    }

    pub const fn of_floats(self) -> Entry {
        Entry { of_floats: true, ..self }
    }

    pub const fn with(self, effects: Effects) -> Entry {
        Entry { effects: self.effects.and(effects), ..self }
    }

    const fn memory(self, memory: Memory) -> Entry {
        Entry { memory, ..self }
    }

    pub const fn writes_bytes(self, to: usize, count: usize) -> Entry {
        self.memory(Memory::Bytes { to, count })
    }

    pub const fn fills(self, to: usize, byte: usize, count: usize) -> Entry {
        self.memory(Memory::Fill { to, byte, count })
    }

    pub const fn writes_object(self, at: usize) -> Entry {
        self.memory(Memory::Object(at))
    }

    pub const fn writes_targets(self) -> Entry {
        self.memory(Memory::Targets)
    }

    pub const fn writes_anything(self) -> Entry {
        self.memory(Memory::Anything)
    }

    pub const fn allocates(self, sizes: &'static [usize], life: Life) -> Entry {
        self.memory(Memory::Allocates { sizes, life })
    }

    pub const fn reallocates(self, sizes: &'static [usize]) -> Entry {
        self.memory(Memory::Reallocates { sizes })
    }

    pub const fn frees(self) -> Entry {
        self.memory(Memory::Frees)
    }

    pub const fn between(self, low: i64, high: i64) -> Entry {
        Entry { range: Some((low, high)), ..self }
    }

    pub const fn returning(self, argument: usize) -> Entry {
        Entry { returned: Some(argument), ..self }
    }

    pub const fn format(self, argument: usize) -> Entry {
        Entry { format: Some(argument), ..self }
    }

    pub const fn modelled(self, models: Models) -> Entry {
        Entry { models: self.models.and(models), ..self }
    }

    pub const fn without(self, models: Models) -> Entry {
        Entry { models: self.models.without(models), ..self }
    }

    /// gcc knows its type without a declaration.
    pub const fn implicit(self) -> Entry {
        Entry { gcc: Gcc { implicit: true, builtin: true, ..self.gcc }, ..self }
    }

    /// gcc has it under its `__builtin_` name only.
    pub const fn builtin(self) -> Entry {
        Entry { gcc: Gcc { builtin: true, ..self.gcc }, ..self }
    }

    pub const fn folding(self, folding: Folding) -> Entry {
        Entry { gcc: Gcc { folding, ..self.gcc }, ..self }
    }

    pub const fn promises(self) -> Entry {
        Entry { gcc: Gcc { promises: true, ..self.gcc }, ..self }
    }

    pub const fn other_by_pointer(self) -> Entry {
        Entry { gcc: Gcc { other_by_pointer: true, ..self.gcc }, ..self }
    }

    /// The forms for the types of floats, each with the declaration of one name.
    pub(super) fn forms(&self) -> Vec<(String, Entry)> {
        let own = || (self.prototype.to_owned(), *self);
        let mut forms = vec![own()];
        let name = name_of(self.prototype);
        for alias in self.aliases {
            forms.push((rename(self.prototype, name, alias), *self));
        }
        if self.of_floats {
            for (suffix, ty) in [("f", "float"), ("l", "long double")] {
                let declaration = rename(self.prototype, name, &format!("{name}{suffix}")).replace("double", ty);
                // No model takes a `long double`, and no `float` differs in anything.
                let models = if suffix == "l" { Models::NONE } else { self.models };
                forms.push((declaration, Entry { models, ..*self }));
            }
        }
        forms
    }
}

/// The name that a prototype declares: what stands before the first parenthesis.
pub(super) fn name_of(prototype: &str) -> &str {
    let head = prototype.split('(').next().unwrap_or_default().trim_end();
    head.rsplit([' ', '*']).next().unwrap_or_default()
}

fn rename(prototype: &str, from: &str, to: &str) -> String {
    prototype.replacen(&format!("{from}("), &format!("{to}("), 1)
}

/// The result depends on the values of the arguments alone.
pub const fn pure(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::PURE, Models::EXECUTION)
}

/// Reads what its arguments point to.
pub const fn reads(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::READS, Models::EXECUTION)
}

/// Depends on what was called before, or changes what is called later.
pub const fn stateful(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::KEEPS_STATE, Models::EXECUTION)
}

/// Prints values.
pub const fn prints(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::PRINTS, Models::EXECUTION)
}

/// Prints text that it reads from memory.
pub const fn prints_text(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::PRINTS.and(Effects::READS), Models::EXECUTION)
}

/// Ends the program.
pub const fn ends(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::NEVER_RETURNS, Models::EXECUTION)
}

/// Works on the outside only, and has no model: a run may pass over it if its result is unused.
pub const fn outside(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::OUTSIDE.and(Effects::READS), Models::NONE)
}

/// Writes nothing, and has no model: its result comes from outside, or a run cannot go on behind it as if nothing had happened.
pub const fn input(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::READS, Models::NONE)
}

/// Calls back, jumps, or starts something, and has no model.
pub const fn hidden(prototype: &'static str) -> Entry {
    Entry::new(prototype, Effects::HIDDEN_CONTROL.and(Effects::READS), Models::NONE).writes_anything()
}
