//! A witness in any of the formats.

use super::{Metadata, Witness, graphml, yaml};
use crate::artifact::condition_automaton::Translated;
use crate::diagnostic::Diagnostic;
use tandem_plugin_api::artifact::Invariants;
use tandem_plugin_api::program::{EdgeId, Program};

/// A witness in one of the formats.
#[derive(Clone, Debug)]
pub enum Document {
    Yaml(Witness),
    Graph(Box<graphml::GraphWitness>),
}

impl Document {
    /// Reads the text of a witness; `file` is its name, for messages.
    pub fn parse(text: &str, file: &str) -> Result<Self, Diagnostic> {
        let is_xml = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        if is_xml {
            graphml::parse(text, file).map(Box::new).map(Document::Graph)
        } else {
            yaml::parse(text, file).map(Document::Yaml)
        }
    }

    /// The metadata of each part of the witness.
    pub fn metadata(&self) -> Vec<&Metadata> {
        match self {
            Document::Yaml(witness) => witness.entries.iter().map(|entry| &entry.metadata).collect(),
            Document::Graph(witness) => vec![&witness.metadata],
        }
    }

    pub fn is_violation(&self) -> bool {
        match self {
            Document::Yaml(witness) => witness.violation().is_some(),
            Document::Graph(witness) => witness.is_violation,
        }
    }

    /// The inputs that a violation names: the place where each is read, and its text.
    pub fn inputs(&self, program: &Program) -> Vec<(Vec<EdgeId>, String)> {
        match self {
            Document::Yaml(witness) => super::violation::inputs(witness.violation().unwrap_or_default(), program),
            Document::Graph(witness) => graphml::inputs(witness, program),
        }
    }

    /// The claims of a correctness witness at locations of the program; claims without a location are noted.
    pub fn invariants(&self, program: &Program) -> Translated<Invariants> {
        match self {
            Document::Yaml(witness) => super::invariants::of_witness(witness, program),
            Document::Graph(witness) => graphml::invariants_of(witness, program),
        }
    }

    /// The message if the witness is about another program than that of this name and SHA-256.
    pub fn objection(&self, name: &str, sha256: &str) -> Option<String> {
        self.metadata().into_iter().find_map(|metadata| metadata.objection(name, sha256))
    }
}
