//! Stable source-level names of edges and locations, for files and messages: unique in the program, readable, and the
//! same whenever the same text is parsed.
//!
//! # Grammar
//! ```text
//! edge     = place ":" what [ "#" ordinal ]
//! place    = function [ "@" file ] ":" line ":" column
//! what     = "T" | "F"                            an assume edge: the condition holds, or does not
//!          | "call(" callee ")"                   enters a defined function
//!          | "resume(" callee ")"                 comes back from it; the place is that of the call, in the caller
//!          | "external(" callee ")"               a call that stays on its edge; callee "*" for one through a pointer
//!          | "input(" callee ")"                  a test input
//!          | "assign" | "declare" | "havoc" | "return" | "skip" | "unsupported"
//! location = function ":entry" | function ":exit" | "before " edge | "after " edge | function ":location" [ "#" ordinal ]
//! ```
//! Line and column count from 1, in the file that the user wrote, and are 0 for parts that no text stands for. The
//! file, its last path component, is there only if it is not the file in which the function begins. The ordinal counts
//! the edges that would otherwise have the same name, from 2 and in the order of the program's edges; the first of them
//! has no ordinal.

use super::{CallSiteId, Callee, EdgeId, FunctionId, LocationId, Op, Program};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::Arc;

/// The names of all edges of one program, both ways.
#[derive(Clone, Debug)]
pub struct EdgeNames {
    names: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, EdgeId>,
}

impl EdgeNames {
    pub fn new(program: &Program) -> Self {
        let (names, ids) = number((0..program.edges.len()).map(|index| program.unnumbered_name(EdgeId::new(index))));
        EdgeNames { names, ids: ids.into_iter().map(|(name, index)| (name, EdgeId::new(index))).collect() }
    }

    pub fn name(&self, edge: EdgeId) -> &Arc<str> {
        &self.names[edge.index()]
    }

    pub fn edge(&self, name: &str) -> Option<EdgeId> {
        self.ids.get(name).copied()
    }

    /// All names in the order of the edges.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }
}

/// The names of all locations of one program, both ways.
#[derive(Clone, Debug)]
pub struct LocationNames {
    names: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, LocationId>,
}

impl LocationNames {
    pub fn new(program: &Program, edges: &EdgeNames) -> Self {
        let all = (0..program.locations.len()).map(|index| program.unnumbered_location(LocationId::new(index), edges));
        let (names, ids) = number(all);
        LocationNames { names, ids: ids.into_iter().map(|(name, index)| (name, LocationId::new(index))).collect() }
    }

    pub fn name(&self, location: LocationId) -> &Arc<str> {
        &self.names[location.index()]
    }

    pub fn location(&self, name: &str) -> Option<LocationId> {
        self.ids.get(name).copied()
    }

    /// All names in the order of the locations.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }
}

