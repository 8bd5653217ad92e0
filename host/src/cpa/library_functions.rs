//! The host's knowledge about functions without a body, which keeps proofs sound: which functions never return, and
//! which run code of the program in ways that no edge shows.

use crate::exec::library::{has_count, may_touch_memory};
use crate::frontend::is_verifier_function;
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::program::{CallSite, CallSiteId, Callee, EdgeId, ExprId, ExprKind, Op, Program, Storage};

/// They end the process: no edge after a call of them is ever passed.
const NEVER_RETURN: [&str; 8] =
    ["abort", "exit", "_exit", "_Exit", "quick_exit", "__assert_fail", "__assert_perror_fail", "__assert"];

/// They start threads, call back, or jump: the program does more than its graph shows.
const HIDDEN_CONTROL: [&str; 32] = [
    "pthread_create",
    "thrd_create",
    "fork",
    "vfork",
    "clone",
    "signal",
    "sigaction",
    "sigset",
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "atexit",
    // Functions that were registered for the end of the program run, or a function that prints its name.
    "err",
    "errx",
    "verr",
    "verrx",
    "error",
    "error_at_line",
    "pthread_exit",
    "thrd_exit",
    "on_exit",
    "at_quick_exit",
    "qsort",
    "qsort_r",
    "bsearch",
    "makecontext",
    "swapcontext",
    "setcontext",
];

/// Functions that print, with the index of the format: by `%n` they write to memory, which only executions follow.
const FORMATTED: [(&str, usize); 22] = [
    ("sprintf", 1),
    ("vsprintf", 1),
    ("snprintf", 2),
    ("vsnprintf", 2),
    ("__sprintf_chk", 3),
    ("__vsprintf_chk", 3),
    ("__snprintf_chk", 4),
    ("__vsnprintf_chk", 4),
    ("printf", 0),
    ("vprintf", 0),
    ("fprintf", 1),
    ("vfprintf", 1),
    ("dprintf", 1),
    ("vdprintf", 1),
    ("__printf_chk", 1),
    ("warn", 0),
    ("vwarn", 0),
    ("warnx", 0),
    ("vwarnx", 0),
    ("syslog", 1),
    ("vsyslog", 1),
    ("__fprintf_chk", 2),
];

/// Functions that print or open streams, and others that allocate.
const CALLED_BY_LIBRARY: [(&[&str], &[&str]); 2] = [
    (
        &[
            "asprintf",
            "fclose",
            "fdopen",
            "fgetc",
            "fgets",
            "fopen",
            "fprintf",
            "fputc",
            "fputs",
            "fread",
            "freopen",
            "fscanf",
            "fwrite",
            "getc",
            "getchar",
            "getcwd",
            "getdelim",
            "getline",
            "opendir",
            "perror",
            "popen",
            "printf",
            "putc",
            "putchar",
            "putenv",
            "puts",
            "realpath",
            "scanf",
            "setenv",
            "setlocale",
            "strdup",
            "strndup",
            "syslog",
            "tmpfile",
            "vasprintf",
            "vfprintf",
            "vprintf",
            "warn",
            "warnx",
        ],
        &["malloc", "calloc", "realloc", "free"],
    ),
    // gcc makes `puts("a")` of `printf("a\n")`.
    (&["printf", "fprintf", "fputs", "vprintf", "vfprintf"], &["puts", "putchar", "fputc", "fputs", "fwrite", "putc"]),
];

/// The meaning of an edge for a proof, beyond what the analyses see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Plain,
    /// No edge comes after it.
    End,
    Convention(String),
    /// The program goes on, but a proof is invalid.
    Unsound(String),
    /// As above, and nothing is known about what comes after the edge.
    Unknown(String),
}

pub fn meaning(program: &Program, edge: EdgeId) -> Meaning {
    let place = || place(program, edge);
    match &program.edge(edge).op {
        Op::Unsupported(id) => {
            Meaning::Unknown(format!("unsupported: {} ({})", program.unsupported[id.index()].what, place()))
        }
        Op::Havoc { .. } => Meaning::Convention(format!("inline assembly gives its outputs any value ({})", place())),
        Op::External(site) => external(program, *site, edge),
        _ => Meaning::Plain,
    }
}

/// What an engine's proof rests on. Its way through the program is not known, so everything that the graph reaches
/// counts.
pub fn graph_soundness(program: &Program) -> Soundness {
    let reached = program.reachable_locations();
    let mut notes = Soundness::clean();
    for edge in program.edge_ids().filter(|edge| reached[program.edge(*edge).from.index()]) {
        match meaning(program, edge) {
            Meaning::Plain | Meaning::End => {}
            Meaning::Convention(what) => notes.convention(what),
            Meaning::Unsound(what) | Meaning::Unknown(what) => notes.unsound(what),
        }
    }
    notes
}

