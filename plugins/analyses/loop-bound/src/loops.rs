//! Which loops a location is in.

use rustc_hash::FxHashMap;
use tandem_plugin_api::kit::unroll::Order;
use tandem_plugin_api::program::{FunctionId, LocationId, Program};

/// The loops of a program, each known by its head.
pub struct Loops {
    /// The heads of the loops around a location.
    around: FxHashMap<LocationId, Vec<LocationId>>,
}

impl Loops {
    pub fn new(program: &Program) -> Self {
        let mut around = FxHashMap::default();
        for function in (0..program.functions.len()).map(FunctionId::new) {
            let order = Order::of(program, function);
            for location in program.reverse_postorder(function) {
                if let Some(place) = order.place(location).filter(|place| !place.heads.is_empty()) {
                    around.insert(location, place.heads.clone());
                }
            }
        }
        Loops { around }
    }

    pub fn is_head(&self, location: LocationId) -> bool {
        self.around.get(&location).is_some_and(|heads| heads.last() == Some(&location))
    }

    /// Whether a location is inside the loop of this head, or the head itself.
    pub fn contains(&self, head: LocationId, location: LocationId) -> bool {
        self.around.get(&location).is_some_and(|heads| heads.contains(&head))
    }
}
