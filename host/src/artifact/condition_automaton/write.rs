//! Writes a GIA as an automaton text over a program. Edges have texts there, and several edges can have the same one.
//! So each state is written once per location (and stack of calls) at which a path can be in it, where texts identify
//! edges. There it waits for the text of an edge that leaves the location, and so tolerates edges that only CPAchecker
//! has.

use super::normal::normal_form;
use super::resolve::Scopes;
use super::{Dialect, Translated};
use crate::diagnostic::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;
use tandem_plugin_api::artifact::{Acceptance, Condition, Gia, StateId};
use tandem_plugin_api::program::{CallSiteId, EdgeId, LocationId, Op, Program};

/// A larger text is not written: reading it would take CPAchecker too long.
const MOST_STATES: usize = 200_000;

/// The text of an automaton file. Parts that cannot be written are left out, so that fewer paths are covered, and
/// noted.
pub fn write(gia: &Gia, program: &Program, dialect: Dialect) -> Result<Translated<String>, Diagnostic> {
    if let Some(edge) = gia.foreign_edge(program) {
        let message = format!("the GIA names edge number {}, which `{}` does not have", edge.0, program.name);
        return Err(Diagnostic::new(message).help("write it with the program that it was made for"));
    }
    let gia = gia.without_dead_ends();
    let mut writer = Writer {
        scopes: Scopes::of(program),
        leads_on: leads_to(&gia, |acceptance| match dialect {
            Dialect::Condition => acceptance == Acceptance::Ut,
            Dialect::Gia => matches!(acceptance, Acceptance::Ut | Acceptance::Rt),
        }),
        worth: leads_to(&gia, |acceptance| match dialect {
            Dialect::Condition => acceptance == Acceptance::Ut,
            Dialect::Gia => acceptance != Acceptance::None,
        }),
        gia: &gia,
        program,
        dialect,
        names: FxHashMap::default(),
        used: RESERVED.into_iter().map(str::to_string).collect(),
        work: VecDeque::new(),
        notes: BTreeSet::new(),
    };
    let text = writer.automaton()?;
    Ok(Translated { result: text, notes: writer.notes.into_iter().collect() })
}

/// Names of the states that every automaton has, and words of the language.
const RESERVED: [&str; 26] = [
    "__TRUE",
    "__FALSE",
    "__qTEMP",
    "__qERROR",
    "__qFINAL",
    "__qUNKNOWN",
    "STATE",
    "AUTOMATON",
    "OBSERVER",
    "CONTROL",
    "INITIAL",
    "END",
    "TRUE",
    "FALSE",
    "MATCH",
    "GOTO",
    "ERROR",
    "STOP",
    "BREAK",
    "USEFIRST",
    "USEALL",
    "TARGET",
    "NON_TARGET",
    "UNKNOWN",
    "INVARIANT",
    "LOCAL",
];

fn leads_to(gia: &Gia, wanted: impl Fn(Acceptance) -> bool) -> Vec<bool> {
    let mut found: Vec<bool> = gia.state_ids().map(|id| wanted(gia.acceptance(id))).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for transition in gia.transitions().iter().rev() {
            if found[transition.target.index()] && !found[transition.source.index()] {
                found[transition.source.index()] = true;
                changed = true;
            }
        }
    }
    found
}

/// A state of the automaton at a place of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    state: StateId,
    at: LocationId,
    calls: Vec<CallSiteId>,
}

/// A line of a state: trigger, assumption, name of the target.
type Row = (String, Option<String>, String);

struct Writer<'a> {
    gia: &'a Gia,
    program: &'a Program,
    dialect: Dialect,
    scopes: Scopes<'a>,
    /// States from which something is settled further on.
    leads_on: Vec<bool>,
    /// States from which the automaton has any claim or candidate.
    worth: Vec<bool>,
    names: FxHashMap<Node, String>,
    used: FxHashSet<String>,
    work: VecDeque<Node>,
    notes: BTreeSet<String>,
}

