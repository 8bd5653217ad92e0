//! The host's services as an object that plugin libraries can call.
//! A panic of the host inside such a call must not unwind into the plugin, so these calls are guarded as well.

use super::super::contract::{ExecutionBox, FormulasBox, HostBox, HostPort, HostPort_TO};
use super::super::message::HostRequest;
use super::super::stop::StopSignal;
use super::super::wire::{Bytes, Reply};
use super::super::{codec, guard};
use super::task::SharedProgram;
use super::{execution, formulas};
use crate::artifact::Gia;
use crate::error::{PluginError, Result};
use crate::program::Program;
use crate::service::execution::ExecutionOptions;
use crate::service::{Artifact, Host, LogLevel};
use abi_stable::sabi_trait::TD_Opaque;
use abi_stable::std_types::{RArc, RSlice, RStr};
use std::sync::Arc;

struct Port {
    host: Host,
    program: Arc<SharedProgram>,
}

/// The port for a plugin that works on this program.
pub fn port(host: &Host, program: &Arc<SharedProgram>) -> HostBox {
    let port = Port { host: host.clone(), program: Arc::clone(program) };
    HostPort_TO::from_ptr(RArc::new(port), TD_Opaque)
}

impl HostPort for Port {
    fn log(&self, level: u8, message: RStr<'_>) {
        // A failing log must not disturb the plugin.
        let _ = guard::catch("log", || {
            self.host.log(LogLevel::from_code(level), message.as_str());
            Ok(())
        });
    }

    fn stop_signal(&self) -> StopSignal {
        self.host.stop_signal().clone()
    }

    fn program(&self) -> Reply<Bytes> {
        guard::reply("program", || Ok(self.program.bytes()?.to_vec().into()))
    }

    fn request(&self, request: RSlice<'_, u8>) -> Reply<Bytes> {
        guard::reply("host service", || {
            let request = codec::decode(request.as_slice(), "a request that this host knows")?;
            Ok(self.answer(request)?.into())
        })
    }

    fn execution(&self, options: RSlice<'_, u8>) -> Reply<ExecutionBox> {
        guard::reply("execution", || {
            let options: ExecutionOptions = codec::decode(options.as_slice(), "options of an execution")?;
            let edges = self.program.program().edges.len();
            if let Some(edge) = options.targets.iter().find(|edge| edge.index() >= edges) {
                return Err(PluginError::bad_input(format!(
                    "the target {edge} of the execution is not an edge of the program"
                )));
            }
            Ok(execution::port(self.host.execution(&options)?, self.host.clone()))
        })
    }

    fn formulas(&self) -> Reply<FormulasBox> {
        guard::reply("formulas", || Ok(formulas::port(self.host.formulas()?.into_service())))
    }
}

impl Port {
    fn answer(&self, request: HostRequest) -> Result<Vec<u8>> {
        let host = &self.host;
        match request {
            HostRequest::Budget => codec::encode(&host.budget()),
            // The plugin counts what it has seen, see `Host::incoming`.
            HostRequest::Incoming { seen } => codec::encode(&host.services().incoming(seen)?),
            HostRequest::ParseExpression { text, scope } => codec::encode(&host.parse_expression(&text, scope)?),
            HostRequest::Source => codec::encode(&host.source()?),
            HostRequest::ReadClaims { given, file } => codec::encode(&host.read_claims(given.as_deref(), &file)?),
            HostRequest::Progress(progress) => {
                host.progress(&progress);
                codec::encode(&())
            }
            HostRequest::Publish(artifact) => {
                if let Artifact::Gia(gia) = &artifact {
                    check_gia(gia, self.program.program())?;
                }
                host.publish(&artifact)?;
                codec::encode(&())
            }
            HostRequest::Note(note) => {
                host.note(&note);
                codec::encode(&())
            }
        }
    }
}

/// A GIA of a plugin must name only edges that the program has.
pub fn check_gia(gia: &Gia, program: &Program) -> Result<()> {
    match gia.foreign_edge(program) {
        Some(edge) => Err(PluginError::bad_input(format!("the GIA names {edge}, which the program does not have"))),
        None => Ok(()),
    }
}
