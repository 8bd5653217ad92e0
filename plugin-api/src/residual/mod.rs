//! Residual programs: what is left of a program after what a GIA says is done (Def. 6 of the GIA paper, Def. 2.3 of the ICSE
//! paper), and the way back to the original. The reducers in `plugins/reducers` choose a [`Folding`] and call [`reduce`].

mod assemble;
mod back;
mod candidates;
mod ending;
mod follower;
mod forth;
mod graph;
mod loops;
mod moves;
mod summaries;
mod unfold;

#[cfg(test)]
mod tests;

pub use back::{invariants_to_original, to_original};
pub use follower::{Follower, Next, SetId};
pub use forth::claims_to_residual;
pub use unfold::{Bounds, Folding};

use crate::artifact::Gia;
use crate::descriptor::{Descriptor, OptionType, OptionValue};
use crate::error::{PluginError, Result};
use crate::options::Options;
use crate::program::{Callee, ExprKind, FunctionId, Op, Program};
use crate::reducer::{Covered, Residual};
use crate::service::Host;
use crate::task::Task;
use moves::Moves;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use unfold::Unfolding;

/// How a residual program is made.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    pub folding: Folding,
    pub bounds: Bounds,
    /// Conditions and state invariants become branches of the residual program; otherwise, what needs one is kept.
    pub branches: bool,
}

/// The X-reducer: keeps at least the paths that `known` does not cover as `done`, or, where it has candidates, those of the
/// candidates among them; and no others than the program's (Theorem 1).
pub fn reduce(task: &Task, known: &Gia, done: Covered, how: &Reduction, host: &Host) -> Result<Residual> {
    let program = &*task.program;
    if let Some(edge) = known.foreign_edge(program) {
        return Err(PluginError::bad_input(format!("the automaton names {edge}, which the program does not have")));
    }
    let follower = Follower::new(Arc::new(known.clone()), done);
    let moves = Moves::new(program, follower, how.branches, host);
    let whole = whole_functions(task);
    let (moves, mut graph) = Unfolding::new(moves, how.folding, how.bounds, whole, host)?.run(host)?;
    if moves.follower.has_candidates() {
        candidates::keep(&mut graph);
    }
    Ok(assemble::assemble(program, moves.expressions, &graph))
}

/// Functions that must stay what they are: those whose calls are the question, which are known by their names, and those that a
/// library function may call.
fn whole_functions(task: &Task) -> FxHashSet<FunctionId> {
    let program = &*task.program;
    let has_body = |function: &FunctionId| program.function(*function).body.is_some();
    let mut whole: FxHashSet<FunctionId> =
        task.targets.iter().filter_map(|&edge| program.called_function(edge)).filter(has_body).collect();
    for edge in program.edge_ids() {
        if let Op::External(site) = program.edge(edge).op {
            let site = program.call_site(site);
            if matches!(site.callee, Callee::Function(_)) {
                site.arguments.iter().for_each(|&argument| add_addresses(program, argument, &mut whole));
            }
        }
    }
    whole
}

fn add_addresses(program: &Program, argument: crate::program::ExprId, found: &mut FxHashSet<FunctionId>) {
    program.exprs.walk(argument, &mut |id| {
        if let ExprKind::FunctionAddress(function) = program.exprs.kind(id)
            && program.function(function).body.is_some()
        {
            found.insert(function);
        }
    });
}

impl Bounds {
    /// Adds the options that [`Bounds::given`] reads to a reducer's descriptor.
    pub fn describe(descriptor: Descriptor, clones: i64) -> Descriptor {
        let about = "a function gets this many clones, and one more for all other calls";
        let up_to = |max| OptionType::Integer { min: 1, max };
        let (most, clones) = (OptionValue::Integer(200_000), OptionValue::Integer(clones));
        descriptor.option("max-locations", "a larger residual program is refused", up_to(100_000_000), most).option(
            "max-clones",
            about,
            up_to(1_000_000),
            clones,
        )
    }

    pub fn given(options: &Options) -> Result<Self> {
        let number = |name: &str| options.integer(name).map(|value| value as usize);
        Ok(Bounds { locations: number("max-locations")?, clones: number("max-clones")? })
    }
}
