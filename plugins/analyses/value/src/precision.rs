//! Which cells are tracked, and where. Refinement adds the cells that a counterexample needs.

use crate::domain::{Cell, Object};
use crate::facts::{Facts, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tandem_plugin_api::artifact::{self, PrecisionItem, PrecisionScope};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{EdgeNames, LocationNames};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    Variable(VarId),
    /// All blocks that are allocated on an edge.
    Site(EdgeId),
}

/// A cell of all objects that have one root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Item {
    pub root: Root,
    pub offset: u32,
}

impl Item {
    pub fn of(cell: &Cell) -> Option<Item> {
        let root = match cell.object {
            Object::Variable(variable, _) => Root::Variable(variable),
            Object::Block(edge, _) => Root::Site(edge),
            Object::Function(_) => return None,
        };
        Some(Item { root, offset: cell.offset })
    }
}

/// The cells that are tracked before any refinement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    #[default]
    Nothing,
    /// Variables that loops count with would have each iteration explored on its own.
    AllButCounters,
    Everything,
}

#[derive(Clone, Debug, Default)]
pub struct Tracked {
    everywhere: FxHashSet<Item>,
    at: FxHashMap<LocationId, FxHashSet<Item>>,
    /// Variables that are tracked as a whole, since another actor said so.
    whole: FxHashSet<VarId>,
    whole_at: FxHashMap<LocationId, FxHashSet<VarId>>,
    start: Start,
    /// By variable, where all but counters are tracked: whether it is one.
    counters: Arc<[bool]>,
}

impl Tracked {
    pub fn starting(start: Start, facts: &Facts) -> Self {
        let variables = (0..facts.program.variables.len()).map(VarId::new);
        let counters = variables.map(|variable| facts.kind(variable) == Kind::Counter);
        Tracked { start, counters: counters.collect(), ..Tracked::default() }
    }

    pub fn wants(&self, cell: &Cell, at: LocationId) -> bool {
        match (self.start, cell.object) {
            (Start::Nothing, _) => {}
            (Start::AllButCounters, Object::Variable(variable, _)) if self.counters[variable.index()] => {}
            _ => return true,
        }
        self.was_asked(cell, at)
    }

    /// Whether refinement, or another actor, asked for the cell.
    pub fn was_asked(&self, cell: &Cell, at: LocationId) -> bool {
        let Some(item) = Item::of(cell) else { return false };
        if self.everywhere.contains(&item) || self.at.get(&at).is_some_and(|items| items.contains(&item)) {
            return true;
        }
        let Root::Variable(variable) = item.root else { return false };
        self.whole.contains(&variable) || self.whole_at.get(&at).is_some_and(|list| list.contains(&variable))
    }

    /// Whether the tracked cells depend on the place: then values must be dropped on the way.
    pub fn is_local(&self) -> bool {
        !self.at.is_empty() || !self.whole_at.is_empty()
    }

    /// At one place, or everywhere.
    pub fn add(&mut self, item: Item, at: Option<LocationId>) {
        match at {
            Some(at) => self.at.entry(at).or_default().insert(item),
            None => self.everywhere.insert(item),
        };
    }

    /// The variables, by name; blocks have no names.
    pub fn export(&self, facts: &Facts) -> artifact::Precision {
        let program = &facts.program;
        let mut result = artifact::Precision::empty();
        let name = |variable: VarId| PrecisionItem::Variable(program.variable(variable).unique_name.as_str().into());
        let variable = |item: &Item| match item.root {
            Root::Variable(variable) => Some(variable),
            Root::Site(_) => None,
        };
        for found in self.everywhere.iter().filter_map(variable).chain(self.whole.iter().copied()) {
            result.insert(PrecisionScope::Global, name(found));
        }
        if self.is_local() {
            let names = LocationNames::new(program, &EdgeNames::new(program));
            let whole = self.whole_at.iter().flat_map(|(at, list)| list.iter().map(|found| (*at, *found)));
            let parts =
                self.at.iter().flat_map(|(at, items)| items.iter().filter_map(variable).map(|found| (*at, found)));
            for (at, found) in whole.chain(parts) {
                result.insert(PrecisionScope::Location(names.name(at).clone()), name(found));
            }
        }
        result
    }

    /// Adds the variables of a precision, including those of its predicates; returns whether there were any.
    pub fn import(&mut self, given: &artifact::Precision, facts: &Facts) -> bool {
        let program = &facts.program;
        let ids: FxHashMap<&str, VarId> = program
            .variables
            .iter()
            .enumerate()
            .map(|(id, info)| (info.unique_name.as_str(), VarId::new(id)))
            .collect();
        let names = LocationNames::new(program, &EdgeNames::new(program));
        let mut any = false;
        for entry in given.as_variables(program).iter() {
            let PrecisionItem::Variable(name) = &entry.item else { continue };
            let Some(&variable) = ids.get(&**name) else { continue };
            any = true;
            match &entry.scope {
                PrecisionScope::Location(at) => {
                    if let Some(at) = names.location(at) {
                        self.whole_at.entry(at).or_default().insert(variable);
                    }
                }
                // A value that is needed in a function is needed in its callees, too: it is simpler to track it
                // everywhere.
                _ => {
                    self.whole.insert(variable);
                }
            }
        }
        any
    }
}
