//! The product of the analyses: each operator of the composite CPA by the operators of its components.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use tandem_plugin_api::abi::host_side::Next;
use tandem_plugin_api::abi::{AbstractPrecision, AbstractState, AnalysisInstance};
use tandem_plugin_api::analysis::{Capability, CoverKey, Refinement};
use tandem_plugin_api::artifact;
use tandem_plugin_api::error::PluginError;
use tandem_plugin_api::program::{CallSiteId, EdgeId, LocationId};
use tandem_plugin_api::query::{Answer, Feasibility, Query};
use tandem_plugin_api::service::Host;
use tandem_plugin_api::task::Inputs;

/// An analysis of the product.
pub struct Component {
    /// As the configuration names it.
    pub name: String,
    pub instance: AnalysisInstance,
}

/// The failure of one analysis, which ends the run of the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentError {
    pub component: String,
    pub error: PluginError,
}

impl fmt::Display for ComponentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "analysis `{}` failed: {}", self.component, self.error)
    }
}

impl std::error::Error for ComponentError {}

type Result<T> = std::result::Result<T, ComponentError>;

/// One state for each component.
pub type Parts = Arc<[AbstractState]>;
pub type Precisions = Arc<[AbstractPrecision]>;

/// The result of precision adjustment.
pub struct AdjustedParts {
    pub parts: Parts,
    pub precisions: Precisions,
    pub stop_here: bool,
}

pub struct Product {
    components: Vec<Component>,
    /// By capability: the components that have it, so that no others are asked.
    able: [Vec<usize>; Capability::ALL.len()],
    /// How often a component was called.
    calls: Cell<u64>,
}

impl Product {
    pub fn new(components: Vec<Component>) -> Self {
        let having = |capability| -> Vec<usize> {
            (0..components.len()).filter(|at| components[*at].instance.has(capability)).collect()
        };
        Product { able: Capability::ALL.map(having), components, calls: Cell::new(0) }
    }

    /// One of the analyses, for checks of its laws.
    pub fn component(&self, index: usize) -> Option<&AnalysisInstance> {
        self.components.get(index).map(|component| &component.instance)
    }

    /// As the configuration lists them.
    pub fn names(&self) -> String {
        self.components.iter().map(|component| component.name.as_str()).collect::<Vec<_>>().join("+")
    }

    /// How often the boundary to a plugin was crossed so far.
    pub fn crossings(&self) -> u64 {
        self.calls.get()
    }

    /// The failure of the product as a whole.
    pub(super) fn failure(&self, message: &str) -> ComponentError {
        ComponentError { component: self.names(), error: PluginError::bad_input(message) }
    }

    /// Calls one method of a component; the error names the component.
    fn ask<T>(
        &self,
        index: usize,
        call: impl FnOnce(&AnalysisInstance) -> tandem_plugin_api::error::Result<T>,
    ) -> Result<T> {
        let component = &self.components[index];
        self.calls.set(self.calls.get() + 1);
        call(&component.instance).map_err(|error| ComponentError { component: component.name.clone(), error })
    }

    fn each<T>(
        &self,
        mut call: impl FnMut(usize, &AnalysisInstance) -> tandem_plugin_api::error::Result<T>,
    ) -> Result<Vec<T>> {
        (0..self.components.len()).map(|index| self.ask(index, |instance| call(index, instance))).collect()
    }

    /// The same of the components that have a capability.
    fn each_able<T>(
        &self,
        capability: Capability,
        mut call: impl FnMut(usize, &AnalysisInstance) -> tandem_plugin_api::error::Result<T>,
    ) -> Result<Vec<T>> {
        self.able(capability).iter().map(|&index| self.ask(index, |instance| call(index, instance))).collect()
    }

    fn able(&self, capability: Capability) -> &[usize] {
        &self.able[capability as usize]
    }

