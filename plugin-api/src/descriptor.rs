//! A plugin's description of itself: its name, kind, options, and what it needs and gives. The host checks whole
//! configurations against descriptors before anything runs.

use crate::analysis::Capability;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Version of this contract. The same major number is needed, and the host's minor number may not be smaller than the
/// plugin's: minor versions only add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiVersion {
    pub major: u16,
    pub minor: u16,
}

/// The version that this crate implements.
///
/// - 2.0: what only some analyses can do is a capability with a trait of its own (see
///   [`Analysis::CAPABILITIES`](crate::Analysis::CAPABILITIES)); what authors may use besides the contract is in [`kit`](crate::kit).
///   Plugins built for 1.x are refused.
pub const API_VERSION: ApiVersion = ApiVersion { major: 2, minor: 0 };

impl fmt::Display for ApiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PluginKind {
    /// A configurable program analysis, run in a product by the host's CPA algorithm.
    Analysis,
    /// A whole procedure: bounded model checking, k-induction, a fuzzer, a Horn-clause solver.
    Engine,
    /// Cuts a program into path ranges.
    Splitter,
    /// Makes a residual program.
    Reducer,
    /// Runs an off-the-shelf tool.
    Adapter,
}

impl PluginKind {
    pub const ALL: [PluginKind; 5] =
        [PluginKind::Analysis, PluginKind::Engine, PluginKind::Splitter, PluginKind::Reducer, PluginKind::Adapter];

    pub fn name(self) -> &'static str {
        match self {
            PluginKind::Analysis => "analysis",
            PluginKind::Engine => "engine",
            PluginKind::Splitter => "splitter",
            PluginKind::Reducer => "reducer",
            PluginKind::Adapter => "adapter",
        }
    }
}

impl fmt::Display for PluginKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Kinds of information that pass between actors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArtifactKind {
    Gia,
    Condition,
    Precision,
    Tests,
    Ranges,
    Invariants,
    Program,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Descriptor {
    /// How configurations name it: lower case, digits, hyphens.
    pub name: String,
    pub kind: PluginKind,
    /// The plugin's own version.
    pub version: String,
    /// One line.
    pub about: String,
    /// Strengths and weaknesses; may be empty.
    pub details: String,
    pub options: Vec<OptionSpec>,
    /// An actor made of the plugin cannot work without these.
    pub needs: Vec<ArtifactKind>,
    pub gives: Vec<ArtifactKind>,
    /// What an analysis can do. Filled in when the plugin is exported; listing more than it has makes the host refuse it.
    pub capabilities: Vec<Capability>,
    /// The contract it was built against.
    pub api: ApiVersion,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionSpec {
    pub name: String,
    pub about: String,
    pub ty: OptionType,
    pub default: OptionValue,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OptionType {
    Bool,
    /// Both bounds are allowed values.
    Integer {
        min: i64,
        max: i64,
    },
    Float,
    Text,
    /// One of these words.
    Choice(Vec<String>),
    /// Written as `"20s"`, `"500ms"`, `"2m"`.
    Duration,
    TextList,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OptionValue {
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// Also the value of a choice.
    Text(String),
    Duration(Duration),
    TextList(Vec<String>),
}
