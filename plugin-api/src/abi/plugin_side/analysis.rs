//! The shell around an author's analysis: opens handles, guards calls, wraps results in handles.

use super::super::codec;
use super::super::contract::{AnalysisBox, AnalysisPort, AnalysisPort_TO, HostBox, PeersRef};
use super::super::guard::{self, Guard};
use super::super::handle::{Handle, Mint, Role};
use super::super::wire::{AdjustedWire, Bytes, Next, RefinementWire, Reply};
use super::{NewInstance, host};
use crate::analysis::{Analysis, Capability, ConcludesCalls, IndexesCalls, RefinesCalls, Successors};
use crate::error::{PluginError, Result};
use crate::program::{EdgeId, LocationId};
use crate::query::{Answer, Peers, Query};
use abi_stable::sabi_trait::TD_Opaque;
use abi_stable::std_types::{RBox, ROption, RSlice, RString, RVec, Tuple3};
use std::mem::ManuallyDrop;

struct Shell<A: Analysis> {
    inner: ManuallyDrop<A>,
    id: u64,
    guard: Guard,
    states: Mint<A::State>,
    precisions: Mint<A::Precision>,
}

pub fn shell<A: Analysis>(new: NewInstance<A>) -> AnalysisBox {
    // SAFETY: the host numbers instances, so no other instance has this owner; each role gets one type here.
    let (states, precisions) = unsafe { (Mint::new(new.id, Role::State), Mint::new(new.id, Role::Precision)) };
    let shell =
        Shell { inner: ManuallyDrop::new(new.plugin), id: new.id, guard: Guard::new(new.id), states, precisions };
    AnalysisPort_TO::from_value(shell, TD_Opaque)
}

impl<A: Analysis> Drop for Shell<A> {
    fn drop(&mut self) {
        // SAFETY: dropped once, here, and not used afterwards.
        guard::drop_guarded(self.id, "drop of the analysis", || unsafe { ManuallyDrop::drop(&mut self.inner) });
    }
}

impl<A: Analysis> Shell<A> {
    fn wrap_all(&self, successors: Successors<A::State>) -> Next {
        match successors {
            Successors::None => Next::None,
            Successors::Unchanged => Next::Unchanged,
            Successors::One(state) => Next::One(self.states.wrap(state)),
            Successors::Many(states) => {
                let handles: RVec<Handle> = states.into_iter().map(|state| self.states.wrap(state)).collect();
                if handles.is_empty() { Next::None } else { Next::Many(RBox::new(handles)) }
            }
        }
    }
}

/// The answers of the product's other components, asked across the boundary.
fn ask(port: &PeersRef<'_>, query: &Query) -> Result<Answer> {
    let bytes = codec::encode(query)?;
    let reply = port.ask(bytes.as_slice().into()).into_result().map_err(PluginError::from)?;
    codec::decode(&reply, "an answer")
}

/// A method of a capability was called that the analysis does not list. The host asks for the list first, so that this is its mistake.
#[cold]
fn lacks(capability: Capability) -> PluginError {
    PluginError::protocol(format!("the analysis lacks the capability `{capability}`"))
}

impl<A: Analysis> Shell<A> {
    fn refines(&self) -> Result<RefinesCalls<A>> {
        A::CAPABILITIES.refines.ok_or_else(|| lacks(Capability::Refines))
    }

    fn indexes(&self) -> Result<IndexesCalls<A>> {
        A::CAPABILITIES.indexes.ok_or_else(|| lacks(Capability::Indexes))
    }

    fn concludes(&self) -> Result<ConcludesCalls<A>> {
        A::CAPABILITIES.concludes.ok_or_else(|| lacks(Capability::Concludes))
    }
}

impl<A: Analysis> AnalysisPort for Shell<A> {
    fn capabilities(&self) -> u32 {
        A::CAPABILITIES.list().into_iter().map(Capability::bit).sum()
    }

