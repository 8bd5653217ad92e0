//! The XML of GraphML witnesses: graph, nodes and edges with their data.

use super::{GraphEdge, GraphNode, GraphWitness};
use crate::artifact::witness::Metadata;
use crate::diagnostic::Diagnostic;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tandem_plugin_api::program::DataModel;

/// Witnesses have no deeper elements.
const DEEPEST: usize = 16;

/// Reads the text of a witness; `file` is its name, for messages.
pub fn parse(text: &str, file: &str) -> Result<GraphWitness, Diagnostic> {
    let mut builder = Builder {
        text,
        file,
        open: Vec::new(),
        graph: BTreeMap::new(),
        nodes: Vec::new(),
        edges: Vec::new(),
        is_graphml: false,
    };
    builder.read()?;
    builder.finish()
}

/// An element that is open.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    data: BTreeMap<String, String>,
    at: u64,
}

struct Builder<'t> {
    text: &'t str,
    file: &'t str,
    open: Vec<Element>,
    graph: BTreeMap<String, String>,
    nodes: Vec<(GraphNode, u64)>,
    edges: Vec<(String, String, BTreeMap<String, String>, u64)>,
    is_graphml: bool,
}

impl Builder<'_> {
    fn read(&mut self) -> Result<(), Diagnostic> {
        let mut reader = Reader::from_str(self.text);
        loop {
            let at = reader.buffer_position();
            let event =
                reader.read_event().map_err(|error| self.problem(reader.error_position(), &error.to_string()))?;
            match event {
                Event::Start(start) => self.start(&start, at)?,
                Event::Empty(start) => {
                    self.start(&start, at)?;
                    self.end()?;
                }
                Event::End(_) => self.end()?,
                Event::Text(text) => self.add(&text.xml10_content()),
                Event::CData(text) => self.add(&text.xml10_content()),
                Event::GeneralRef(reference) => {
                    let replaced = match reference.resolve_char_ref() {
                        Ok(Some(character)) => character.to_string(),
                        _ => match quick_xml::escape::resolve_xml_entity(&reference) {
                            Some(text) => text.to_string(),
                            None => return Err(self.problem(at, &format!("`&{};` is not defined", &*reference))),
                        },
                    };
                    self.add(&replaced);
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        match self.open.last() {
            Some(unclosed) => {
                let problem = Diagnostic::new(format!("`<{}>` is not closed", unclosed.name));
                Err(self.place(problem, unclosed.at).help("is the file cut off?"))
            }
            None => Ok(()),
        }
    }

    fn start(&mut self, start: &BytesStart<'_>, at: u64) -> Result<(), Diagnostic> {
        let name = start.local_name().as_ref().to_string();
        self.is_graphml |= self.open.is_empty() && name == "graphml";
        if self.open.len() >= DEEPEST {
            return Err(self.problem(at, "elements are nested too deeply"));
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| self.problem(at, &error.to_string()))?;
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            let value = value.map_err(|error| self.problem(at, &error.to_string()))?;
            attributes.push((attribute.key.as_ref().to_string(), value.into_owned()));
        }
        self.open.push(Element { name, attributes, text: String::new(), data: BTreeMap::new(), at });
        Ok(())
    }

    fn add(&mut self, text: &str) {
        if let Some(element) = self.open.last_mut() {
            element.text.push_str(text);
        }
    }

    fn end(&mut self) -> Result<(), Diagnostic> {
        // The reader itself refuses an end without a start.
        let Some(element) = self.open.pop() else { return Ok(()) };
        let attribute = |wanted: &str| {
            let found = element.attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
            found.ok_or_else(|| {
                let problem = Diagnostic::new(format!("`<{}>` has no attribute `{wanted}`", element.name));
                self.place(problem, element.at).help("add it: the format requires it")
            })
        };
        match element.name.as_str() {
            "data" => {
                let key = attribute("key")?;
                if let Some(owner) = self.open.last_mut() {
                    owner.data.insert(key, element.text.trim().to_string());
                }
            }
            "node" => {
                let id = attribute("id")?;
                self.nodes.push((GraphNode { id, data: element.data }, element.at));
            }
            "edge" => {
                let (source, target) = (attribute("source")?, attribute("target")?);
                self.edges.push((source, target, element.data, element.at));
            }
            "graph" => self.graph = element.data,
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<GraphWitness, Diagnostic> {
        if !self.is_graphml {
            let problem = Diagnostic::new("there is no element `<graphml>`").in_file(self.file);
            return Err(problem.help("is this a witness in the format GraphML?"));
        }
        let is_violation = match self.graph.get("witness-type").map(String::as_str) {
            Some("violation_witness") => true,
            Some("correctness_witness") => false,
            Some(other) => {
                let problem = Diagnostic::new(format!("`{other}` is not a witness type")).in_file(self.file);
                return Err(problem.help("it is violation_witness or correctness_witness"));
            }
            None => {
                let problem = Diagnostic::new("the graph has no data `witness-type`").in_file(self.file);
                return Err(problem.help("add it: violation_witness or correctness_witness"));
            }
        };
        let mut ids: FxHashMap<&str, usize> = FxHashMap::default();
        for (index, (node, at)) in self.nodes.iter().enumerate() {
            if ids.insert(&node.id, index).is_some() {
                let problem = Diagnostic::new(format!("two nodes have the id `{}`", node.id));
                return Err(self.place(problem, *at).help("give each node an id of its own"));
            }
        }
        let entries = self.nodes.iter().filter(|(node, _)| node.is("entry")).count();
        if entries != 1 {
            let problem = Diagnostic::new(format!("{entries} nodes are the entry")).in_file(self.file);
            return Err(problem.help("give exactly one node the data `entry` with the value true"));
        }
        let mut edges = Vec::with_capacity(self.edges.len());
        for (source, target, data, at) in &self.edges {
            let node = |id: &str| {
                ids.get(id).copied().ok_or_else(|| {
                    let problem = Diagnostic::new(format!("an edge names the node `{id}`, which is not there"));
                    self.place(problem, *at).help("add the node, or remove the edge")
                })
            };
            edges.push(GraphEdge { source: node(source)?, target: node(target)?, data: data.clone() });
        }
        let metadata = metadata(&self.graph);
        Ok(GraphWitness {
            metadata,
            is_violation,
            nodes: self.nodes.into_iter().map(|(node, _)| node).collect(),
            edges,
        })
    }

    fn problem(&self, at: u64, what: &str) -> Diagnostic {
        let problem = Diagnostic::new(format!("this is not well-formed XML: {what}"));
        self.place(problem, at).help("a value with `<` or `&` must be escaped, as in `&lt;`")
    }

    /// Adds where it is; lines are counted only when something is wrong.
    fn place(&self, problem: Diagnostic, offset: u64) -> Diagnostic {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        let newlines = self.text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count();
        problem.in_file(self.file).at(newlines as u32 + 1, 1)
    }
}

fn metadata(graph: &BTreeMap<String, String>) -> Metadata {
    let get = |key: &str| graph.get(key).cloned().unwrap_or_default();
    Metadata {
        format_version: "1.0".into(),
        uuid: String::new(),
        creation_time: get("creationtime"),
        producer: get("producer"),
        producer_version: String::new(),
        input_files: vec![get("programfile")],
        input_file_hashes: vec![(get("programfile"), get("programhash"))],
        specification: get("specification"),
        data_model: match get("architecture").as_str() {
            "32bit" => Some(DataModel::Ilp32),
            "64bit" => Some(DataModel::Lp64),
            _ => None,
        },
        language: get("sourcecodelang"),
    }
}
