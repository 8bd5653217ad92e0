//! The closed lists of attributes and pragmas: those without meaning for a verdict, each group with its reason, and
//! those that are implemented. All others are unsupported at their place.

/// Attributes that change neither the behaviour of a program nor the layout of its objects.
const HARMLESS_ATTRIBUTES: &[(&str, &[&str])] = &[
    (
        "promises of the programmer to the optimiser, or hints for it: a program that keeps them behaves the same",
        &[
            "access",
            "alloc_align",
            "alloc_size",
            "always_inline",
            "assume",
            "assume_aligned",
            "artificial",
            "cold",
            "const",
            "expected_throw",
            "fallthrough",
            "flatten",
            "gnu_inline",
            "hot",
            "leaf",
            "likely",
            "malloc",
            "may_alias",
            "musttail",
            "no_icf",
            "noclone",
            "noinline",
            "noipa",
            "nonnull",
            "nothrow",
            "no_reorder",
            "pure",
            "reproducible",
            "returns_nonnull",
            "returns_twice",
            "simd",
            "unlikely",
            "unsequenced",
        ],
    ),
    (
        "for warnings and other checks of the compiler",
        &[
            "counted_by",
            "deprecated",
            "designated_init",
            "error",
            "fd_arg",
            "fd_arg_read",
            "fd_arg_write",
            "format",
            "format_arg",
            "maybe_unused",
            "nodiscard",
            "nonstring",
            "null_terminated_string_arg",
            "sentinel",
            "strict_flex_array",
            "tainted_args",
            "unavailable",
            "uninitialized",
            "unused",
            "warn_if_not_aligned",
            "warn_unused",
            "warn_unused_result",
            "warning",
        ],
    ),
    (
        "for the linker, the loader and tools that work on object files; the program is this one file",
        &[
            "common",
            "dllexport",
            "dllimport",
            "externally_visible",
            "fentry_name",
            "fentry_section",
            "nocommon",
            "nodirect_extern_access",
            "noplt",
            "retain",
            "section",
            "selectany",
            "symver",
            "tls_model",
            "used",
            "visibility",
        ],
    ),
    (
        "instrumentation and protection against attacks",
        &[
            "cf_check",
            "function_return",
            "indirect_branch",
            "indirect_return",
            "ms_hook_prologue",
            "no_address_safety_analysis",
            "no_instrument_function",
            "no_profile_instrument_function",
            "no_sanitize",
            "no_sanitize_address",
            "no_sanitize_coverage",
            "no_sanitize_thread",
            "no_sanitize_undefined",
            "no_split_stack",
            "no_stack_limit",
            "no_stack_protector",
            "nocf_check",
            "patchable_function_entry",
            "stack_protect",
            "zero_call_used_regs",
        ],
    ),
    (
        "how arguments are passed and registers saved, which a program cannot observe",
        &[
            "callee_pop_aggregate_return",
            "cdecl",
            "fastcall",
            "force_align_arg_pointer",
            "ms_abi",
            "no_callee_saved_registers",
            "no_caller_saved_registers",
            "regparm",
            "sseregparm",
            "stdcall",
            "sysv_abi",
            "thiscall",
        ],
    ),
    ("gcc's default", &["gcc_struct"]),
    ("gcc does not know them: they are for other tools", &["ldv_model", "ldv_model_inline"]),
];

/// Attributes that the front end follows, or that make the program unsupported elsewhere.
const IMPLEMENTED_ATTRIBUTES: &[&str] = &[
    "alias",
    "aligned",
    "constructor",
    "destructor",
    "mode",
    "noreturn",
    "packed",
    "tandem_enum",
    "tandem_pack",
    "transparent_union",
    "vector_size",
    "weak",
    "weakref",
];

/// Beginnings of gcc's `-f` options, with or without `no-`, that choose how code is made and not what it does.
const HARMLESS_OPTIONS: &[&str] = &[
    "aggressive-loop-optimizations",
    "align-",
    "caller-saves",
    "code-hoisting",
    "crossjumping",
    "cse-",
    "data-sections",
    "dce",
    "delete-null-pointer-checks",
    "dse",
    "expensive-optimizations",
    "function-sections",
    "gcse",
    "guess-branch-probability",
    "if-conversion",
    "inline",
    "ipa-",
    "isolate-erroneous-paths",
    "ivopts",
    "move-loop-",
    "omit-frame-pointer",
    "optimize-sibling-calls",
    "partial-inlining",
    "peel-loops",
    "plt",
    "prefetch-loop-arrays",
    "reorder-",
    "sched",
    "section-anchors",
    "split-",
    "stack-protector",
    "store-merging",
    "strict-aliasing",
    "strict-overflow",
    "thread-jumps",
    "toplevel-reorder",
    "tree-",
    "unroll-",
    "unswitch-loops",
    "vect-",
    "web",
    "wrapv",
];

/// Sections whose contents run before or after `main`.
const RUNNING_SECTIONS: [&str; 7] =
    [".init", ".fini", ".ctors", ".dtors", ".init_array", ".fini_array", ".preinit_array"];