impl Writer<'_> {
    fn automaton(&mut self) -> Result<String, Diagnostic> {
        let Some(entry) = self.program.entry() else {
            return Err(Diagnostic::new("the program has no main function").in_file(self.program.name.clone()));
        };
        let start = Node { state: self.gia.initial(), at: entry, calls: Vec::new() };
        let initial = self.target(start);
        let mut text = format!("OBSERVER AUTOMATON AssumptionAutomaton\n\nINITIAL STATE {initial};\n");
        let sinks: &[(&str, &str)] = match self.dialect {
            Dialect::Condition => &[("", "__TRUE"), ("", "__FALSE")],
            Dialect::Gia => {
                &[("", "__qTEMP"), ("TARGET ", "__qERROR"), ("NON_TARGET ", "__qFINAL"), ("UNKNOWN ", "__qUNKNOWN")]
            }
        };
        for (kind, name) in sinks {
            let _ = write!(text, "\n{kind}STATE {name} :\n    TRUE -> GOTO {name};\n");
        }
        while let Some(node) = self.work.pop_front() {
            self.state(&node, &mut text);
            if self.names.len() > MOST_STATES {
                let message = format!("the automaton would have more than {MOST_STATES} states");
                return Err(Diagnostic::new(message).help("write the GIA as JSON, which needs no copies of states"));
            }
        }
        text.push_str("\nEND AUTOMATON\n");
        Ok(text)
    }

    fn dead(&self) -> String {
        if self.dialect == Dialect::Gia { "__qTEMP".into() } else { "__FALSE".into() }
    }

    /// The name of the state in which a run is at a node.
    fn target(&mut self, node: Node) -> String {
        let state = node.state.index();
        let sink = match (self.gia.acceptance(node.state), self.dialect) {
            _ if !self.worth[state] => return self.dead(),
            (Acceptance::Ut, Dialect::Condition) => Some("__TRUE"),
            (Acceptance::Ut, Dialect::Gia) => Some("__qFINAL"),
            (Acceptance::Rt, Dialect::Gia) => Some("__qERROR"),
            (Acceptance::Cand, Dialect::Gia) if !self.leads_on[state] => Some("__qUNKNOWN"),
            _ => None,
        };
        if let Some(sink) = sink {
            return sink.to_string();
        }
        if let Some(name) = self.names.get(&node) {
            return name.clone();
        }
        let name = self.fresh(&format!("{}_N{}", identifier(&self.gia.state(node.state).name), node.at.index()));
        self.names.insert(node.clone(), name.clone());
        self.work.push_back(node);
        name
    }

    fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        let mut number = 2;
        while !self.used.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }

    fn state(&mut self, node: &Node, text: &mut String) {
        let triggers = self.triggers(node);
        let mut rows: Vec<Row> = Vec::new();
        let mut several = false;
        for (trigger, edges) in triggers {
            let before = rows.len();
            if let [edge] = edges.as_slice() {
                self.rows(node, *edge, &trigger, &mut rows);
            } else {
                self.notes
                    .insert("edges that have the same text at the same place: claims about them are left out".into());
            }
            several |= rows.len() - before > 1;
            if rows.len() == before {
                rows.push((trigger, None, self.dead()));
            }
        }
        let name = self.names[node].clone();
        let kind = match (self.dialect, self.gia.acceptance(node.state)) {
            (Dialect::Gia, Acceptance::Cand) => "UNKNOWN ",
            _ => "",
        };
        let _ = writeln!(text, "\n{kind}STATE {} {name} :", if several { "USEALL" } else { "USEFIRST" });
        for (trigger, assumption, target) in rows {
            let assumption = assumption.map_or(String::new(), |assumption| format!("ASSUME {assumption} "));
            let _ = writeln!(text, "    {trigger} -> {assumption}GOTO {target};");
        }
        // With USEALL this would be a second way beside the others; an edge that nothing matches stays in place anyway.
        if !several {
            let _ = writeln!(text, "    TRUE -> GOTO {name};");
        }
    }

    /// The edges that a path can take at the node, by the texts that identify them.
    fn triggers(&self, node: &Node) -> Vec<(String, Vec<EdgeId>)> {
        let passable = |edge: &EdgeId| match self.program.edge(*edge).op {
            Op::Resume(site) => node.calls.last() == Some(&site),
            _ => true,
        };
        let leaving = self.program.location(node.at).leaving.iter().copied().filter(passable);
        let edges: Vec<(EdgeId, String)> =
            leaving.map(|edge| (edge, normal_form(&self.program.edge_text(edge)))).collect();
        let mut triggers: Vec<(String, Vec<EdgeId>)> = Vec::new();
        for (edge, normal) in &edges {
            let unique = edges.iter().filter(|(_, other)| other == normal).count() == 1;
            let trigger = match self.program.edge(*edge).op {
                Op::Call(_) if !unique => {
                    let entered = self.program.location(self.program.edge(*edge).to).function;
                    format!("MATCH FUNCTIONCALL \"{}\"", self.program.function(entered).name)
                }
                _ => format!("MATCH \"{}\"", escaped(&self.program.edge_text(*edge))),
            };
            match triggers.iter_mut().find(|(known, _)| *known == trigger) {
                Some((_, edges)) => edges.push(*edge),
                None => triggers.push((trigger, vec![*edge])),
            }
        }
        triggers
    }

    fn rows(&mut self, node: &Node, edge: EdgeId, trigger: &str, rows: &mut Vec<Row>) {
        let Some(calls) = self.calls_after(node, edge) else { return };
        let at = self.program.edge(edge).to;
        for transition in self.gia.leaving(node.state) {
            if !transition.edges.contains(edge) || !self.worth[transition.target.index()] {
                continue;
            }
            let invariant = &self.gia.state(transition.target).invariant;
            let Some(assumption) = self.assumption(edge, &transition.condition, invariant) else {
                self.notes.insert(format!(
                    "a condition that cannot be written in this format (`{}`): claims under it are left out",
                    if transition.condition.is_true() { invariant } else { &transition.condition }
                ));
                continue;
            };
            let target = self.target(Node { state: transition.target, at, calls: calls.clone() });
            let row = (trigger.to_string(), assumption, target);
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }

    /// The stack of calls after the edge; `None` if the automaton would need infinitely many states.
    fn calls_after(&mut self, node: &Node, edge: EdgeId) -> Option<Vec<CallSiteId>> {
        let mut calls = node.calls.clone();
        match self.program.edge(edge).op {
            Op::Call(site) => {
                if calls.contains(&site) {
                    self.notes.insert("a recursive call: claims about paths through it are left out".into());
                    return None;
                }
                calls.push(site);
            }
            Op::Resume(_) => {
                calls.pop();
            }
            _ => {}
        }
        Some(calls)
    }

    /// Condition and invariant after the edge in the form of the language: `None` if it has no form for them, and inner
    /// `None` for `true`.
    fn assumption(&self, edge: EdgeId, condition: &Condition, invariant: &Condition) -> Option<Option<String>> {
        let parts: Vec<&Condition> = [condition, invariant].into_iter().filter(|part| !part.is_true()).collect();
        if parts.is_empty() {
            return Some(None);
        }
        let writable =
            |part: &&Condition| !part.text().contains(['{', '}', ';', '\n', '\r']) && !part.text().contains("//");
        let mut scopes: Vec<&str> = parts.iter().filter_map(|part| part.scope()).collect();
        scopes.dedup();
        if !parts.iter().all(writable) || scopes.len() > 1 {
            return None;
        }
        let text = match parts.as_slice() {
            [only] => only.text().to_string(),
            several => several.iter().map(|part| format!("({})", part.text())).collect::<Vec<_>>().join(" && "),
        };
        let (from, to) = (self.program.edge(edge).from, self.program.edge(edge).to);
        let (from, to) = (self.program.location(from).function, self.program.location(to).function);
        let scope = scopes.first().and_then(|scope| self.program.function_named(scope));
        let hides = |part: &&Condition| {
            part.scope().is_none() && scope.into_iter().chain([from, to]).any(|f| self.scopes.is_local(part.text(), f))
        };
        match scope {
            _ if parts.iter().any(hides) => None,
            None if scopes.is_empty() => Some(Some(format!("{{{text}}}"))),
            None => None,
            // Without a scope, the names are those of the function that the edge is in.
            Some(scope) if self.dialect == Dialect::Condition => {
                let plain = from == to && to == scope && self.scopes.is_local(&text, scope);
                let global =
                    !self.scopes.is_local(&text, scope) && ![from, to].iter().any(|f| self.scopes.is_local(&text, *f));
                (plain || global).then(|| Some(format!("{{{text}}}")))
            }
            Some(scope) => Some(Some(format!("SCOPE {}{{{text}}}", self.program.function(scope).name))),
        }
    }
}

/// A name that the language takes for one, as near to the given one as possible.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("q{name}") } else { name }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\r', "\\r").replace('\n', "\\n")
}
