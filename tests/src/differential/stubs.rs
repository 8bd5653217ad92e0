//! Definitions for names that a program only declares: functions that log their arguments and return chosen values,
//! objects that are zero, and ways to the few functions of the C library that compute nothing but their result.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tandem_plugin_api::program::{FloatKind, IntKind, Program, Storage, Type, TypeId};

/// The prefix that all symbols of the program under test carry.
pub(super) const PREFIX: &str = "p_";

/// Functions of the C library that may really be called: they depend on nothing but their arguments, and call nothing
/// but a function that they are given.
const LIBRARY: &[&str] = &[
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "strlen",
    "strnlen",
    "strcpy",
    "strncpy",
    "strcmp",
    "strncmp",
    "strcat",
    "strncat",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "strcasecmp",
    "strncasecmp",
    "atoi",
    "atol",
    "atoll",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "div",
    "ldiv",
    "lldiv",
    "qsort",
    "bsearch",
    "lfind",
    "lsearch",
    "setjmp",
    "_setjmp",
    "longjmp",
    "_longjmp",
    "abs",
    "labs",
    "llabs",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "isdigit",
    "isalpha",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "toupper",
    "tolower",
    "fabs",
    "fabsf",
    "fabsl",
    "floor",
    "floorf",
    "floorl",
    "ceil",
    "ceilf",
    "ceill",
    "sqrt",
    "sqrtf",
    "sqrtl",
    "sin",
    "sinf",
    "cos",
    "cosf",
    "tan",
    "tanf",
    "asin",
    "acos",
    "atan",
    "atan2",
    "exp",
    "expf",
    "log",
    "logf",
    "log10",
    "pow",
    "powf",
    "fmod",
    "fmodf",
    "fmodl",
    "trunc",
    "truncf",
    "truncl",
    "round",
    "roundf",
    "roundl",
    "lround",
    "lroundf",
    "llround",
    "rint",
    "rintf",
    "rintl",
    "lrint",
    "lrintf",
    "nearbyint",
    "nearbyintf",
    "nearbyintl",
    "fmin",
    "fminf",
    "fminl",
    "fmax",
    "fmaxf",
    "fmaxl",
    "fdim",
    "fdimf",
    "fdiml",
    "copysign",
    "copysignf",
    "copysignl",
    "modf",
    "modff",
    "frexp",
    "ldexp",
    "remainder",
    "remainderf",
    "isnan",
    "isnanf",
    "isinf",
    "isinff",
    "finite",
    "finitef",
    "__isnan",
    "__isnanf",
    "__isnanl",
    "__isinf",
    "__isinff",
    "__isinfl",
    "__finite",
    "__finitef",
    "__finitel",
    "__signbit",
    "__signbitf",
    "__signbitl",
    "__fpclassify",
    "__fpclassifyf",
    "__fpclassifyl",
    "fegetround",
    "fesetround",
];

const DECLARATIONS: &str = "\
void harness_call(const char *); void harness_int(long long); void harness_float(long double);\n\
void harness_pointer(const void *); void harness_void(void); long long harness_pick_int(int, int);\n\
long double harness_pick_float(int); void *harness_pick_pointer(void);\n";

/// C text that defines the given symbols (with prefix), and lists the objects whose last values are compared.
pub(super) fn stubs(program: &Program, symbols: &BTreeSet<String>, compared: &BTreeMap<String, u64>) -> String {
    let mut out = String::from(DECLARATIONS);
    let mut blocks = BTreeSet::new();
    let mut definitions = String::new();
    for symbol in symbols {
        let Some(name) = symbol.strip_prefix(PREFIX) else { continue };
        let function = program.function_named(name).map(|id| program.function(id));
        let object = program.variables.iter().find(|v| v.storage == Storage::Extern && v.name == name);
        match (function, object) {
            (Some(function), _) if !LIBRARY.contains(&name) => {
                definitions.push_str(&stub(program, name, function.ty, &mut blocks));
            }
            (None, Some(object)) => {
                let size = program.types.size_of(object.ty).unwrap_or(4096).max(1);
                let _ = writeln!(definitions, "char {symbol}[{size}] __attribute__((aligned(16)));");
            }
            // The library's own, or what the compiler itself calls (64-bit division on i386, …). A jump passes on
            // arguments of any type.
            _ => {
                let _ = writeln!(definitions, "__asm__(\".globl {symbol}\\n{symbol}: jmp {name}\\n\");");
            }
        }
    }
    for size in blocks {
        let _ = writeln!(out, "struct block_{size} {{ char bytes[{size}]; }};");
    }
    out + &definitions + &globals_table(compared)
}

