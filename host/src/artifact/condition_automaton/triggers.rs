//! Which edges of the program a trigger matches.

use super::lex::Place;
use super::parse::Trigger;
use super::texts::{self, Texts};
use crate::diagnostic::{Diagnostic, did_you_mean};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::{EdgeId, LocationId, Op, Program};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Matched {
    /// Every edge.
    All,
    /// Those that no other transition of the state matches.
    Otherwise,
    /// In ascending order.
    Edges(Vec<EdgeId>),
}

pub(super) struct Triggers<'p> {
    program: &'p Program,
    texts: Texts,
    cache: FxHashMap<String, Vec<EdgeId>>,
    /// The texts that were searched for, and the number of those that the program has.
    pub asked: usize,
    pub found: usize,
    pub first_unknown: Option<(String, Place)>,
}

impl<'p> Triggers<'p> {
    pub fn new(program: &'p Program) -> Self {
        let texts = Texts::of(program);
        Triggers { program, texts, cache: FxHashMap::default(), asked: 0, found: 0, first_unknown: None }
    }

    pub fn matched(&mut self, trigger: &Trigger, place: &Place) -> Result<Matched, Diagnostic> {
        match trigger {
            Trigger::True => Ok(Matched::All),
            Trigger::Otherwise => Ok(Matched::Otherwise),
            _ => self.edges(trigger, place).map(Matched::Edges),
        }
    }

    /// Whether the edge that the text names in CPAchecker has no counterpart in our program.
    pub fn is_silent(&self, trigger: &Trigger) -> bool {
        matches!(trigger, Trigger::Text(text) if texts::is_silent(text)
            && (text.trim().is_empty() || self.texts.edges(text).is_empty()))
    }

    /// If the program has none of the texts, the automaton is about another program.
    pub fn check_program(&self) -> Result<(), Diagnostic> {
        match &self.first_unknown {
            Some((text, place)) if self.found == 0 => {
                let message = format!(
                    "no edge of `{}` has the text \"{}\", nor any other that the automaton matches: \
                     it is about another program",
                    self.program.name,
                    text.escape_debug()
                );
                let near = did_you_mean(text, self.texts.iter());
                let help = near.map_or_else(
                    || {
                        format!(
                            "give the program that it was made for; `tandem cfa {}` shows the texts",
                            self.program.name
                        )
                    },
                    |near| format!("did you mean \"{near}\"?"),
                );
                Err(place.problem(message).help(help))
            }
            _ => Ok(()),
        }
    }

    fn edges(&mut self, trigger: &Trigger, place: &Place) -> Result<Vec<EdgeId>, Diagnostic> {
        Ok(match trigger {
            Trigger::True => self.program.edge_ids().collect(),
            Trigger::False => Vec::new(),
            Trigger::Otherwise => {
                return Err(place.problem("`OTHERWISE` inside of another trigger").help("let it stand alone"));
            }
            Trigger::Text(text) => self.by_text(text, place),
            Trigger::Pattern(pattern) => {
                self.cached(format!("{{{pattern}"), |texts| texts.matching(|text| texts::fits(pattern, text)))
            }
            Trigger::Regex(regex) => {
                self.cached(format!("[{}", regex.as_str()), |texts| texts.matching(|text| regex.is_match(text)))
            }
            Trigger::Label(name) => self.entering(&self.labelled(name, place)?),
            Trigger::Call(name) => self.calls(name),
            Trigger::FunctionExit(name) => {
                let body = self.program.function_named(name).and_then(|function| self.program.function(function).body);
                self.entering(&body.map(|body| body.exit).into_iter().collect::<Vec<_>>())
            }
            Trigger::Entry => {
                let entry = self.program.entry();
                self.where_edge(|edge| Some(edge.from) == entry)
            }
            Trigger::Exit => {
                let exit = self.program.function(self.program.main).body.map(|body| body.exit);
                let ends = |to: LocationId| Some(to) == exit || self.program.location(to).leaving.is_empty();
                self.where_edge(|edge| ends(edge.to))
            }
            Trigger::Assert => {
                let mut edges = self.calls("__assert_fail");
                edges.extend(self.calls("assert"));
                edges.sort_unstable();
                edges
            }
            Trigger::Not(inner) => {
                let unknown_before = self.asked - self.found;
                let edges = self.edges(inner, place)?;
                if self.asked - self.found > unknown_before {
                    let message = "this negates a text that no edge of the program has";
                    return Err(place
                        .problem(message)
                        .help("the edges that do not match it are not known; correct the text"));
                }
                self.program.edge_ids().filter(|edge| edges.binary_search(edge).is_err()).collect()
            }
            Trigger::All(parts) => {
                let mut edges: Vec<EdgeId> = self.program.edge_ids().collect();
                for part in parts {
                    let others = self.edges(part, place)?;
                    edges.retain(|edge| others.binary_search(edge).is_ok());
                }
                edges
            }
            Trigger::Any(parts) => {
                let mut edges = Vec::new();
                for part in parts {
                    edges.extend(self.edges(part, place)?);
                }
                edges.sort_unstable();
                edges.dedup();
                edges
            }
        })
    }

    fn by_text(&mut self, text: &str, place: &Place) -> Vec<EdgeId> {
        let edges = self.texts.edges(text).to_vec();
        // A blank text, or a declaration, is in every program.
        if !texts::is_silent(text) || !edges.is_empty() && !text.trim().is_empty() {
            self.asked += 1;
            self.found += usize::from(!edges.is_empty());
            if edges.is_empty() && self.first_unknown.is_none() {
                self.first_unknown = Some((text.to_string(), place.clone()));
            }
        }
        edges
    }

    fn cached(&mut self, key: String, find: impl FnOnce(&Texts) -> Vec<EdgeId>) -> Vec<EdgeId> {
        let texts = &self.texts;
        self.cache.entry(key).or_insert_with(|| find(texts)).clone()
    }

    fn where_edge(&self, wanted: impl Fn(&tandem_plugin_api::program::Edge) -> bool) -> Vec<EdgeId> {
        self.program.edge_ids().filter(|edge| wanted(self.program.edge(*edge))).collect()
    }

    fn entering(&self, locations: &[LocationId]) -> Vec<EdgeId> {
        self.where_edge(|edge| locations.contains(&edge.to))
    }

    fn labelled(&self, name: &str, place: &Place) -> Result<Vec<LocationId>, Diagnostic> {
        let labels = || self.program.functions.iter().flat_map(|function| &function.labels);
        let found: Vec<LocationId> = labels().filter(|(label, _)| label == name).map(|(_, at)| *at).collect();
        if found.is_empty() {
            let near = did_you_mean(name, labels().map(|(label, _)| label.as_str()));
            let help = near.map_or("check the name".to_string(), |near| format!("did you mean `{near}`?"));
            return Err(place.problem(format!("the program has no label `{name}`")).help(help));
        }
        Ok(found)
    }

    /// Calls by name, and those through a pointer that enter the function.
    fn calls(&self, name: &str) -> Vec<EdgeId> {
        let Some(function) = self.program.function_named(name) else { return Vec::new() };
        let enters = |edge: EdgeId| match self.program.edge(edge).op {
            Op::Call(_) => self.program.location(self.program.edge(edge).to).function == function,
            _ => false,
        };
        let called = |edge: &EdgeId| self.program.called_function(*edge) == Some(function) || enters(*edge);
        self.program.edge_ids().filter(called).collect()
    }
}
