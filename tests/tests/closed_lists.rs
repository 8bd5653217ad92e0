//! Every attribute and every builtin that gcc 12 knows, fed through the front end: each is implemented, on the list of
//! those without meaning for a verdict, or unsupported with its name; none is dropped silently, and none crashes the
//! front end.
//!
//! The lists are from gcc itself. Builtins: `strings $(gcc -print-prog-name=cc1) | grep -E '^__(builtin|sync|atomic)_'`,
//! with three of the many for single instructions. Attributes: those of the manual's chapters and of cc1's strings
//! for which `gcc -fsyntax-only` does not say "attribute directive ignored".

use tandem::frontend::{is_known_attribute, load_text};
use tandem_plugin_api::library::{LibraryFunction, is_library_name};
use tandem_plugin_api::program::*;

const ATTRIBUTES: &str = include_str!("closed_lists/attributes.txt");
const BUILTINS: &str = include_str!("closed_lists/builtins.txt");

/// What is unsupported on code that `main` reaches, and the functions without a body that it calls.
fn met(program: &Program) -> (Vec<String>, Vec<String>) {
    let reached = program.reachable_locations();
    let edges = program.edge_ids().filter(|edge| reached[program.edge(*edge).from.index()]);
    let (mut unsupported, mut called) = (Vec::new(), Vec::new());
    for edge in edges {
        match program.edge(edge).op {
            Op::Unsupported(id) => unsupported.push(program.unsupported[id.index()].what.clone()),
            Op::External(site) => {
                if let Callee::Function(id) = program.call_site(site).callee {
                    called.push(program.function(id).name.clone());
                }
            }
            _ => {}
        }
    }
    (unsupported, called)
}

/// Programs with an attribute on a function, a variable, a type, a member, a parameter and a local variable.
fn programs_with(attribute: &str) -> Vec<String> {
    [
        "ATTRIBUTE int f(int x) { return x; } int main(void) { return f(0); }",
        "int f(int x) ATTRIBUTE; int f(int x) { return x; } int main(void) { return f(0); }",
        "int v ATTRIBUTE; int main(void) { return v; }",
        "struct s { int a; } ATTRIBUTE; struct s v; int main(void) { return v.a; }",
        "struct ATTRIBUTE s { int a; }; struct s v; int main(void) { return v.a; }",
        "struct s { int a ATTRIBUTE; }; struct s v; int main(void) { return v.a; }",
        "typedef int t ATTRIBUTE; t v; int main(void) { return v; }",
        "int f(int x ATTRIBUTE) { return x; } int main(void) { return f(0); }",
        "int main(void) { int v ATTRIBUTE = 0; return v; }",
    ]
    .map(|text| text.replace("ATTRIBUTE", attribute))
    .to_vec()
}

#[test]
fn no_attribute_of_gcc_is_passed_over() {
    let mut passed_over = Vec::new();
    for name in ATTRIBUTES.lines().filter(|name| !is_known_attribute(name, &[])) {
        for text in programs_with(&format!("__attribute__(({name}))")) {
            let names_it = match load_text(&text, "attribute.c", DataModel::Lp64) {
                Ok(program) => met(&program).0.iter().any(|what| what.contains(name)),
                Err(refusal) => refusal.to_string().contains(name),
            };
            if !names_it {
                passed_over.push(text);
            }
        }
    }
    assert!(
        passed_over.is_empty(),
        "{} programs, such as\n{}",
        passed_over.len(),
        passed_over[..passed_over.len().min(20)].join("\n")
    );
}

#[test]
fn attributes_that_are_known_end_nothing() {
    for name in ATTRIBUTES.lines().filter(|name| is_known_attribute(name, &[])) {
        for arguments in ["", "(1)", "(\"main\")", "(printf, 1, 2)", "(SI)"] {
            for text in programs_with(&format!("__attribute__(({name}{arguments}))")) {
                // Any answer will do.
                drop(load_text(&text, "attribute.c", DataModel::Ilp32));
            }
        }
    }
}

#[test]
fn no_builtin_of_gcc_is_passed_over() {
    let mut passed_over = Vec::new();
    for name in BUILTINS.lines() {
        for argument in ["x", "p", "d"] {
            for count in 0..6 {
                let arguments = vec![argument; count].join(", ");
                let text = format!(
                    "int main(void) {{ int x = 1; int *p = &x; double d = 1; {name}({arguments}); return x; }}"
                );
                let Ok(program) = load_text(&text, "builtin.c", DataModel::Lp64) else { continue };
                let (unsupported, called) = met(&program);
                // Functions of the C library without a model are recognised at the call (`library::may_touch_memory`).
                let is_known = |called: &String| {
                    let plain = called.strip_prefix("__builtin_").unwrap_or(called);
                    LibraryFunction::named(called).is_some() || is_library_name(plain)
                };
                let plain_name = name.trim_start_matches("__builtin_").trim_start_matches('_');
                let names_it = unsupported.iter().any(|what| what.contains(plain_name));
                if !called.iter().all(is_known) || !(names_it || unsupported.is_empty()) {
                    passed_over.push(format!("{name}({arguments}): {unsupported:?} {called:?}"));
                }
            }
        }
    }
    assert!(
        passed_over.is_empty(),
        "{} calls, such as\n{}",
        passed_over.len(),
        passed_over[..passed_over.len().min(40)].join("\n")
    );
}