/// The names (with prefix) that file-scope variables have in both versions, where their bytes can be compared:
/// numbers and arrays of numbers, but no pointers, nor types with padding.
pub(super) fn comparable_globals(program: &Program) -> BTreeSet<String> {
    let plain = |ty: TypeId| {
        let mut at = ty;
        while let Some(element) = program.types.element(at) {
            at = element;
        }
        matches!(program.types.get(at), Type::Int(_) | Type::Float(FloatKind::Float | FloatKind::Double))
    };
    let variables = program.variables.iter();
    variables
        .filter(|v| v.storage == Storage::Global && v.function.is_none() && v.name == v.unique_name && plain(v.ty))
        .map(|v| format!("{PREFIX}{}", v.name))
        .collect()
}

fn globals_table(compared: &BTreeMap<String, u64>) -> String {
    let mut out = String::new();
    for name in compared.keys() {
        // An optimised build may have no such object any more.
        let _ = writeln!(out, "extern unsigned char {name}[] __attribute__((weak));");
    }
    out.push_str(
        "const struct { const char *name; unsigned char *start; unsigned long size; } harness_globals[] = {\n",
    );
    for (name, size) in compared {
        let _ = writeln!(out, "  {{\"{}\", {name}, {size}}},", name.trim_start_matches(PREFIX));
    }
    out.push_str("  {0, 0, 0}\n};\n");
    out
}

fn stub(program: &Program, name: &str, ty: TypeId, blocks: &mut BTreeSet<u64>) -> String {
    let Type::Function { result, parameters, variadic, prototyped } = program.types.get(ty) else {
        return String::new();
    };
    let mut declared = Vec::new();
    let mut body = format!("  harness_call(\"{name}\");\n");
    if *prototyped {
        for (at, &parameter) in parameters.iter().enumerate() {
            declared.push(format!("{} a{at}", plain_type(program, parameter, blocks)));
            let log = match program.types.get(parameter) {
                Type::Int(_) => "harness_int",
                Type::Float(_) => "harness_float",
                Type::Pointer(_) => "harness_pointer",
                _ => continue,
            };
            let _ = writeln!(body, "  {log}(a{at});");
        }
    }
    if *variadic && !declared.is_empty() {
        declared.push("...".into());
    }
    body.push_str(&match program.types.get(*result) {
        Type::Void => "  harness_void();\n".to_string(),
        Type::Int(kind) => {
            let bits = kind.bits(program.types.model).min(64);
            format!("  return harness_pick_int({bits}, {});\n", u8::from(kind.is_signed()))
        }
        Type::Float(kind) => {
            format!("  return harness_pick_float({});\n", if *kind == FloatKind::Float { 4 } else { 8 })
        }
        Type::Pointer(_) => "  return harness_pick_pointer();\n".to_string(),
        _ => {
            let ty = plain_type(program, *result, blocks);
            format!("  harness_void();\n  {ty} nothing = {{0}};\n  return nothing;\n")
        }
    });
    let result = plain_type(program, *result, blocks);
    format!("{result} {PREFIX}{name}({})\n{{\n{body}}}\n", declared.join(", "))
}

/// A type that is passed in the same way.
fn plain_type(program: &Program, ty: TypeId, blocks: &mut BTreeSet<u64>) -> String {
    match program.types.get(ty) {
        Type::Void => "void".into(),
        Type::Int(IntKind::Int128 | IntKind::UInt128) => "__int128".into(),
        Type::Int(kind) => kind.c_name().into(),
        Type::Float(kind) => kind.c_name().into(),
        Type::Pointer(_) | Type::Function { .. } | Type::Array { .. } | Type::IncompleteArray { .. } => "void *".into(),
        Type::Composite(_) => {
            let size = program.types.size_of(ty).unwrap_or(1);
            blocks.insert(size);
            format!("struct block_{size}")
        }
    }
}
