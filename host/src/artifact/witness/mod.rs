//! Verification witnesses: a verifier's evidence for its verdict, for others to check. Formats:
//! <https://gitlab.com/sosy-lab/benchmarking/sv-witnesses>. Each is read in full; `invariants.rs` and `violation.rs`
//! translate it for a program.

mod document;
pub mod graphml;
pub mod invariants;
mod places;
mod result;
pub mod violation;
pub mod yaml;

pub use document::Document;

use super::test_suite::{hexadecimal, iso_8601, now};
use sha2::{Digest, Sha256};
use tandem_plugin_api::program::{DataModel, Program};

/// The metadata of a witness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    pub format_version: String,
    pub uuid: String,
    pub creation_time: String,
    pub producer: String,
    pub producer_version: String,
    pub input_files: Vec<String>,
    /// SHA-256 by file; SHA-1 in old GraphML.
    pub input_file_hashes: Vec<(String, String)>,
    pub specification: String,
    pub data_model: Option<DataModel>,
    pub language: String,
}

impl Metadata {
    /// For a witness that this version of tandem makes now.
    pub fn of(program: &Program, specification: &str) -> Self {
        let name = places::base_name(&program.name).to_string();
        let creation_time = iso_8601(now());
        Metadata {
            format_version: "2.0".into(),
            uuid: uuid(&[&program.source_sha256, specification, &creation_time]),
            creation_time,
            producer: "tandem".into(),
            producer_version: env!("CARGO_PKG_VERSION").into(),
            input_files: vec![name.clone()],
            input_file_hashes: vec![(name, program.source_sha256.clone())],
            specification: specification.into(),
            data_model: Some(program.types.model),
            language: "C".into(),
        }
    }

    /// The file and hash of the program that the witness is about, where it is not the one with this SHA-256.
    pub fn other_program(&self, sha256: &str) -> Option<(&str, &str)> {
        let is_hash = |hash: &str| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut known = self.input_file_hashes.iter().filter(|(_, hash)| is_hash(hash));
        let other = known.clone().next()?;
        let same = sha256.is_empty() || known.any(|(_, hash)| hash.eq_ignore_ascii_case(sha256));
        (!same).then_some((other.0.as_str(), other.1.as_str()))
    }

    /// The same in words, for the program of this name.
    pub fn objection(&self, program: &str, sha256: &str) -> Option<String> {
        let (name, hash) = self.other_program(sha256)?;
        Some(format!(
            "the witness is about another program: `{name}` with the hash {hash}, while `{program}` has {sha256}"
        ))
    }
}

/// A name in the form of RFC 4122 that is computed from the parts (version 8), so that the same witness has the same
/// name.
fn uuid(parts: &[&str]) -> String {
    let mut bytes: Vec<u8> = Sha256::digest(parts.join("\n").as_bytes()).iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hexadecimal(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// A place in the source. Line and column count from 1; without a column, the leftmost place that fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvariantType {
    Loop,
    Location,
    /// Of version 2.1: relates values of two visits.
    LoopTransition,
    LocationTransition,
    /// Of version 2.1: `requires` and `ensures` of a function.
    FunctionContract,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessInvariant {
    pub kind: InvariantType,
    pub position: Position,
    /// Empty for contracts.
    pub value: String,
    pub format: String,
    pub requires: Option<String>,
    pub ensures: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaypointType {
    Assumption,
    Branching,
    FunctionEnter,
    FunctionReturn,
    Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Follow,
    Avoid,
    /// Of version 2.1: a part of a cycle that never ends.
    Cycle,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub value: String,
    pub format: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub kind: WaypointType,
    pub action: Action,
    pub constraint: Option<Constraint>,
    pub position: Position,
    /// The function that is called there, where known; GraphML names it.
    pub callee: Option<String>,
}

/// Waypoints to avoid, and then one to follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    pub waypoints: Vec<Waypoint>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryContent {
    Invariants(Vec<WitnessInvariant>),
    Violation(Vec<Segment>),
    /// An entry of a type that is not known, such as `ghost_instrumentation`.
    Other(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub metadata: Metadata,
    pub content: EntryContent,
}

/// A file in the YAML format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    pub entries: Vec<Entry>,
}

impl Witness {
    /// The first violation in it.
    pub fn violation(&self) -> Option<&[Segment]> {
        self.entries.iter().find_map(|entry| match &entry.content {
            EntryContent::Violation(segments) => Some(segments.as_slice()),
            _ => None,
        })
    }

    pub fn invariants(&self) -> impl Iterator<Item = &WitnessInvariant> {
        self.entries.iter().flat_map(|entry| match &entry.content {
            EntryContent::Invariants(list) => list.as_slice(),
            _ => &[],
        })
    }
}