    fn ignores_call_stack(&self) -> Reply<bool> {
        self.guard.call("ignores_call_stack", || Ok(self.inner.ignores_call_stack()))
    }

    fn start(&mut self, inputs: RSlice<'_, u8>, port: HostBox) -> Reply<()> {
        let inner = &mut self.inner;
        self.guard.call("start", || {
            inner.start(&codec::decode(inputs.as_slice(), "the inputs of a run")?, &host::connect(port))
        })
    }

    fn initial(&self) -> Reply<Handle> {
        self.guard.call("initial", || Ok(self.states.wrap(self.inner.initial()?)))
    }

    fn initial_precision(&self) -> Reply<Handle> {
        self.guard.call("initial_precision", || {
            let precision = match A::CAPABILITIES.refines {
                Some(refines) => (refines.initial_precision)(&self.inner)?,
                None => A::Precision::default(),
            };
            Ok(self.precisions.wrap(precision))
        })
    }

    fn successors(&self, state: &Handle, edge: u32, precision: &Handle) -> Reply<Next> {
        self.guard.call("successors", || {
            let (state, precision) = (self.states.open(state)?, self.precisions.open(precision)?);
            Ok(self.wrap_all(self.inner.successors(state, EdgeId(edge), precision)?))
        })
    }

    fn less_or_equal(&self, smaller: &Handle, greater: &Handle) -> Reply<bool> {
        self.guard
            .call("less_or_equal", || self.inner.less_or_equal(self.states.open(smaller)?, self.states.open(greater)?))
    }

    fn merge(&self, new: &Handle, reached: &Handle, precision: &Handle) -> Reply<ROption<Handle>> {
        self.guard.call("merge", || {
            let (new, reached) = (self.states.open(new)?, self.states.open(reached)?);
            let merged = self.inner.merge(new, reached, self.precisions.open(precision)?)?;
            Ok(merged.map(|state| self.states.wrap(state)).into())
        })
    }

    fn stop(&self, state: &Handle, reached: &Handle, precision: &Handle) -> Reply<bool> {
        self.guard.call("stop", || {
            let (state, reached) = (self.states.open(state)?, self.states.open(reached)?);
            self.inner.stop(state, reached, self.precisions.open(precision)?)
        })
    }

    fn adjust(&self, state: &Handle, at: u32, precision: &Handle) -> Reply<AdjustedWire> {
        self.guard.call("adjust", || {
            let (state, precision) = (self.states.open(state)?, self.precisions.open(precision)?);
            let adjusted = self.inner.adjust(state, LocationId(at), precision)?;
            Ok(AdjustedWire {
                state: adjusted.state.map(|state| self.states.wrap(state)).into(),
                precision: adjusted.precision.map(|precision| self.precisions.wrap(precision)).into(),
                stop_here: adjusted.stop_here,
            })
        })
    }

    fn strengthen(&self, state: &Handle, edge: u32, precision: &Handle, peers: PeersRef<'_>) -> Reply<Next> {
        self.guard.call("strengthen", || {
            let (state, precision) = (self.states.open(state)?, self.precisions.open(precision)?);
            let ask = |query: &Query| ask(&peers, query);
            let stronger = self.inner.strengthen(state, EdgeId(edge), precision, &Peers::new(&ask))?;
            Ok(self.wrap_all(stronger))
        })
    }

    fn answer(&self, state: &Handle, query: RSlice<'_, u8>) -> Reply<Bytes> {
        self.guard.call("answer", || {
            let answers = A::CAPABILITIES.answers.ok_or_else(|| lacks(Capability::Answers))?;
            // A query of a newer host cannot be answered here.
            let answer = match codec::decode(query.as_slice(), "a query") {
                Ok(query) => (answers.answer)(&self.inner, self.states.open(state)?, &query)?,
                Err(_) => Answer::NoInformation,
            };
            Ok(codec::encode(&answer)?.into())
        })
    }

