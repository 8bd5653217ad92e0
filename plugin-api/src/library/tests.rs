//! The table is read as a whole: each line parses, no name stands twice, and what it says of a name is one thing.

use super::*;
use std::collections::BTreeSet;

#[test]
fn each_prototype_parses_and_no_name_stands_twice() {
    let mut names = BTreeSet::new();
    for (declaration, entry) in table::GROUPS.into_iter().flatten().flat_map(Entry::forms) {
        let function = LibraryFunction::of(declaration.clone(), entry);
        assert!(function.is_some(), "{declaration}");
        assert!(names.insert(entry::name_of(&declaration).to_owned()), "twice: {declaration}");
    }
}

#[test]
fn what_is_said_of_arguments_fits_the_prototype() {
    for function in LibraryFunction::all() {
        let parameters = &function.prototype().parameters;
        let points = |at: usize| parameters.get(at).is_some_and(|ty| ty.class() == Class::Pointer);
        let counts = |at: usize| parameters.get(at).is_some_and(|ty| matches!(ty.class(), Class::Int(_)));
        let fits = match function.memory() {
            Memory::Untouched | Memory::Anything => true,
            Memory::Targets => function.prototype().variadic || (0..parameters.len()).any(points),
            Memory::Bytes { to, count } => points(to) && counts(count),
            Memory::Fill { to, byte, count } => points(to) && counts(byte) && counts(count),
            Memory::Object(at) => points(at),
            Memory::Allocates { sizes, .. } | Memory::Reallocates { sizes } => sizes.iter().all(|&at| counts(at)),
            Memory::Frees => points(0),
        };
        assert!(fits, "{}: {:?}", function.declaration(), function.memory());
        assert!(function.format().is_none_or(points), "{}", function.declaration());
        assert!(function.returned_argument().is_none_or(points), "{}", function.declaration());
    }
}

#[test]
fn what_runs_hidden_code_may_write_anything() {
    for function in LibraryFunction::all().filter(|function| function.has_effect(Effects::HIDDEN_CONTROL)) {
        assert_eq!(function.memory(), Memory::Anything, "{}", function.name());
        assert!(!function.has(Models::EXECUTION), "{}", function.name());
    }
}

#[test]
fn a_pointer_that_may_be_written_through_is_not_forgotten() {
    // A parameter that points to what is not `const`, and is no stream, is written through, or the function is known not to.
    const ONLY_READ: [&str; 4] = ["setbuf", "setbuffer", "setvbuf", "__builtin_stack_restore"];
    for function in LibraryFunction::all().filter(|function| function.memory() == Memory::Untouched) {
        let (_, list) = function.declaration().split_once('(').expect("a prototype");
        let own = |text: &&str| {
            text.contains('*') && !text.contains("const") && !text.contains("FILE") && !text.contains("DIR")
        };
        let written: Vec<&str> = list.split(',').filter(own).collect();
        let is_known = ONLY_READ.contains(&function.name()) || function.name().starts_with("dlclose");
        assert!(written.is_empty() || is_known, "{}: {written:?}", function.declaration());
    }
}

#[test]
fn names_of_the_c_library_are_known() {
    for name in ["pthread_once", "wcscpy", "swab", "memcpy", "printf"] {
        assert!(is_library_name(name), "{name}");
    }
    for name in ["printk", "foo", "ldv_malloc", "strlcpy"] {
        assert!(!is_library_name(name) && LibraryFunction::named(name).is_none(), "{name}");
    }
}

#[test]
fn questions_have_answers() {
    assert!(never_returns("abort") && never_returns("__builtin_trap") && never_returns("thrd_exit"));
    assert!(ends_program("exit") && !ends_program("err") && never_returns("err"));
    assert!(!never_returns("error") && !never_returns("printf") && !never_returns("reach_error"));
    let memcpy = LibraryFunction::named("__builtin_memcpy").expect("in the table");
    assert_eq!(memcpy.memory(), Memory::Bytes { to: 0, count: 2 });
    assert_eq!(memcpy.returned_argument(), Some(0));
    let sqrtl = LibraryFunction::named("sqrtl").expect("in the table");
    assert_eq!(sqrtl.declaration(), "long double sqrtl(long double x)");
    assert!(!sqrtl.has(Models::EXECUTION));
    assert!(has_count(b"%d %n") && !has_count(b"%d n"));
}
