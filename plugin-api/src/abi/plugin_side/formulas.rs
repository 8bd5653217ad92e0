//! The host's formulas as seen from inside a plugin library: requests and answers cross the boundary as bytes.

use super::super::codec;
use super::super::contract::FormulasBox;
use crate::error::{PluginError, Result};
use crate::service::formulas::{FormulaReply, FormulaRequest, FormulaService};

struct Remote {
    port: FormulasBox,
}

pub fn connect(port: FormulasBox) -> Box<dyn FormulaService> {
    Box::new(Remote { port })
}

impl FormulaService for Remote {
    fn ask(&mut self, request: FormulaRequest) -> Result<FormulaReply> {
        let bytes = codec::encode(&request)?;
        let reply = self.port.ask(bytes.as_slice().into()).into_result().map_err(PluginError::from)?;
        codec::decode(&reply, "an answer about formulas")
    }
}
