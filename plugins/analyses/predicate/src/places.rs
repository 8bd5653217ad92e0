//! Where blocks end, what may change between two visits of such a place, and which predicates are worth a try there.

use crate::pool::Generator;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::{Effects, Expressions, Formulas};
use tandem_plugin_api::unroll::Unrolling;

pub struct Places {
    program: Arc<Program>,
    unrolling: Unrolling,
    /// Blocks end at entries and exits of functions, too.
    with_functions: bool,
    heads: FxHashMap<LocationId, bool>,
    effects: FxHashMap<LocationId, Effects>,
    pools: FxHashMap<LocationId, Arc<[ExprId]>>,
}

impl Places {
    pub fn new(program: Arc<Program>, with_functions: bool) -> Self {
        Places {
            unrolling: Unrolling::new(program.clone()),
            program,
            with_functions,
            heads: FxHashMap::default(),
            effects: FxHashMap::default(),
            pools: FxHashMap::default(),
        }
    }

    fn is_head(&mut self, location: LocationId) -> bool {
        if let Some(known) = self.heads.get(&location) {
            return *known;
        }
        let function = self.program.location(location).function;
        let is_head = self.unrolling.order(function).is_head(location);
        self.heads.insert(location, is_head);
        is_head
    }

    fn is_border(&self, location: LocationId) -> bool {
        let function = self.program.location(location).function;
        let body = self.program.function(function).body;
        function != self.program.main && body.is_some_and(|body| body.entry == location || body.exit == location)
    }

    pub fn is_abstraction_point(&mut self, location: LocationId) -> bool {
        self.is_head(location) || self.with_functions && self.is_border(location)
    }

    /// The edges that may be passed before a place is reached again. For borders of functions that is any edge.
    fn edges(&mut self, location: LocationId) -> Vec<EdgeId> {
        if self.is_head(location) {
            return self.unrolling.loop_edges(location);
        }
        self.program.edge_ids().collect()
    }

    pub fn effects(&mut self, formulas: &mut Formulas, location: LocationId) -> Result<Effects> {
        if let Some(known) = self.effects.get(&location) {
            return Ok(*known);
        }
        let edges = self.edges(location);
        let effects = formulas.effects(&edges)?;
        self.effects.insert(location, effects);
        Ok(effects)
    }

    /// Predicates to begin with.
    pub fn pool(&mut self, expressions: &mut Expressions, location: LocationId) -> Arc<[ExprId]> {
        if let Some(known) = self.pools.get(&location) {
            return Arc::clone(known);
        }
        let edges = self.edges(location);
        let function = self.program.location(location).function;
        let list: Arc<[ExprId]> = Generator::new(&self.program, function, &edges, expressions).all().into();
        self.pools.insert(location, Arc::clone(&list));
        list
    }

    /// All that is worth a try, as far as it was looked for.
    pub fn known_pool(&mut self, location: LocationId) -> &[ExprId] {
        self.pools.get(&location).map_or(&[], |list| list)
    }

    /// More predicates for a place.
    pub fn add_to_pool(&mut self, location: LocationId, more: &[ExprId]) {
        let known = self.pools.get(&location).map_or(&[][..], |list| list);
        let mut seen: FxHashSet<ExprId> = known.iter().copied().collect();
        let new = more.iter().copied().filter(|predicate| seen.insert(*predicate));
        let list: Arc<[ExprId]> = known.iter().copied().chain(new).collect();
        self.pools.insert(location, list);
    }
}
