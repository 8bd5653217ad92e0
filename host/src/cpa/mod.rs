//! The CPA algorithm (Beyer, Henzinger, Théoduloz: CPA+, ASE 2008) over a product of loaded analyses.
//! Location and call stack are the host's part of the product; so is the abstract reachability graph.

mod arg;
mod arrive;
mod calls;
mod cegar;
mod exploration;
mod gia;
mod goals;
mod judge;
mod library_functions;
mod path;
mod product;
mod reachability;
mod reached;
mod refinement;
mod target;
mod trail;
mod verdict;
mod waitlist;

pub use arg::{Arg, Node, NodeId, Openness};
pub use calls::{CallStacks, StackId};
pub use exploration::{End, Exploration, Settings};
pub use goals::Goals;
pub use library_functions::grounds;
pub use product::{Component, ComponentError};
pub use refinement::RefinementSelection;
pub use trail::Trail;
pub use waitlist::Order;

use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::Outcome;
use tandem_plugin_api::service::Host;
use tandem_plugin_api::task::Inputs;

/// Explores until there is a result or the host asks to stop. Keep an [`Exploration`] instead to go on later.
pub fn run(
    task: &SharedTask,
    components: Vec<Component>,
    settings: Settings,
    inputs: &Inputs,
    host: &Host,
) -> Result<Outcome, ComponentError> {
    let mut exploration = Exploration::new(task.task(), components, settings);
    let end = exploration.run(inputs, host)?;
    let outcome = exploration.outcome(&end);
    put_away(exploration);
    Ok(outcome)
}

/// Frees a large graph in a thread: it takes a while, and an actor has no time left at its end.
pub fn put_away(exploration: Exploration) {
    const LARGE: usize = 20_000;
    if exploration.arg().len() > LARGE {
        // If no thread can be started, the closure is dropped here, and the graph with it.
        let _ = std::thread::Builder::new().name("put away".into()).spawn(move || drop(exploration));
    }
}
