//! An instance of an analysis, as the host calls it. States and precisions are opaque: one word each, cheap to clone.

use super::super::codec;
use super::super::contract::{AnalysisBox, PeersPort, PeersPort_TO};
use super::super::guard;
use super::super::handle::Handle;
use super::super::wire::{self, Bytes, Reply};
use super::services::port;
use super::task::SharedProgram;
use crate::analysis::{Adjusted, Capability, CoverKey, Refinement};
use crate::artifact::Precision;
use crate::error::{PluginError, Result};
use crate::program::{EdgeId, LocationId};
use crate::query::{Answer, Query};
use crate::service::Host;
use crate::task::Inputs;
use abi_stable::sabi_trait::TD_Opaque;
use abi_stable::sabi_types::RRef;
use abi_stable::std_types::{RBox, RSlice, RString};
use std::sync::Arc;

/// A state of one analysis instance.
#[derive(Clone)]
pub struct AbstractState(Handle);

impl AbstractState {
    /// Whether both are the same value in memory (not merely equal ones).
    pub fn same(&self, other: &AbstractState) -> bool {
        self.0.same(&other.0)
    }
}

/// A precision of one analysis instance.
#[derive(Clone)]
pub struct AbstractPrecision(Handle);

impl AbstractPrecision {
    /// Whether both are the same value in memory (not merely equal ones).
    pub fn same(&self, other: &AbstractPrecision) -> bool {
        self.0.same(&other.0)
    }
}

/// The abstract states after an edge.
pub enum Next {
    None,
    /// The state before the edge.
    Unchanged,
    One(AbstractState),
    Many(Vec<AbstractState>),
}

impl From<wire::Next> for Next {
    fn from(next: wire::Next) -> Self {
        match next {
            wire::Next::None => Next::None,
            wire::Next::Unchanged => Next::Unchanged,
            wire::Next::One(state) => Next::One(AbstractState(state)),
            wire::Next::Many(states) => Next::Many(RBox::into_inner(states).into_iter().map(AbstractState).collect()),
        }
    }
}

/// A loaded analysis at work on one task; see [`Analysis`](crate::Analysis) for what the methods mean.
pub struct AnalysisInstance {
    port: AnalysisBox,
    program: Arc<SharedProgram>,
    /// The bits of its capabilities. What it lacks is answered here, without a call.
    capabilities: u32,
}

fn open<T>(reply: Reply<T>) -> Result<T> {
    reply.into_result().map_err(PluginError::from)
}