fn external(program: &Program, site: CallSiteId, edge: EdgeId) -> Meaning {
    let Callee::Function(callee) = program.call_site(site).callee else {
        return Meaning::Convention(format!("function without a body, called by a pointer ({})", place(program, edge)));
    };
    let name = program.function(callee).name.as_str();
    if NEVER_RETURN.contains(&name) {
        Meaning::End
    } else if let Some(own) = called_by_library(program, name) {
        Meaning::Unsound(format!("{name} may call `{own}`, which the program defines ({})", place(program, edge)))
    } else if HIDDEN_CONTROL.contains(&name) {
        Meaning::Unsound(format!("{name} runs code in ways that are not followed ({})", place(program, edge)))
    } else if writes_a_count(program, program.call_site(site), name) {
        Meaning::Unsound(format!("{name} may write through %n, which is not followed ({})", place(program, edge)))
    } else if may_touch_memory(program, program.call_site(site)) {
        let what = "is a function of the C library that is not followed: it gets a pointer and may write or call back";
        Meaning::Unsound(format!("{name} {what} ({})", place(program, edge)))
    } else if is_verifier_function(name) || name == "__builtin_alloca" || name.starts_with("__builtin_stack_") {
        Meaning::Plain
    } else {
        Meaning::Convention(format!("function without a body: {name}"))
    }
}

/// A function of the program that a function of the C library may call, or that gcc calls in its place.
fn called_by_library(program: &Program, name: &str) -> Option<&'static str> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let groups = CALLED_BY_LIBRARY.iter().filter(|(callers, _)| callers.contains(&plain));
    let mut own = groups.flat_map(|(_, called)| called.iter().copied());
    own.find(|called| program.function_named(called).is_some_and(|id| program.function(id).body.is_some()))
}

/// Whether a call may have `%n` in its format, and a pointer for it.
fn writes_a_count(program: &Program, call: &CallSite, name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let Some((_, at)) = FORMATTED.iter().find(|(known, _)| *known == plain) else { return false };
    let is_pointer = |argument: &ExprId| program.types.is_pointer(program.exprs.ty(*argument));
    let rest = call.arguments.get(at + 1..).unwrap_or_default();
    let has_pointer = plain.starts_with('v') || rest.iter().any(is_pointer);
    let format = call.arguments.get(*at).and_then(|format| literal(program, *format));
    has_pointer && format.is_none_or(|format| has_count(&format))
}

/// The bytes of a string literal that an expression is the address of.
fn literal(program: &Program, mut expr: ExprId) -> Option<Vec<u8>> {
    while let ExprKind::Cast(inner) = program.exprs.kind(expr) {
        expr = inner;
    }
    let ExprKind::AddressOf(place) = program.exprs.kind(expr) else { return None };
    let ExprKind::Index { base, .. } = program.exprs.kind(place) else { return None };
    let ExprKind::Var(variable) = program.exprs.kind(base) else { return None };
    let variable = program.variable(variable);
    let unit = |value: ExprId| match program.exprs.kind(value) {
        ExprKind::Int(unit) => Some(unit as u8),
        _ => None,
    };
    (variable.storage == Storage::StringLiteral)
        .then(|| variable.initializer.iter().map(|initial| unit(initial.value)).collect())
        .flatten()
}

/// File and line, for messages.
pub fn place(program: &Program, edge: EdgeId) -> String {
    let span = program.edge(edge).span;
    if span.is_somewhere() { format!("{}:{}", program.file_name(span), span.line) } else { edge.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::testing::ProgramBuilder;

    #[test]
    fn calls_without_a_body_are_told_apart() {
        let mut builder = ProgramBuilder::new("f.c");
        let main = builder.function("main");
        let (entry, exit) = builder.body(main);
        for name in ["abort", "pthread_create", "__VERIFIER_atomic_begin", "foo"] {
            let callee = builder.declare(name);
            builder.call(entry, exit, callee, &[]);
        }
        builder.unsupported(entry, exit, "asm goto");
        let program = builder.finish(main);
        let meanings: Vec<_> = program.edge_ids().map(|edge| meaning(&program, edge)).collect();
        assert_eq!(meanings[0], Meaning::End);
        assert!(matches!(&meanings[1], Meaning::Unsound(text) if text.contains("pthread_create")));
        assert_eq!(meanings[2], Meaning::Plain);
        assert_eq!(meanings[3], Meaning::Convention("function without a body: foo".into()));
        assert_eq!(meanings[4], Meaning::Unknown("unsupported: asm goto (f.c:5)".into()));
        let notes = graph_soundness(&program);
        assert_eq!((notes.conventions().len(), notes.unsound_steps().len()), (1, 2));
    }
}