    pub fn start(&mut self, inputs: &Inputs, host: &Host) -> Result<()> {
        for component in &mut self.components {
            let started = component.instance.start(inputs, host);
            started.map_err(|error| ComponentError { component: component.name.clone(), error })?;
        }
        Ok(())
    }

    pub fn ignores_call_stack(&self) -> Result<bool> {
        Ok(self.each(|_, instance| instance.ignores_call_stack())?.into_iter().all(|ignores| ignores))
    }

    /// One component that keeps its states apart keeps those of the product apart.
    pub fn keeps_apart(&self) -> Result<bool> {
        Ok(self.each_able(Capability::Indexes, |_, instance| instance.keeps_apart())?.into_iter().any(|apart| apart))
    }

    /// Ends the run; returns the components' statistics.
    pub fn finish(&self, complete: bool) -> Result<Vec<(String, String)>> {
        Ok(self.each_able(Capability::Concludes, |_, instance| instance.finish(complete))?.concat())
    }

    /// Whether an execution leads to a state; `None` if no component can answer.
    pub fn feasibility(&self, parts: &Parts) -> Result<Option<Feasibility>> {
        let ask = |index: usize, instance: &AnalysisInstance| instance.answer(&parts[index], &Query::Feasibility);
        let answers = self.each_able(Capability::Answers, ask)?;
        Ok(match answers.into_iter().fold(Answer::NoInformation, Answer::meet) {
            Answer::Feasibility(found) => Some(found),
            _ => None,
        })
    }

    pub fn initial(&self) -> Result<Parts> {
        Ok(self.each(|_, instance| instance.initial())?.into())
    }

    /// The precisions so far, or the components' own, extended by everything that they can use of a given precision.
    pub fn given_precisions(&self, base: Option<&Precisions>, inputs: &Inputs) -> Result<Precisions> {
        let precisions = self.each(|index, instance| {
            let base = match base {
                Some(list) => list[index].clone(),
                None => instance.initial_precision()?,
            };
            match &inputs.precision {
                Some(given) => Ok(instance.import_precision(&base, given)?.unwrap_or(base)),
                None => Ok(base),
            }
        })?;
        Ok(precisions.into())
    }

    /// How a component excludes an infeasible path.
    pub fn refine(
        &self,
        index: usize,
        path: &[EdgeId],
        precision: &AbstractPrecision,
    ) -> Result<Option<Refinement<AbstractPrecision>>> {
        match self.able(Capability::Refines).contains(&index) {
            true => self.ask(index, |instance| instance.refine(path, precision)),
            false => Ok(None),
        }
    }

    /// Whether some component has put off checks of a state.
    pub fn is_unproven(&self, parts: &Parts) -> Result<bool> {
        let open = self.each_able(Capability::Concludes, |index, instance| instance.is_unproven(&parts[index]))?;
        Ok(open.into_iter().any(|open| open))
    }

    /// Whether some component merges states.
    pub fn merges(&self) -> Result<bool> {
        Ok(self.each(|_, instance| instance.merges())?.into_iter().any(|merges| merges))
    }