impl AnalysisInstance {
    pub(super) fn new(port: AnalysisBox, program: Arc<SharedProgram>) -> Self {
        let capabilities = port.capabilities();
        AnalysisInstance { port, program, capabilities }
    }

    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities & capability.bit() != 0
    }

    pub fn ignores_call_stack(&self) -> Result<bool> {
        open(self.port.ignores_call_stack())
    }

    pub fn start(&mut self, inputs: &Inputs, host: &Host) -> Result<()> {
        let bytes = codec::encode(inputs)?;
        open(self.port.start(bytes.as_slice().into(), port(host, &self.program)))
    }

    pub fn initial(&self) -> Result<AbstractState> {
        open(self.port.initial()).map(AbstractState)
    }

    pub fn initial_precision(&self) -> Result<AbstractPrecision> {
        open(self.port.initial_precision()).map(AbstractPrecision)
    }

    pub fn successors(&self, state: &AbstractState, edge: EdgeId, precision: &AbstractPrecision) -> Result<Next> {
        open(self.port.successors(&state.0, edge.0, &precision.0)).map(Next::from)
    }

    pub fn less_or_equal(&self, smaller: &AbstractState, greater: &AbstractState) -> Result<bool> {
        open(self.port.less_or_equal(&smaller.0, &greater.0))
    }

    pub fn merge(
        &self,
        new: &AbstractState,
        reached: &AbstractState,
        precision: &AbstractPrecision,
    ) -> Result<Option<AbstractState>> {
        Ok(open(self.port.merge(&new.0, &reached.0, &precision.0))?.into_option().map(AbstractState))
    }

    pub fn stop(&self, state: &AbstractState, reached: &AbstractState, precision: &AbstractPrecision) -> Result<bool> {
        open(self.port.stop(&state.0, &reached.0, &precision.0))
    }

    pub fn adjust(
        &self,
        state: &AbstractState,
        at: LocationId,
        precision: &AbstractPrecision,
    ) -> Result<Adjusted<AbstractState, AbstractPrecision>> {
        let adjusted = open(self.port.adjust(&state.0, at.0, &precision.0))?;
        Ok(Adjusted {
            state: adjusted.state.into_option().map(AbstractState),
            precision: adjusted.precision.into_option().map(AbstractPrecision),
            stop_here: adjusted.stop_here,
        })
    }

    /// `ask` answers for the other components of the product.
    pub fn strengthen(
        &self,
        state: &AbstractState,
        edge: EdgeId,
        precision: &AbstractPrecision,
        ask: &dyn Fn(&Query) -> Result<Answer>,
    ) -> Result<Next> {
        let peers = AskedPeers { ask };
        let peers = PeersPort_TO::from_ptr(RRef::new(&peers), TD_Opaque);
        open(self.port.strengthen(&state.0, edge.0, &precision.0, peers)).map(Next::from)
    }

    pub fn answer(&self, state: &AbstractState, query: &Query) -> Result<Answer> {
        if !self.has(Capability::Answers) {
            return Ok(Answer::NoInformation);
        }
        let bytes = codec::encode(query)?;
        codec::decode(&open(self.port.answer(&state.0, bytes.as_slice().into()))?, "an answer")
    }

    pub fn refine(
        &self,
        path: &[EdgeId],
        precision: &AbstractPrecision,
    ) -> Result<Option<Refinement<AbstractPrecision>>> {
        if !self.has(Capability::Refines) {
            return Ok(None);
        }
        let path: Vec<u32> = path.iter().map(|edge| edge.0).collect();
        let refinement = open(self.port.refine(path.as_slice().into(), &precision.0))?.into_option();
        Ok(refinement.map(|found| Refinement {
            precision: AbstractPrecision(found.precision),
            from: (found.from as usize).min(path.len()),
        }))
    }

    pub fn import_precision(&self, base: &AbstractPrecision, given: &Precision) -> Result<Option<AbstractPrecision>> {
        if !self.has(Capability::Refines) {
            return Ok(None);
        }
        let bytes = codec::encode(given)?;
        let imported = open(self.port.import_precision(&base.0, bytes.as_slice().into()))?;
        Ok(imported.into_option().map(AbstractPrecision))
    }

    pub fn export_precision(&self, precision: &AbstractPrecision) -> Result<Precision> {
        if !self.has(Capability::Refines) {
            return Ok(Precision::default());
        }
        codec::decode(&open(self.port.export_precision(&precision.0))?, "a precision")
    }

    pub fn invariant(&self, state: &AbstractState, at: LocationId) -> Result<Option<String>> {
        if !self.has(Capability::Explains) {
            return Ok(None);
        }
        Ok(open(self.port.invariant(&state.0, at.0))?.into_option().map(RString::into_string))
    }

    pub fn target(&self, state: &AbstractState, at: LocationId) -> Result<Option<String>> {
        if !self.has(Capability::Observes) {
            return Ok(None);
        }
        Ok(open(self.port.target(&state.0, at.0))?.into_option().map(RString::into_string))
    }

    pub fn describe(&self, state: &AbstractState) -> Result<String> {
        open(self.port.describe(&state.0)).map(RString::into_string)
    }

    pub fn keeps_apart(&self) -> Result<bool> {
        if !self.has(Capability::Indexes) {
            return Ok(false);
        }
        open(self.port.keeps_apart())
    }

    pub fn finish(&self, complete: bool) -> Result<Vec<(String, String)>> {
        if !self.has(Capability::Concludes) {
            return Ok(Vec::new());
        }
        codec::decode(&open(self.port.finish(complete))?, "a list of statistics")
    }

    pub fn is_unproven(&self, state: &AbstractState) -> Result<bool> {
        if !self.has(Capability::Concludes) {
            return Ok(false);
        }
        open(self.port.is_unproven(&state.0))
    }

    pub fn merges(&self) -> Result<bool> {
        if !self.has(Capability::Indexes) {
            return Ok(true);
        }
        open(self.port.merges())
    }

    pub fn partition(&self, state: &AbstractState) -> Result<Option<u64>> {
        if !self.has(Capability::Indexes) {
            return Ok(None);
        }
        Ok(open(self.port.partition(&state.0))?.into_option())
    }

    pub fn cover_key(&self, state: &AbstractState) -> Result<Option<CoverKey>> {
        if !self.has(Capability::Indexes) {
            return Ok(None);
        }
        let key = open(self.port.cover_key(&state.0))?.into_option();
        Ok(key.map(|key| CoverKey { bits: key.0, shape: key.1, values: key.2 }))
    }

    pub fn cover_key_like(&self, state: &AbstractState, like: &AbstractState) -> Result<Option<u64>> {
        if !self.has(Capability::Indexes) {
            return Ok(None);
        }
        Ok(open(self.port.cover_key_like(&state.0, &like.0))?.into_option())
    }

    /// An error if a destructor of this instance panicked since the last call.
    pub fn health(&self) -> Result<()> {
        open(self.port.health())
    }
}

struct AskedPeers<'a> {
    ask: &'a dyn Fn(&Query) -> Result<Answer>,
}

impl PeersPort for AskedPeers<'_> {
    fn ask(&self, query: RSlice<'_, u8>) -> Reply<Bytes> {
        guard::reply("ask", || {
            // A query of a newer contract cannot be answered here.
            let answer = match codec::decode(query.as_slice(), "a query") {
                Ok(query) => (self.ask)(&query)?,
                Err(_) => Answer::NoInformation,
            };
            Ok(codec::encode(&answer)?.into())
        })
    }
}
