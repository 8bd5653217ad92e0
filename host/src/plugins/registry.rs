//! The plugins that were found, by name. Refused files are kept, too, for `tandem plugins list` and messages.

use super::discovery::PluginSearch;
use super::load::LoadedPlugin;
use super::{Refusal, RefusalKind};
use crate::diagnostic::Diagnostic;
use std::fmt;
use tandem_plugin_api::descriptor::PluginKind;

/// All plugins of a run. Names are unique over all kinds: the first in search order has it.
#[derive(Default)]
pub struct Registry {
    search: PluginSearch,
    plugins: Vec<LoadedPlugin>,
    refused: Vec<Refusal>,
}

/// No plugin of that kind and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupError {
    pub kind: PluginKind,
    pub name: String,
    /// The kind of the plugin that does have the name.
    pub other_kind: Option<PluginKind>,
    /// Names of plugins of the wanted kind, nearest first.
    pub nearest: Vec<String>,
    /// There are no plugins of any kind.
    pub no_plugins_at_all: bool,
}

impl Registry {
    pub(super) fn new(search: PluginSearch) -> Self {
        Registry { search, ..Registry::default() }
    }

    pub(super) fn add(&mut self, loaded: Result<LoadedPlugin, Refusal>) {
        let plugin = match loaded {
            Ok(plugin) => plugin,
            Err(refusal) => return self.refused.push(refusal),
        };
        match self.plugins.iter().find(|earlier| earlier.descriptor.name == plugin.descriptor.name) {
            None => self.plugins.push(plugin),
            Some(earlier) => {
                let cause = format!(
                    "the name `{}` is taken by {}, which comes first on the search path",
                    plugin.descriptor.name,
                    earlier.file.display()
                );
                let remedy = "remove one of the two files, or put the wanted one first with --plugin-dir";
                self.refused.push(Refusal::new(&plugin.file, RefusalKind::NameTaken, cause, remedy));
            }
        }
    }

    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.refused.push(refusal);
    }

    /// A registry of plugins that need no files, for tests.
    pub fn of(plugins: Vec<LoadedPlugin>) -> Self {
        let mut registry = Registry::default();
        plugins.into_iter().for_each(|plugin| registry.add(Ok(plugin)));
        registry
    }

    /// In search order.
    pub fn plugins(&self) -> &[LoadedPlugin] {
        &self.plugins
    }

    pub fn refused(&self) -> &[Refusal] {
        &self.refused
    }

    pub fn search(&self) -> &PluginSearch {
        &self.search
    }

    /// The plugin of that name, of whatever kind.
    pub fn named(&self, name: &str) -> Option<&LoadedPlugin> {
        self.plugins.iter().find(|plugin| plugin.descriptor.name == name)
    }

    pub fn get(&self, kind: PluginKind, name: &str) -> Result<&LoadedPlugin, LookupError> {
        let found = self.named(name);
        match found {
            Some(plugin) if plugin.descriptor.kind == kind => Ok(plugin),
            _ => Err(LookupError {
                kind,
                name: name.to_string(),
                other_kind: found.map(|plugin| plugin.descriptor.kind),
                nearest: self.nearest(Some(kind), name),
                no_plugins_at_all: self.plugins.is_empty(),
            }),
        }
    }

    /// Up to three names of plugins (of a kind), the most similar first; all of them may be far off.
    pub fn nearest(&self, kind: Option<PluginKind>, name: &str) -> Vec<String> {
        let mut names: Vec<_> = self
            .plugins
            .iter()
            .map(|plugin| &plugin.descriptor)
            .filter(|descriptor| kind.is_none_or(|kind| descriptor.kind == kind) && descriptor.name != name)
            .map(|descriptor| (strsim::damerau_levenshtein(&descriptor.name, name), descriptor.name.clone()))
            .collect();
        names.sort();
        names.into_iter().take(3).map(|(_, name)| name).collect()
    }

    /// The message for a user who has no plugins at all.
    pub fn if_empty(&self) -> Option<Diagnostic> {
        if !self.plugins.is_empty() {
            return None;
        }
        let searched: Vec<_> = self.search.dirs.iter().map(|dir| dir.path.display().to_string()).collect();
        let refused = match self.refused.len() {
            0 => String::new(),
            1 => format!("; one file was refused: {}", self.refused[0]),
            n => format!("; {n} files were refused, see `tandem plugins list`"),
        };
        let message = format!("no plugins were found in {}{refused}", searched.join(", "));
        Some(Diagnostic::new(message).help(BUILD_THEM))
    }
}

const BUILD_THEM: &str = "build them with `cargo build --release` in tandem's source directory, or name their directory with \
                          --plugin-dir or TANDEM_PLUGIN_PATH";

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(other) = self.other_kind {
            return write!(f, "plugin `{}` is of kind {other}, not {}", self.name, self.kind);
        }
        write!(f, "there is no {} plugin `{}`", self.kind, self.name)?;
        if self.no_plugins_at_all {
            return write!(f, ", nor any other; {BUILD_THEM}");
        }
        match self.nearest.as_slice() {
            [] => write!(f, ", nor any other of that kind"),
            names => write!(f, "; there is `{}`", names.join("`, `")),
        }
    }
}

impl std::error::Error for LookupError {}
