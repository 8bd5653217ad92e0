//! The precision: predicates by the places where they matter.

use std::collections::BTreeMap;
use std::sync::Arc;
use tandem_plugin_api::prelude::*;

/// Where predicates that refinement finds are tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoping {
    Location,
    Function,
    Global,
}

pub const SCOPINGS: [(&str, Scoping); 3] =
    [("location", Scoping::Location), ("function", Scoping::Function), ("global", Scoping::Global)];

/// A part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    Everywhere,
    Function(FunctionId),
    Location(LocationId),
}

/// Predicates by region, each list in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precision {
    regions: Arc<BTreeMap<Region, Vec<ExprId>>>,
}

impl Precision {
    /// Adds a predicate; returns whether it is new there.
    pub fn add(&mut self, region: Region, predicate: ExprId) -> bool {
        let known = self.regions.get(&region).is_some_and(|list| list.contains(&predicate));
        if !known {
            Arc::make_mut(&mut self.regions).entry(region).or_default().push(predicate);
        }
        !known
    }

    /// All predicates that are tracked at a place.
    pub fn at(&self, program: &Program, location: LocationId) -> Vec<ExprId> {
        let function = program.location(location).function;
        let mut list = Vec::new();
        for region in [Region::Everywhere, Region::Function(function), Region::Location(location)] {
            for &predicate in self.regions.get(&region).into_iter().flatten() {
                if !list.contains(&predicate) {
                    list.push(predicate);
                }
            }
        }
        list
    }

    pub fn iter(&self) -> impl Iterator<Item = (Region, ExprId)> {
        self.regions.iter().flat_map(|(region, list)| list.iter().map(|predicate| (*region, *predicate)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::kit::testing;

    #[test]
    fn wider_regions_count_everywhere_inside() {
        let task = testing::two_inputs();
        let program = task.program();
        let at = program.entry().unwrap();
        let function = program.location(at).function;
        let mut precision = Precision::default();
        let before = precision.clone();
        assert!(precision.add(Region::Location(at), ExprId(1)) && !precision.add(Region::Location(at), ExprId(1)));
        assert!(precision.add(Region::Function(function), ExprId(2)));
        assert!(precision.add(Region::Everywhere, ExprId(1)));
        assert_eq!(precision.at(program, at), [ExprId(1), ExprId(2)]);
        assert_eq!(precision.iter().count(), 3);
        assert_eq!(before, Precision::default(), "others keep what they have");
    }
}
