//! The parts that every plugin has, whatever its kind: a descriptor and a constructor.

use crate::descriptor::{API_VERSION, ArtifactKind, Descriptor, OptionSpec, OptionType, OptionValue, PluginKind};
use crate::error::Result;
use crate::options::Options;
use crate::service::Host;
use crate::task::Task;
use std::sync::Arc;

/// A type that [`export_plugin!`](crate::export_plugin) turns into a plugin, beside the trait of its kind:
/// [`Analysis`](crate::Analysis), [`Engine`](crate::Engine), [`Splitter`](crate::Splitter),
/// [`Reducer`](crate::Reducer) or [`Adapter`](crate::Adapter).
pub trait Plugin: Send + Sized + 'static {
    /// One of [`kind`]; the trait of that name must be implemented.
    type Kind: kind::Kind;

    /// The plugin's description of itself. Must always be the same, and must not do any work.
    fn descriptor() -> Descriptor;

    /// Makes an instance for one actor and one task.
    fn new(setup: &Setup) -> Result<Self>;
}

/// The data from which an instance is made.
pub struct Setup {
    pub task: Arc<Task>,
    /// All declared options, with defaults filled in.
    pub options: Options,
    /// For messages while the instance is made; each run brings a host of its own.
    pub host: Host,
}

/// Names of the plugin kinds on the level of types.
pub mod kind {
    use super::PluginKind;

    pub trait Kind: 'static {
        const KIND: PluginKind;
    }

    macro_rules! kinds {
        ($($name:ident)*) => {$(
            pub struct $name;
            impl Kind for $name {
                const KIND: PluginKind = PluginKind::$name;
            }
        )*};
    }

    kinds!(Analysis Engine Splitter Reducer Adapter);
}

/// Builds a descriptor, for use in [`Plugin::descriptor`].
impl Descriptor {
    /// `version` is the plugin's own, normally `env!("CARGO_PKG_VERSION")`.
    pub fn of<P: Plugin>(name: &str, version: &str, about: &str) -> Self {
        Descriptor {
            name: name.to_string(),
            kind: <P::Kind as kind::Kind>::KIND,
            version: version.to_string(),
            about: about.to_string(),
            details: String::new(),
            options: Vec::new(),
            needs: Vec::new(),
            gives: Vec::new(),
            capabilities: Vec::new(),
            api: API_VERSION,
        }
    }

    pub fn details(mut self, details: &str) -> Self {
        self.details = details.to_string();
        self
    }

    pub fn option(mut self, name: &str, about: &str, ty: OptionType, default: OptionValue) -> Self {
        self.options.push(OptionSpec { name: name.to_string(), about: about.to_string(), ty, default });
        self
    }

    pub fn needs(mut self, kinds: &[ArtifactKind]) -> Self {
        self.needs.extend_from_slice(kinds);
        self
    }

    pub fn gives(mut self, kinds: &[ArtifactKind]) -> Self {
        self.gives.extend_from_slice(kinds);
        self
    }

    /// The mistakes in it, one fragment for each; empty if there are none.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !is_plugin_name(&self.name) {
            problems.push(format!(
                "the name {:?} is not made of lower-case letters, digits and hyphens, with a letter first",
                self.name
            ));
        }
        if self.about.trim().is_empty() || self.about.contains('\n') {
            problems.push("the description is not one line of text".to_string());
        }
        for (index, option) in self.options.iter().enumerate() {
            if !is_plugin_name(&option.name) {
                problems.push(format!(
                    "the option name {:?} is not made of lower-case letters, digits and hyphens",
                    option.name
                ));
            }
            if self.options[..index].iter().any(|earlier| earlier.name == option.name) {
                problems.push(format!("option `{}` is declared twice", option.name));
            }
            if let Err(message) = option.ty.check(&option.default) {
                problems.push(format!("the default of option `{}` does not fit its type: {message}", option.name));
            }
        }
        problems
    }
}

/// Lower-case letters, digits and hyphens, beginning with a letter, at most 64 characters.
fn is_plugin_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;
    impl Plugin for Nothing {
        type Kind = kind::Reducer;
        fn descriptor() -> Descriptor {
            Descriptor::of::<Self>("nothing", "1.0.0", "Does nothing.")
        }
        fn new(_: &Setup) -> Result<Self> {
            Ok(Nothing)
        }
    }

    #[test]
    fn a_descriptor_has_the_kind_of_its_plugin() {
        let descriptor = Nothing::descriptor();
        assert_eq!(descriptor.kind, PluginKind::Reducer);
        assert_eq!(descriptor.api, API_VERSION);
        assert!(descriptor.problems().is_empty());
    }

    #[test]
    fn mistakes_in_descriptors_are_found() {
        let mut descriptor = Nothing::descriptor()
            .option("bound", "", OptionType::Bool, OptionValue::Integer(3))
            .option("bound", "", OptionType::Bool, OptionValue::Bool(true));
        descriptor.name = "Not Good".into();
        descriptor.about = "two\nlines".into();
        assert_eq!(descriptor.problems().len(), 4);
    }
}
