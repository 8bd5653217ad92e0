//! Where blocks end, which values may change between two visits of such a place, and which predicates to try there.

use crate::pool::Generator;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tandem_plugin_api::kit::unroll::Unrolling;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::{Effects, Expressions, Formulas};

/// Predicates to try at a place.
#[derive(Default)]
struct Pool {
    easy: Vec<ExprId>,
    /// Predicates that take solvers long.
    hard: Vec<ExprId>,
    changed: Vec<VarId>,
}

pub struct Places {
    program: Arc<Program>,
    unrolling: Unrolling,
    /// Blocks end at entries and exits of functions, too.
    with_functions: bool,
    heads: FxHashMap<LocationId, bool>,
    effects: FxHashMap<LocationId, Effects>,
    pools: FxHashMap<LocationId, Pool>,
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

    /// Fills the pool with predicates to begin with.
    pub fn fill_pool(&mut self, expressions: &mut Expressions, location: LocationId) {
        if self.pools.contains_key(&location) {
            return;
        }
        let edges = self.edges(location);
        let function = self.program.location(location).function;
        let generator = Generator::new(&self.program, function, &edges, expressions);
        let changed = generator.changed().to_vec();
        let [easy, hard] = generator.all();
        self.pools.insert(location, Pool { easy, hard, changed });
    }

    /// For all loops that can be reached: bounds of the variables that index memory in them.
    pub fn bounds_of_indices(&mut self, expressions: &mut Expressions) -> Vec<(LocationId, Vec<ExprId>)> {
        let program = Arc::clone(&self.program);
        let reached = program.reachable_locations();
        let mut found = Vec::new();
        for location in (0..program.locations.len()).map(LocationId::new).filter(|at| reached[at.index()]) {
            if self.is_head(location) {
                let edges = self.edges(location);
                let function = program.location(location).function;
                let generator = Generator::new(&program, function, &edges, expressions);
                found.push((location, generator.bounds_of_indices(&edges)));
            }
        }
        found
    }

    /// Integer variables that change between two visits of a place.
    pub fn changed(&self, location: LocationId) -> Vec<VarId> {
        self.pools.get(&location).map_or(Vec::new(), |pool| pool.changed.clone())
    }

    /// All predicates to try there.
    pub fn pool(&self, location: LocationId, with_hard: bool) -> impl Iterator<Item = ExprId> {
        let pool = self.pools.get(&location);
        let hard = pool.filter(|_| with_hard).map(|pool| pool.hard.iter());
        pool.map(|pool| pool.easy.iter()).into_iter().flatten().chain(hard.into_iter().flatten()).copied()
    }

    /// More predicates for a place.
    pub fn add_to_pool(&mut self, location: LocationId, more: &[ExprId]) {
        let pool = self.pools.entry(location).or_default();
        for &predicate in more {
            if !pool.easy.contains(&predicate) {
                pool.easy.push(predicate);
            }
        }
    }
}
