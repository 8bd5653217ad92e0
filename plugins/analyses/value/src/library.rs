//! The effects of functions without a body on memory.

/// The effect of a call on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No memory of the program changes.
    None,
    /// Only the targets of its pointer arguments may change.
    WritesTargets,
    /// The result is a new block.
    Allocates,
    /// The block that its argument points to is gone, and pointers to it are invalid.
    Frees,
    /// Everything that its pointer arguments lead to may change.
    Unknown,
}

const NO_EFFECT: [&str; 54] = [
    "abort",
    "exit",
    "printf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "fprintf",
    "vprintf",
    "vfprintf",
    "fflush",
    "perror",
    "strlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "memcmp",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "memchr",
    "atoi",
    "atol",
    "atof",
    "isalpha",
    "isdigit",
    "isspace",
    "isupper",
    "islower",
    "toupper",
    "tolower",
    "abs",
    "labs",
    "fabs",
    "sqrt",
    "floor",
    "ceil",
    "pow",
    "sin",
    "cos",
    "exp",
    "log",
    "fmod",
    "rand",
    "srand",
    "__assert_fail",
    "__builtin_expect",
    "__builtin_object_size",
    "strnlen",
    "assert",
];

const WRITES_TARGETS: [&str; 18] = [
    "memset", "memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat", "sprintf", "snprintf", "frexp", "modf",
    "modff", "frexpf", "bzero", "stpcpy", "mempcpy", "rand_r", "time",
];

const ALLOCATES: [&str; 4] = ["malloc", "calloc", "alloca", "__builtin_alloca"];

pub fn effect(name: &str) -> Effect {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    if NO_EFFECT.contains(&plain) || NO_EFFECT.contains(&name) {
        Effect::None
    } else if WRITES_TARGETS.contains(&plain) {
        Effect::WritesTargets
    } else if ALLOCATES.contains(&name) {
        Effect::Allocates
    } else if plain == "free" {
        Effect::Frees
    } else {
        Effect::Unknown
    }
}
