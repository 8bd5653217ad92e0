//! Formulas of the host as an object that plugin libraries can call. After a panic nothing of them is trusted any more.

use super::super::contract::{FormulasBox, FormulasPort, FormulasPort_TO};
use super::super::wire::{Bytes, Reply};
use super::super::{codec, guard};
use crate::error::PluginError;
use crate::service::formulas::FormulaService;
use abi_stable::sabi_trait::TD_Opaque;
use abi_stable::std_types::RSlice;

struct Port {
    /// `None` once it panicked.
    service: Option<Box<dyn FormulaService>>,
}

pub fn port(service: Box<dyn FormulaService>) -> FormulasBox {
    FormulasPort_TO::from_value(Port { service: Some(service) }, TD_Opaque)
}

impl FormulasPort for Port {
    fn ask(&mut self, request: RSlice<'_, u8>) -> Reply<Bytes> {
        guard::reply("formulas", || {
            let request = codec::decode(request.as_slice(), "a request about formulas that this host knows")?;
            let Some(mut service) = self.service.take() else {
                return Err(PluginError::unavailable("the formulas failed before and are given up"));
            };
            // A panic leaves `self.service` empty.
            let reply = service.ask(request);
            self.service = Some(service);
            Ok(codec::encode(&reply?)?.into())
        })
    }
}
