//! The table of library functions: our front end reads its prototypes, and gcc's headers agree with them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::fs;
use std::process::Command;
use tandem::frontend::load_text;
use tandem_plugin_api::kit::testing::skip;
use tandem_plugin_api::library::LibraryFunction;
use tandem_plugin_api::program::{DataModel, Type};

/// The types, with gcc's names for those that depend on the data model.
fn types(model: DataModel) -> String {
    let (size, widest) = match model {
        DataModel::Ilp32 => ("unsigned int", "long long"),
        DataModel::Lp64 => ("unsigned long", "long"),
    };
    let unsigned_widest = format!("unsigned {widest}");
    let named = [
        ("__SIZE_TYPE__", size),
        ("__WCHAR_TYPE__", if model == DataModel::Ilp32 { "long" } else { "int" }),
        ("__WINT_TYPE__", "unsigned int"),
        ("__UINTMAX_TYPE__", &unsigned_widest),
        ("__INTMAX_TYPE__", widest),
        ("__UINT64_TYPE__", &unsigned_widest),
        ("__INTPTR_TYPE__", if model == DataModel::Ilp32 { "int" } else { "long" }),
    ];
    named.iter().fold(TYPES.to_string(), |text, (name, meaning)| text.replace(name, meaning))
}

/// Types of headers, as far as a prototype needs them.
const TYPES: &str = "
typedef __SIZE_TYPE__ size_t; typedef __WCHAR_TYPE__ wchar_t; typedef __WINT_TYPE__ wint_t;
typedef __INTMAX_TYPE__ intmax_t; typedef __UINTMAX_TYPE__ uintmax_t; typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t; typedef __builtin_va_list va_list;
typedef long ssize_t, off_t, time_t, clock_t; typedef long long off64_t;
typedef unsigned mode_t, uid_t, gid_t, socklen_t, useconds_t; typedef int clockid_t;
typedef unsigned long pthread_t, thrd_t, nfds_t; typedef unsigned long long dev_t;
typedef struct { int opaque; } FILE, DIR, fd_set, ucontext_t, pthread_attr_t, pthread_mutex_t, pthread_mutexattr_t,
    pthread_cond_t, pthread_condattr_t;
typedef struct { int quot, rem; } div_t; typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t; typedef struct { intmax_t quot, rem; } imaxdiv_t;
typedef void (*__sighandler_t)(int); typedef int (*thrd_start_t)(void *); enum __ptrace_request { NONE };
struct sockaddr; struct stat; struct pollfd; struct timeval; struct timespec; struct tm; struct passwd; struct sigaction;
struct __jmp_buf_tag;
";

const HEADERS: &str = "alloca assert ctype dirent dlfcn err errno error fcntl fenv inttypes libintl locale malloc math poll pthread pwd \
    sched search setjmp signal stdarg stdint stdio stdlib string strings sys/ioctl sys/mman sys/prctl sys/ptrace sys/reboot \
    sys/select sys/sem sys/stat sys/time sys/types sys/wait syslog threads time ucontext unistd wchar";

/// Sockets take a union of pointers for gcc (`__CONST_SOCKADDR_ARG`), so their header is left out.
const BESIDE_HEADERS: &str = "struct sockaddr; typedef unsigned int socklen_t;";

#[test]
fn the_front_end_reads_each_prototype_as_the_table_does() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        for function in LibraryFunction::all() {
            let text = format!("{}{};\nint main(void) {{ return 0; }}\n", types(model), function.declaration());
            let program = load_text(&text, "prototype.c", model);
            let program = program.unwrap_or_else(|problem| panic!("{}: {problem}", function.declaration()));
            let id = program.function_named(function.name()).unwrap_or_else(|| panic!("{}", function.name()));
            let Type::Function { result, parameters, variadic, .. } = program.types.get(program.function(id).ty) else {
                panic!("{} is no function", function.name());
            };
            let prototype = function.prototype();
            assert_eq!((parameters.len(), *variadic), (prototype.parameters.len(), prototype.variadic), "{text}");
            let passes_struct =
                parameters.iter().chain([result]).any(|ty| matches!(program.types.get(*ty), Type::Composite(_)));
            let fits = prototype.fits(&program.types, parameters, Some(*result));
            assert!(fits != passes_struct, "{} ({model:?})", function.declaration());
        }
    }
}

#[test]
fn gcc_agrees_with_each_prototype() {
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !is_there("gcc") {
        return skip("gcc");
    }
    let mut text = "#define _GNU_SOURCE\n".to_string();
    for header in HEADERS.split_whitespace() {
        writeln!(text, "#include <{header}.h>").unwrap();
    }
    writeln!(text, "{BESIDE_HEADERS}").unwrap();
    for function in LibraryFunction::all() {
        // Headers have macros of some names.
        writeln!(text, "#undef {}\n{};", function.name(), function.declaration()).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("prototypes.c");
    fs::write(&file, text).unwrap();
    for machine in ["-m32", "-m64"] {
        let arguments =
            [machine, "-fsyntax-only", "-Wall", "-Werror", "-Wno-array-parameter", "-Wno-deprecated-declarations"];
        let ran = Command::new("gcc").args(arguments).arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        if said.contains("No such file or directory") {
            return skip(&format!("gcc {machine}: headers are missing"));
        }
        assert!(ran.status.success(), "{machine}: {said}");
    }
}
