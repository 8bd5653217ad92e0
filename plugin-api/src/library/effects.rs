//! What the table says of a function, as answers to the questions that its users ask.

/// What a function does besides computing its result from the values of its arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects(u16);

impl Effects {
    /// The result depends on the values of the arguments alone.
    pub const PURE: Effects = Effects(0);
    /// Reads memory that its arguments point to.
    pub const READS: Effects = Effects(1);
    /// Depends on earlier calls, or changes what later calls do.
    pub const KEEPS_STATE: Effects = Effects(1 << 1);
    /// Has an effect outside of the program that the program cannot observe.
    pub const PRINTS: Effects = Effects(1 << 2);
    /// Control does not come back to behind the call.
    pub const NEVER_RETURNS: Effects = Effects(1 << 3);
    /// May set `errno`.
    pub const SETS_ERRNO: Effects = Effects(1 << 4);
    /// Calls back, jumps, starts a thread or a process, or may end the program: it does more than the graph of the program shows.
    pub const HIDDEN_CONTROL: Effects = Effects(1 << 5);
    /// Works on files, time and the system. A run may pass over a call whose result is unused.
    pub const OUTSIDE: Effects = Effects(1 << 6);
    /// What it does with a number that it gets, which may be an address, another argument decides.
    pub const TAKES_ADDRESS_AS_NUMBER: Effects = Effects(1 << 7);
    /// Allocates memory for its own use: it calls the `malloc` of a program that has its own.
    pub const CALLS_MALLOC: Effects = Effects(1 << 8);
    /// Other functions of the library call it to allocate.
    pub const SERVES_MALLOC: Effects = Effects(1 << 9);
    /// gcc calls another function that prints in its place: `puts("a")` for `printf("a\n")`.
    pub const REPLACED_BY_PRINTING: Effects = Effects(1 << 10);
    /// gcc calls it in place of another function that prints.
    pub const SERVES_PRINTING: Effects = Effects(1 << 11);
    /// Gives a stream memory of the program's for what is printed.
    pub const GIVES_BUFFER: Effects = Effects(1 << 12);

    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    pub const fn include(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What a call does to the memory of the program. Arguments are meant by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Untouched,
    /// Writes as many bytes as argument `count` says, or fewer, to where argument `to` points.
    Bytes {
        to: usize,
        count: usize,
    },
    /// Writes the byte that argument `byte` says as many times as argument `count` says to where argument `to` points.
    Fill {
        to: usize,
        byte: usize,
        count: usize,
    },
    /// Writes one object of the type that this argument points to, or nothing if it is null.
    Object(usize),
    /// Writes to what its arguments point to, without a known bound.
    Targets,
    /// The result is a new block; the product of these arguments, if there are any, is its size.
    Allocates {
        sizes: &'static [usize],
        life: Life,
    },
    /// The first argument's block is gone, and the result is a new one, which may be at the same place.
    Reallocates {
        sizes: &'static [usize],
    },
    /// The first argument's block is gone, and pointers to it mean nothing.
    Frees,
    /// May write all memory of which the library has an address: from these arguments, from what they lead to, or from earlier calls.
    Anything,
}

/// How long a new block lives, and whether there may be none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Until the caller's frame ends.
    Frame,
    /// Until it is freed. By convention it never fails: lowering gives null for requests that are too large.
    Heap,
    /// Until it is freed; the result may be null.
    HeapOrNull,
}

/// Which implementations of a function there are. Each says what it implements, and tests compare that with the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Models(u8);

impl Models {
    pub const NONE: Models = Models(0);
    /// `host/src/exec/library`: native execution.
    pub const EXECUTION: Models = Models(1);
    /// `host/src/smt/encode/library.rs`: a term for the result, or for what memory is afterwards.
    pub const FORMULA: Models = Models(1 << 1);
    /// `host/src/frontend/library`: C text, which a program that uses the function gets.
    pub const C_TEXT: Models = Models(1 << 2);
    /// The engine `single-run`.
    pub const SINGLE_RUN: Models = Models(1 << 3);
    /// The analysis `interval`: bounds of the result from bounds of the arguments.
    pub const INTERVAL: Models = Models(1 << 5);
    /// Lowering makes other code of its calls (`setjmp`, `longjmp`).
    pub const LOWERED: Models = Models(1 << 4);

    pub const fn and(self, other: Models) -> Models {
        Models(self.0 | other.0)
    }

    pub const fn without(self, other: Models) -> Models {
        Models(self.0 & !other.0)
    }

    pub const fn include(self, other: Models) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Which calls gcc computes itself, although the program defines a function of the name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folding {
    #[default]
    Never,
    /// At most where an argument is a constant.
    Constants,
    /// It may compute any call.
    Any,
    /// It computes all calls.
    Every,
}

/// What gcc knows of a function without a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gcc {
    /// Its type under its own name, in a program that does not declare it.
    pub implicit: bool,
    /// Its type under the name that begins with `__builtin_`.
    pub builtin: bool,
    pub folding: Folding,
    /// It has no effects (`const`, `pure`): a call whose value is not needed is left out.
    pub promises: bool,
    /// A test that gives 0 or 1 where gcc computes it, and only zero or not where the library does.
    pub other_by_pointer: bool,
}
