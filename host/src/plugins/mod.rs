//! Plugins on disk: where they are searched, what is checked before any of their code runs, how they are loaded.
//! A file that is refused costs nothing but a message.

mod discovery;
mod inspect;
mod load;
mod registry;
mod trust;

pub use discovery::{Origin, PluginSearch, SearchDir};
pub use load::{LoadedPlugin, check_file, load_plugin};
pub use registry::{LookupError, Registry};

use std::fmt;
use std::path::{Path, PathBuf};

/// A file (or directory) that was not used, why, and what the user can do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub file: PathBuf,
    pub kind: RefusalKind,
    /// A lower-case fragment without a final full stop.
    pub cause: String,
    pub remedy: String,
}

/// The kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// It cannot be read, or is not a regular file.
    Unreadable,
    /// Others may write it, or its directory.
    Untrusted,
    NotALibrary,
    /// A library for another machine.
    OtherMachine,
    Truncated,
    /// A library, but no plugin.
    NotAPlugin,
    OtherApiVersion,
    OtherLayout,
    /// It cannot be loaded, or fails to say what it is.
    Broken,
    NameTaken,
}

impl Refusal {
    fn new(file: &Path, kind: RefusalKind, cause: impl Into<String>, remedy: impl Into<String>) -> Self {
        Refusal { file: file.to_path_buf(), kind, cause: cause.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (remedy: {})", self.file.display(), self.cause, self.remedy)
    }
}

impl std::error::Error for Refusal {}