    /// The first component that gives keys to look for covering states.
    pub fn indexer(&self, parts: &Parts) -> Result<Option<usize>> {
        for &index in self.able(Capability::Indexes) {
            if self.cover_key(index, &parts[index])?.is_some() {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    pub fn cover_key(&self, index: usize, state: &AbstractState) -> Result<Option<CoverKey>> {
        self.ask(index, |instance| instance.cover_key(state))
    }

    pub fn cover_key_like(&self, index: usize, state: &AbstractState, like: &AbstractState) -> Result<Option<u64>> {
        self.ask(index, |instance| instance.cover_key_like(state, like))
    }

    /// States with different numbers need not be compared.
    pub fn partition(&self, parts: &Parts) -> Result<u64> {
        let mut sum = 0u64;
        for &index in self.able(Capability::Indexes) {
            if let Some(number) = self.ask(index, |instance| instance.partition(&parts[index]))? {
                sum = sum.rotate_left(21).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
            }
        }
        Ok(sum)
    }

    /// All combinations of the components' successors, each strengthened.
    pub fn successors(
        &self,
        parts: &Parts,
        edge: EdgeId,
        precisions: &Precisions,
        stack: &dyn Fn() -> Vec<CallSiteId>,
    ) -> Result<Vec<Parts>> {
        let mut combinations: Vec<Vec<AbstractState>> = vec![Vec::with_capacity(parts.len())];
        let mut changed = false;
        for index in 0..self.components.len() {
            let next = self.ask(index, |instance| instance.successors(&parts[index], edge, &precisions[index]))?;
            changed |= !matches!(next, Next::Unchanged);
            if !extend(&mut combinations, next, &parts[index]) {
                return Ok(Vec::new());
            }
        }
        let mut strengthened = Vec::new();
        for combination in combinations {
            let (stronger, untouched) = self.strengthen(combination, edge, precisions, stack)?;
            if untouched && !changed {
                // Nothing changed: share the list of states, too.
                return Ok(vec![Arc::clone(parts)]);
            }
            strengthened.extend(stronger.into_iter().map(Parts::from));
        }
        Ok(strengthened)
    }

    /// Lets each component use what the others know. Also returns whether nothing changed.
    fn strengthen(
        &self,
        combination: Vec<AbstractState>,
        edge: EdgeId,
        precisions: &Precisions,
        stack: &dyn Fn() -> Vec<CallSiteId>,
    ) -> Result<(Vec<Vec<AbstractState>>, bool)> {
        let mut results = vec![combination];
        let mut untouched = true;
        for index in 0..self.components.len() {
            let mut stronger = Vec::with_capacity(results.len());
            for parts in results {
                let ask = |query: &Query| self.answer(index, &parts, query, stack);
                let next =
                    self.ask(index, |instance| instance.strengthen(&parts[index], edge, &precisions[index], &ask))?;
                let replaced = |state| {
                    let mut parts = parts.clone();
                    parts[index] = state;
                    parts
                };
                match next {
                    Next::Unchanged => {
                        stronger.push(parts);
                        continue;
                    }
                    Next::None => {}
                    Next::One(state) => stronger.push(replaced(state)),
                    Next::Many(states) => stronger.extend(states.into_iter().map(replaced)),
                }
                untouched = false;
            }
            results = stronger;
        }
        Ok((results, untouched))
    }

    /// The joint answer of the components other than `asker`.
    fn answer(
        &self,
        asker: usize,
        parts: &[AbstractState],
        query: &Query,
        stack: &dyn Fn() -> Vec<CallSiteId>,
    ) -> tandem_plugin_api::error::Result<Answer> {
        if *query == Query::CallStack {
            return Ok(Answer::CallStack(stack()));
        }
        let others = self.able(Capability::Answers).iter().filter(|index| **index != asker);
        let mut known = Answer::NoInformation;
        for &index in others {
            self.calls.set(self.calls.get() + 1);
            known = known.meet(self.components[index].instance.answer(&parts[index], query)?);
        }
        Ok(known)
    }

    pub fn adjust(&self, parts: Parts, at: LocationId, precisions: &Precisions) -> Result<AdjustedParts> {
        let mut adjusted = AdjustedParts { parts, precisions: Arc::clone(precisions), stop_here: false };
        for index in 0..self.components.len() {
            let change = self.ask(index, |instance| instance.adjust(&adjusted.parts[index], at, &precisions[index]))?;
            if let Some(state) = change.state {
                adjusted.parts = with(&adjusted.parts, index, state);
            }
            if let Some(precision) = change.precision {
                adjusted.precisions = with(&adjusted.precisions, index, precision);
            }
            adjusted.stop_here |= change.stop_here;
        }
        Ok(adjusted)
    }

    /// The state that replaces `reached`, if all components agree on one and it is greater. A component that keeps its
    /// states apart agrees only where the new one is covered already (merge-agree of CPAchecker).
    pub fn merge(&self, new: &Parts, reached: &Parts, precisions: &Precisions) -> Result<Option<Parts>> {
        let mut merged = Vec::with_capacity(new.len());
        let mut grown = false;
        for index in 0..self.components.len() {
            let (ours, theirs) = (&new[index], &reached[index]);
            if ours.same(theirs) {
                merged.push(theirs.clone());
                continue;
            }
            match self.ask(index, |instance| instance.merge(ours, theirs, &precisions[index]))? {
                Some(state) if self.ask(index, |instance| instance.less_or_equal(&state, theirs))? => {
                    merged.push(theirs.clone());
                }
                Some(state) => {
                    merged.push(state);
                    grown = true;
                }
                None if self.ask(index, |instance| instance.less_or_equal(ours, theirs))? => {
                    merged.push(theirs.clone());
                }
                None => return Ok(None),
            }
        }
        Ok(grown.then(|| merged.into()))
    }

    /// Whether one reached state covers the new one in every component.
    pub fn stop(&self, new: &Parts, reached: &Parts, precisions: &Precisions) -> Result<bool> {
        for index in 0..self.components.len() {
            let (ours, theirs) = (&new[index], &reached[index]);
            let covered =
                ours.same(theirs) || self.ask(index, |instance| instance.stop(ours, theirs, &precisions[index]))?;
            if !covered {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Why some component considers this state a target.
    pub fn target(&self, parts: &Parts, at: LocationId) -> Result<Option<String>> {
        for &index in self.able(Capability::Observes) {
            if let Some(why) = self.ask(index, |instance| instance.target(&parts[index], at))? {
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    /// An error if some component panicked where no caller could get the error.
    pub fn health(&self) -> Result<()> {
        self.each(|_, instance| instance.health()).map(|_| ())
    }

    /// One line for graphs: each component's description of its state.
    pub fn describe(&self, parts: &Parts) -> Result<String> {
        let texts = self.each(|index, instance| instance.describe(&parts[index]))?;
        Ok(texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; "))
    }

    /// A C expression that holds in all concrete states; `None` for `true`.
    pub fn invariant(&self, parts: &Parts, at: LocationId) -> Result<Option<String>> {
        let known: Vec<String> = self
            .each_able(Capability::Explains, |index, instance| instance.invariant(&parts[index], at))?
            .into_iter()
            .flatten()
            .collect();
        Ok((!known.is_empty()).then(|| known.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" && ")))
    }

    /// The precision of all components together, in the form that other actors read.
    pub fn export_precisions(&self, precisions: &Precisions) -> Result<artifact::Precision> {
        let mut all = artifact::Precision::empty();
        let export = |index: usize, instance: &AnalysisInstance| instance.export_precision(&precisions[index]);
        for part in self.each_able(Capability::Refines, export)? {
            all.merge(&part);
        }
        Ok(all)
    }
}

/// Appends a component's successors to every combination so far; false if there are none.
fn extend(combinations: &mut Vec<Vec<AbstractState>>, next: Next, current: &AbstractState) -> bool {
    let mut append = |state: &AbstractState| combinations.iter_mut().for_each(|list| list.push(state.clone()));
    match next {
        Next::None => return false,
        Next::Unchanged => append(current),
        Next::One(state) => append(&state),
        Next::Many(states) => {
            let before = std::mem::take(combinations);
            for list in before {
                for state in &states {
                    let mut longer = list.clone();
                    longer.push(state.clone());
                    combinations.push(longer);
                }
            }
        }
    }
    !combinations.is_empty()
}

fn with<T: Clone>(list: &Arc<[T]>, index: usize, value: T) -> Arc<[T]> {
    let mut list = list.to_vec();
    list[index] = value;
    list.into()
}
