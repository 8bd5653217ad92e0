//! The host's knowledge about functions without a body, which keeps proofs sound: which functions never return, and
//! which run code of the program in ways that no edge shows.

use std::collections::BTreeSet;
use tandem_plugin_api::artifact::{Convention, Soundness};
use tandem_plugin_api::library::{
    Effects, LibraryFunction, called_by_library, is_verifier_function, may_touch_memory, writes_a_count,
};
use tandem_plugin_api::program::{CallSiteId, Callee, EdgeId, Op, Program};
use tandem_plugin_api::task::Task;

/// The meaning of an edge for a proof, beyond what the analyses see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Plain,
    /// No edge comes after it.
    End,
    Convention(Convention),
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
        Op::Havoc { .. } => Meaning::Convention(Convention::Assembly { place: Some(place()) }),
        Op::External(site) => external(program, *site, edge),
        _ => Meaning::Plain,
    }
}

/// The notes for a proof that passed these edges. If an engine or a tool does not name them, everything counts that the graph reaches. The call
/// that must not happen is passed by no proof.
pub fn grounds(task: &Task, passed: Option<&BTreeSet<EdgeId>>) -> Soundness {
    let program = &*task.program;
    let blocked = |edge: EdgeId| !task.property.is_coverage() && task.is_target(edge);
    let reached = program.reachable_without(&blocked);
    let mut notes = Soundness::clean();
    let counts = |edge: &EdgeId| {
        let in_graph = reached[program.edge(*edge).from.index()] && !blocked(*edge);
        in_graph && passed.is_none_or(|passed| passed.contains(edge))
    };
    for edge in program.edge_ids().filter(counts) {
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
        return Meaning::Convention(Convention::NoBodyByPointer { place: Some(place(program, edge)) });
    };
    let name = program.function(callee).name.as_str();
    let call = program.call_site(site);
    let known = LibraryFunction::named(name);
    let has_effect = |effect| known.is_some_and(|function| function.has_effect(effect));
    // What was registered for the end of the program runs before a function such as `err` ends it.
    if has_effect(Effects::HIDDEN_CONTROL) {
        Meaning::Unsound(format!("{name} runs code in ways that are not followed ({})", place(program, edge)))
    } else if known.is_some_and(LibraryFunction::ends_program) {
        Meaning::End
    } else if let Some(own) = known.and_then(|function| called_by_library(program, function)) {
        Meaning::Unsound(format!("{name} may call `{own}`, which the program defines ({})", place(program, edge)))
    } else if writes_a_count(program, call) {
        Meaning::Unsound(format!("{name} may write through %n, which is not followed ({})", place(program, edge)))
    } else if may_touch_memory(program, call) {
        let what = "is a function of the C library that is not followed: it gets a pointer and may write or call back";
        Meaning::Unsound(format!("{name} {what} ({})", place(program, edge)))
    } else if is_verifier_function(name) || name == "__builtin_alloca" || name.starts_with("__builtin_stack_") {
        Meaning::Plain
    } else {
        Meaning::Convention(Convention::NoBody { function: name.to_string() })
    }
}

/// File and line, for messages.
pub fn place(program: &Program, edge: EdgeId) -> String {
    let span = program.edge(edge).span;
    if span.is_somewhere() { format!("{}:{}", program.file_name(span), span.line) } else { edge.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tandem_plugin_api::kit::testing::ProgramBuilder;
    use tandem_plugin_api::task::Property;

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
        assert_eq!(meanings[3], Meaning::Convention(Convention::NoBody { function: "foo".into() }));
        assert_eq!(meanings[4], Meaning::Unknown("unsupported: asm goto (f.c:5)".into()));
        let property = |name: &str| Property::UnreachableCall { function: name.into() };
        let program = Arc::new(program);
        let counts = |name: &str, passed: Option<&BTreeSet<EdgeId>>| {
            let notes = grounds(&Task::new(program.clone(), property(name)), passed);
            (notes.conventions().len(), notes.unsound_steps().len())
        };
        assert_eq!(counts("error", None), (1, 2));
        // A proof does not pass the call of the error function, so notes about that edge are left out.
        assert_eq!(counts("foo", None), (0, 2));
        assert_eq!(counts("error", Some(&[EdgeId(3)].into())), (1, 0));
    }
}