/// Pragmas without meaning for a verdict, by their first words.
const HARMLESS_PRAGMAS: &[(&str, &[&str])] = &[
    (
        "warnings and messages",
        &[
            "GCC dependency",
            "GCC diagnostic",
            "GCC error",
            "GCC poison",
            "GCC system_header",
            "GCC warning",
            "clang diagnostic",
            "message",
            "warning",
        ],
    ),
    (
        "wishes for the optimiser",
        &[
            "GCC ivdep",
            "GCC novector",
            "GCC unroll",
            "clang loop",
            "GCC pop_options",
            "GCC push_options",
            "GCC reset_options",
        ],
    ),
    ("for the linker", &["GCC visibility", "comment", "ident"]),
    ("followed by the preprocessor", &["once", "pop_macro", "push_macro"]),
    (
        "gcc ignores them, at least without further options",
        &[
            "STDC CX_LIMITED_RANGE",
            "STDC FENV_ACCESS",
            "STDC FP_CONTRACT",
            "alloc_text",
            "endregion",
            "function",
            "mark",
            "merger",
            "omp",
            "region",
        ],
    ),
];

/// Whether an attribute (without surrounding underscores) is followed or has no meaning for a verdict. `texts` are
/// the string literals and numbers among its arguments.
pub fn is_known_attribute(name: &str, texts: &[String]) -> bool {
    match name {
        "section" => !texts.iter().any(|text| runs(text)),
        "optimize" => !texts.is_empty() && texts.iter().flat_map(|text| text.split(',')).all(keeps_meaning),
        _ => IMPLEMENTED_ATTRIBUTES.contains(&name) || is_harmless_attribute(name),
    }
}

/// Whether an attribute may be left out.
pub fn is_harmless_attribute(name: &str) -> bool {
    name != "section" && HARMLESS_ATTRIBUTES.iter().any(|(_, names)| names.contains(&name))
}

/// Whether a pragma says what names are linked to, which lowering follows.
pub fn is_linkage_pragma(text: &str) -> bool {
    matches!(words(text).first(), Some(&("weak" | "redefine_extname")))
}

/// The names and numbers of a pragma.
pub fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect()
}

/// Whether the text after `#pragma` (other than `pack`) may be left out.
pub fn is_harmless_pragma(text: &str) -> bool {
    let words = words(text);
    let starts = |pragma: &&str| {
        let wanted: Vec<&str> = pragma.split(' ').collect();
        words.starts_with(&wanted)
    };
    let harmless = |(_, pragmas): &(&str, &[&str])| pragmas.iter().any(&starts);
    if words.starts_with(&["GCC", "optimize"]) {
        let mut options = text.split(['"', '(', ')', ',']).skip(1).map(str::trim).filter(|option| !option.is_empty());
        return options.all(keeps_meaning);
    }
    words.is_empty() || HARMLESS_PRAGMAS.iter().any(harmless)
}

/// Whether the name is that of a section that runs, perhaps with a priority: `.init_array.101`. Linux has others, such
/// as `.init.text`.
pub fn runs(section: &str) -> bool {
    let plain = section.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
    RUNNING_SECTIONS.contains(&plain)
}

/// Whether an option of gcc keeps what a program means: `O0` … `O3`, `Os`, `Og`, `Oz` and [`HARMLESS_OPTIONS`] do; `Ofast`
/// and `-ffast-math` do not.
fn keeps_meaning(option: &str) -> bool {
    let option = option.trim().trim_start_matches('-');
    if matches!(option.trim_start_matches('O'), "" | "0" | "1" | "2" | "3" | "s" | "g" | "z") {
        return true;
    }
    let named = |option: &str| {
        let positive = option.strip_prefix("no-").unwrap_or(option);
        HARMLESS_OPTIONS.iter().any(|known| positive.starts_with(known))
    };
    named(option) || option.strip_prefix('f').is_some_and(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_a_program_is_not_harmless() {
        for name in ["cleanup", "ifunc", "scalar_storage_order", "ms_struct", "target", "nobody_knows"] {
            assert!(!is_known_attribute(name, &[]), "{name}");
        }
        for name in ["packed", "nothrow", "noinline", "ldv_model"] {
            assert!(is_known_attribute(name, &[]), "{name}");
        }
        assert!(is_known_attribute("section", &[".init.text".to_owned()]));
        assert!(!is_known_attribute("section", &[".init_array.101".to_owned()]));
        assert!(is_known_attribute("optimize", &["O2".to_owned()]));
        for option in ["0", "-fno-strict-aliasing", "O2,no-tree-vectorize", "wrapv"] {
            assert!(is_known_attribute("optimize", &[option.to_owned()]), "{option}");
        }
        for option in ["fast-math", "-ffast-math", "Ofast", "no-math-errno", "-fno-signed-zeros", "-ftrapv"] {
            assert!(!is_known_attribute("optimize", &[option.to_owned()]), "{option}");
        }
    }

    #[test]
    fn pragmas_are_told_apart() {
        for text in [
            "GCC diagnostic push",
            "merger(0,\"a.i\",\"\")",
            "warning(disable:4103)",
            "push_macro(\"_\")",
            "",
            "GCC optimize (\"O2\")",
            "GCC optimize \"-fno-strict-aliasing\"",
        ] {
            assert!(is_harmless_pragma(text), "{text}");
        }
        for text in
            ["weak f", "redefine_extname f g", "scalar_storage_order big-endian", "GCC optimize (\"fast-math\")"]
        {
            assert!(!is_harmless_pragma(text), "{text}");
        }
    }
}