/// Makes names unique. No name given ends in `#` and digits, so that no numbered name can equal another.
fn number(unnumbered: impl ExactSizeIterator<Item = String>) -> (Vec<Arc<str>>, FxHashMap<Arc<str>, usize>) {
    let mut seen: FxHashMap<Arc<str>, usize> = FxHashMap::default();
    let mut ids = FxHashMap::with_capacity_and_hasher(unnumbered.len(), Default::default());
    let mut names = Vec::with_capacity(unnumbered.len());
    for (index, base) in unnumbered.enumerate() {
        let base: Arc<str> = base.into();
        let count = seen.entry(base.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { base } else { format!("{base}#{count}").into() };
        ids.insert(name.clone(), index);
        names.push(name);
    }
    (names, ids)
}

impl Program {
    /// The name of one edge. Looks at all earlier edges: for many names, make an [`EdgeNames`].
    pub fn edge_name(&self, edge: EdgeId) -> String {
        let mut name = self.unnumbered_name(edge);
        let place = |edge: EdgeId| (self.edge(edge).span.line, self.edge(edge).span.column);
        let same = |&other: &EdgeId| place(other) == place(edge) && self.unnumbered_name(other) == name;
        let earlier = self.edge_ids().take(edge.index()).filter(same).count();
        if earlier > 0 {
            let _ = write!(name, "#{}", earlier + 1);
        }
        name
    }

    fn unnumbered_name(&self, id: EdgeId) -> String {
        let edge = self.edge(id);
        // A call returns to a place in the caller; that is where a reader looks for it.
        let home = if matches!(edge.op, Op::Resume(_)) { edge.to } else { edge.from };
        let function = self.function(self.location(home).function);
        let mut name = function.name.clone();
        if edge.span.is_somewhere() && edge.span.file != function.span.file {
            let file = self.file_name(edge.span);
            let _ = write!(name, "@{}", file.rsplit(['/', '\\']).next().unwrap_or(file));
        }
        let _ = write!(name, ":{}:{}:", edge.span.line, edge.span.column);
        self.write_operation(&mut name, &edge.op);
        name
    }

    fn write_operation(&self, name: &mut String, op: &Op) {
        let (word, callee) = match op {
            Op::Assume { holds: true, .. } => ("T", None),
            Op::Assume { holds: false, .. } => ("F", None),
            Op::Call(site) => ("call", Some(self.callee_name(*site))),
            Op::Resume(site) => ("resume", Some(self.callee_name(*site))),
            Op::External(site) => ("external", Some(self.callee_name(*site))),
            Op::Input { function, .. } => ("input", Some(self.function_name(*function))),
            Op::Assign { .. } => ("assign", None),
            Op::Declare(_) => ("declare", None),
            Op::Havoc { .. } => ("havoc", None),
            Op::Return(_) => ("return", None),
            Op::Skip => ("skip", None),
            Op::Unsupported(_) => ("unsupported", None),
        };
        name.push_str(word);
        if let Some(callee) = callee {
            let _ = write!(name, "({callee})");
        }
    }

    fn callee_name(&self, site: CallSiteId) -> &str {
        match self.call_site(site).callee {
            Callee::Function(function) => self.function_name(function),
            Callee::Pointer(_) => "*",
        }
    }

    fn function_name(&self, function: FunctionId) -> &str {
        &self.function(function).name
    }

    fn unnumbered_location(&self, id: LocationId, edges: &EdgeNames) -> String {
        let location = self.location(id);
        let function = self.function(location.function);
        if let Some(body) = function.body {
            if id == body.entry {
                return format!("{}:entry", function.name);
            }
            if id == body.exit {
                return format!("{}:exit", function.name);
            }
        }
        if let Some(&edge) = location.leaving.iter().min() {
            return format!("before {}", edges.name(edge));
        }
        match location.entering.iter().min() {
            Some(&edge) => format!("after {}", edges.name(edge)),
            None => format!("{}:location", function.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::test_support::sample_program;
    use std::collections::BTreeSet;

    #[test]
    fn names_follow_the_grammar() {
        let program = sample_program();
        let names = EdgeNames::new(&program);
        let expected = [
            "main:4:7:declare",
            "main:4:11:input(__VERIFIER_nondet_int)",
            "main:5:7:T",
            "main:5:7:F",
            "main:6:5:call(helper)",
            "main:6:5:resume(helper)",
            "main:8:5:call(helper)",
            "main:8:5:resume(helper)",
            "main:9:3:T",
            "main:9:3:F",
            "main:9:3:T#2",
            "main:9:3:F#2",
            "main@macros.h:9:3:return",
            "main:10:3:external(reach_error)",
            "main:11:3:external(*)",
            "helper:0:0:skip",
            "helper:2:1:skip",
        ];
        assert_eq!(names.iter().collect::<Vec<_>>(), expected);
        let locations = LocationNames::new(&program, &names);
        let expected = [
            "main:entry",
            "main:exit",
            "helper:entry",
            "helper:exit",
            "before main:4:11:input(__VERIFIER_nondet_int)",
            "before main:5:7:T",
            "before main:6:5:call(helper)",
            "before main:8:5:call(helper)",
            "before main:9:3:T",
            "before main:9:3:T#2",
            "before main@macros.h:9:3:return",
            "before main:10:3:external(reach_error)",
            "after main:10:3:external(reach_error)",
        ];
        assert_eq!(locations.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn names_are_unique_and_lead_back() {
        let mut program = sample_program();
        // Many edges at few places, some of which end elsewhere, and locations without edges.
        for copy in 0..40u32 {
            let mut edge = program.edges[copy as usize % 17].clone();
            edge.span.end_column += copy;
            program.edges.push(edge);
            let function = FunctionId(copy % 2);
            program.locations.push(crate::program::Location { function, leaving: vec![], entering: vec![] });
        }
        let names = EdgeNames::new(&program);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), program.edges.len());
        for edge in program.edge_ids() {
            assert_eq!(names.edge(names.name(edge)), Some(edge));
            assert_eq!(*program.edge_name(edge), **names.name(edge));
        }
        let locations = LocationNames::new(&program, &names);
        assert_eq!(locations.iter().collect::<BTreeSet<_>>().len(), program.locations.len());
        for index in 0..program.locations.len() {
            let location = LocationId::new(index);
            assert_eq!(locations.location(locations.name(location)), Some(location));
        }
        assert_eq!(names.edge("main:5:7"), None);
    }

    #[test]
    fn the_same_text_gives_the_same_names() {
        let names: Vec<_> = EdgeNames::new(&sample_program()).iter().map(str::to_owned).collect();
        let again = sample_program();
        assert!(EdgeNames::new(&again).iter().eq(names.iter().map(String::as_str)));
        // Names do not depend on where the file lies, nor on the file's own name.
        let mut moved = sample_program();
        moved.files[0].name = "/elsewhere/other.c".into();
        moved.files[1].name = "include/macros.h".into();
        assert!(EdgeNames::new(&moved).iter().eq(names.iter().map(String::as_str)));
    }
}
