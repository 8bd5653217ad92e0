//! Names of the C library and POSIX: a function with such a name is not a function of the program that touches nothing.
//! One that has neither a model nor a place in the list below may do anything.

use super::Function;
use crate::frontend::is_library_name;
use tandem_plugin_api::program::{CallSite, Callee, ExprId, ExprKind, Program};

/// They have pointers as parameters, but write nothing through them that the program could read, and call nothing: they
/// read text, work on streams and files, or on objects that only the library looks into.
const ONLY_OUTSIDE: [&str; 94] = [
    "access",
    "acct",
    "bind",
    "chdir",
    "chmod",
    "chown",
    "chroot",
    "clearerr",
    "closedir",
    "closelog",
    "connect",
    "creat",
    "creat64",
    "dcgettext",
    "dgettext",
    "dlclose",
    "dlopen",
    "dprintf",
    "err",
    "error",
    "errx",
    "eaccess",
    "execl",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "faccessat",
    "fclose",
    "fdopen",
    "feof",
    "feof_unlocked",
    "ferror",
    "ferror_unlocked",
    "fflush",
    "fflush_unlocked",
    "fgetc",
    "fgetc_unlocked",
    "fgetwc",
    "fileno",
    "flockfile",
    "fopen",
    "fopen64",
    "fputc_unlocked",
    "fputs_unlocked",
    "fputwc",
    "fputws",
    "freopen",
    "fseeko",
    "fseeko64",
    "ftello",
    "ftello64",
    "ftrylockfile",
    "funlockfile",
    "fwrite_unlocked",
    "getc_unlocked",
    "getpwnam",
    "gettext",
    "lchown",
    "link",
    "mkdir",
    "mkfifo",
    "mknod",
    "openat",
    "opendir",
    "openlog",
    "pclose",
    "perror",
    "popen",
    "psignal",
    "putc",
    "putc_unlocked",
    "putw",
    "pwrite",
    "pwrite64",
    "rmdir",
    "send",
    "sendto",
    "setlinebuf",
    "strcoll",
    "strverscmp",
    "symlink",
    "syslog",
    "tmpfile",
    "truncate",
    "unlink",
    "unlinkat",
    "unsetenv",
    "verr",
    "verrx",
    "vwarn",
    "vwarnx",
    "warn",
    "warnx",
];

/// Functions whose other arguments decide what they do with a number, which may be an address.
const TAKE_NUMBERS: [&str; 9] =
    ["arch_prctl", "fcntl", "fcntl64", "ioctl", "keyctl", "prctl", "ptrace", "semctl", "syscall"];

/// Whether the C library defines a function of this name, and no model says what it does.
pub fn is_unmodelled(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    is_library_name(plain) && Function::named(name).is_none()
}

/// Whether a call without a body is one of the C library that may write through its arguments, or call back.
pub fn may_touch_memory(program: &Program, call: &CallSite) -> bool {
    let Callee::Function(callee) = call.callee else { return false };
    let name = program.function(callee).name.as_str();
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let points =
        |argument: &ExprId| program.types.is_pointer(program.exprs.ty(*argument)) && !is_null(program, *argument);
    // A union may hold a pointer, and so may a number.
    let hides = |argument: &ExprId| {
        let ty = program.exprs.ty(*argument);
        !program.types.is_scalar(ty) || is_number_of_address(program, *argument)
    };
    // As wide as an address.
    let is_wide =
        |argument: &ExprId| program.types.size_of(program.exprs.ty(*argument)) >= Some(program.types.model.word());
    let by_number = |argument: &ExprId| {
        TAKE_NUMBERS.contains(&plain) && is_wide(argument) && program.exprs.as_int(*argument).is_none()
    };
    is_unmodelled(name)
        && (!ONLY_OUTSIDE.contains(&plain) && call.arguments.iter().any(points)
            || call.arguments.iter().any(|argument| hides(argument) || by_number(argument)))
}

/// Whether a number is made of an address.
fn is_number_of_address(program: &Program, expr: ExprId) -> bool {
    match program.exprs.kind(expr) {
        ExprKind::Cast(inner) => {
            program.types.is_pointer(program.exprs.ty(inner)) && !is_null(program, inner)
                || is_number_of_address(program, inner)
        }
        ExprKind::Binary { lhs, rhs, .. } => is_number_of_address(program, lhs) || is_number_of_address(program, rhs),
        ExprKind::Unary { operand, .. } => is_number_of_address(program, operand),
        _ => false,
    }
}

fn is_null(program: &Program, mut expr: ExprId) -> bool {
    while let ExprKind::Cast(inner) = program.exprs.kind(expr) {
        expr = inner;
    }
    program.exprs.as_int(expr) == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_c_library_are_known() {
        for name in ["pthread_once", "lfind", "gmtime_r", "wcscpy", "swab", "__builtin_stpncpy"] {
            assert!(is_unmodelled(name), "{name}");
        }
        for name in ["memcpy", "printf", "printk", "foo", "ldv_malloc", "strlcpy"] {
            assert!(!is_unmodelled(name), "{name}");
        }
        assert!(ONLY_OUTSIDE.iter().all(|name| is_library_name(name)), "a name that glibc does not define");
    }
}