    fn refine(&self, path: RSlice<'_, u32>, precision: &Handle) -> Reply<ROption<RefinementWire>> {
        self.guard.call("refine", || {
            let path: Vec<EdgeId> = path.iter().map(|&edge| EdgeId(edge)).collect();
            let refinement = (self.refines()?.refine)(&self.inner, &path, self.precisions.open(precision)?)?;
            Ok(refinement
                .map(|found| RefinementWire {
                    precision: self.precisions.wrap(found.precision),
                    from: found.from.min(path.len()) as u32,
                })
                .into())
        })
    }

    fn import_precision(&self, base: &Handle, given: RSlice<'_, u8>) -> Reply<ROption<Handle>> {
        self.guard.call("import_precision", || {
            let given = codec::decode(given.as_slice(), "a precision")?;
            let base = self.precisions.open(base)?;
            let imported = (self.refines()?.import_precision)(&self.inner, base, &given)?;
            Ok(imported.map(|precision| self.precisions.wrap(precision)).into())
        })
    }

    fn export_precision(&self, precision: &Handle) -> Reply<Bytes> {
        self.guard.call("export_precision", || {
            let exported = (self.refines()?.export_precision)(&self.inner, self.precisions.open(precision)?)?;
            Ok(codec::encode(&exported)?.into())
        })
    }

    fn invariant(&self, state: &Handle, at: u32) -> Reply<ROption<RString>> {
        self.guard.call("invariant", || {
            let explains = A::CAPABILITIES.explains.ok_or_else(|| lacks(Capability::Explains))?;
            let invariant = (explains.invariant)(&self.inner, self.states.open(state)?, LocationId(at))?;
            Ok(invariant.map(RString::from).into())
        })
    }

    fn target(&self, state: &Handle, at: u32) -> Reply<ROption<RString>> {
        self.guard.call("target", || {
            let observes = A::CAPABILITIES.observes.ok_or_else(|| lacks(Capability::Observes))?;
            let target = (observes.target)(&self.inner, self.states.open(state)?, LocationId(at))?;
            Ok(target.map(RString::from).into())
        })
    }

    fn describe(&self, state: &Handle) -> Reply<RString> {
        self.guard.call("describe", || Ok(self.inner.describe(self.states.open(state)?)?.into()))
    }

    fn health(&self) -> Reply<()> {
        self.guard.call("health", || Ok(()))
    }

    fn keeps_apart(&self) -> Reply<bool> {
        self.guard.call("keeps_apart", || Ok((self.indexes()?.keeps_apart)(&self.inner)))
    }

    fn finish(&self, complete: bool) -> Reply<Bytes> {
        self.guard.call("finish", || {
            let statistics = (self.concludes()?.finish)(&self.inner, complete)?;
            Ok(codec::encode(&statistics)?.into())
        })
    }

    fn is_unproven(&self, state: &Handle) -> Reply<bool> {
        self.guard.call("is_unproven", || (self.concludes()?.is_unproven)(&self.inner, self.states.open(state)?))
    }

    fn merges(&self) -> Reply<bool> {
        self.guard.call("merges", || Ok((self.indexes()?.merges)(&self.inner)))
    }

    fn partition(&self, state: &Handle) -> Reply<ROption<u64>> {
        self.guard.call("partition", || Ok((self.indexes()?.partition)(&self.inner, self.states.open(state)?)?.into()))
    }

    fn cover_key(&self, state: &Handle) -> Reply<ROption<Tuple3<u64, u64, u64>>> {
        self.guard.call("cover_key", || {
            let key = (self.indexes()?.cover_key)(&self.inner, self.states.open(state)?)?;
            Ok(key.map(|key| Tuple3(key.bits, key.shape, key.values)).into())
        })
    }

    fn cover_key_like(&self, state: &Handle, like: &Handle) -> Reply<ROption<u64>> {
        self.guard.call("cover_key_like", || {
            let (state, like) = (self.states.open(state)?, self.states.open(like)?);
            Ok((self.indexes()?.cover_key_like)(&self.inner, state, like)?.into())
        })
    }
}
