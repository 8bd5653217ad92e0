//! The host as seen from inside a plugin library: [`Services`] that pass every request across the boundary.

use super::super::codec;
use super::super::contract::HostBox;
use super::super::message::HostRequest;
use super::{execution, formulas};
use crate::adapter::{ToolClaims, ToolFile};
use crate::error::{PluginError, Result};
use crate::service::execution::{Execution, ExecutionOptions};
use crate::service::formulas::FormulaService;
use crate::service::{Artifact, Budget, Host, LogLevel, Note, ParsedExpression, Progress, Scope, Services, StopSignal};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The host behind a port.
pub fn connect(port: HostBox) -> Host {
    Host::new(Arc::new(Remote { port }))
}

struct Remote {
    port: HostBox,
}

impl Remote {
    fn request<T: DeserializeOwned>(&self, request: &HostRequest, answer: &str) -> Result<T> {
        let bytes = codec::encode(request)?;
        let reply = self.port.request(bytes.as_slice().into()).into_result().map_err(PluginError::from)?;
        codec::decode(&reply, answer)
    }

    /// For requests whose failure must not disturb the plugin's work.
    fn tell(&self, request: &HostRequest) {
        if let Err(error) = self.request::<()>(request, "an acknowledgement") {
            self.log(LogLevel::Warning, &format!("the host did not take a message: {error}"));
        }
    }
}

impl Services for Remote {
    fn log(&self, level: LogLevel, message: &str) {
        self.port.log(level.code(), message.into());
    }

    fn stop_signal(&self) -> StopSignal {
        self.port.stop_signal()
    }

    fn budget(&self) -> Budget {
        self.request(&HostRequest::Budget, "a budget").unwrap_or_default()
    }

    fn progress(&self, progress: &Progress) {
        self.tell(&HostRequest::Progress(progress.clone()));
    }

    fn incoming(&self, seen: usize) -> Result<Vec<Artifact>> {
        self.request(&HostRequest::Incoming { seen }, "a list of artifacts")
    }

    fn publish(&self, artifact: &Artifact) -> Result<()> {
        self.request(&HostRequest::Publish(artifact.clone()), "an acknowledgement")
    }

    fn note(&self, note: &Note) {
        self.tell(&HostRequest::Note(note.clone()));
    }

    fn parse_expression(&self, text: &str, scope: Scope) -> Result<ParsedExpression> {
        self.request(&HostRequest::ParseExpression { text: text.to_string(), scope }, "an expression")
    }

    fn source(&self) -> Result<Option<String>> {
        self.request(&HostRequest::Source, "a text")
    }

    fn read_claims(&self, given: Option<&str>, file: &ToolFile) -> Result<ToolClaims> {
        let request = HostRequest::ReadClaims { given: given.map(str::to_string), file: file.clone() };
        self.request(&request, "claims of a tool")
    }

    fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        let bytes = codec::encode(options)?;
        let made = self.port.execution(bytes.as_slice().into()).into_result().map_err(PluginError::from)?;
        Ok(execution::connect(made))
    }

    fn formulas(&self) -> Result<Box<dyn FormulaService>> {
        let made = self.port.formulas().into_result().map_err(PluginError::from)?;
        Ok(formulas::connect(made))
    }
}
