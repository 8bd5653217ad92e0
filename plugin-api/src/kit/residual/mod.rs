//! Residual programs: the part of a program that a GIA does not cover (Def. 6 of the GIA paper, Def. 2.3 of the ICSE
//! paper), and the way back to the original. The reducers in `plugins/reducers` choose a [`Folding`] and call
//! [`reduce`].

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
use crate::service::{Host, LogLevel};
use crate::task::Task;
use moves::Moves;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use unfold::{Failure, Unfolding};

/// How a residual program is made.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    pub folding: Folding,
    pub bounds: Bounds,
    /// Whether conditions and state invariants become branches of the residual program; if not, paths that depend on
    /// one are kept.
    pub branches: bool,
}

impl Reduction {
    /// How many locations the residual program may have. A program that is folded everywhere is no larger than the
    /// original, apart from the places where it ends.
    fn most_locations(&self, program: &Program) -> usize {
        let growth = self.bounds.growth.filter(|_| self.folding.coarser().is_some());
        let grown = growth.map_or(usize::MAX, |growth| program.size().saturating_mul(growth));
        self.bounds.locations.min(grown)
    }
}

/// The X-reducer: keeps at least the paths that `known` does not cover as `done`, or, where `known` has candidates, the
/// candidates' paths among these. It adds no path that the program does not have (Theorem 1). A residual program that
/// would grow too large is folded more.
pub fn reduce(task: &Task, known: &Gia, done: Covered, how: &Reduction, host: &Host) -> Result<Residual> {
    let program = &*task.program;
    if let Some(edge) = known.foreign_edge(program) {
        return Err(PluginError::bad_input(format!("the automaton names {edge}, which the program does not have")));
    }
    let mut how = *how;
    loop {
        let most = how.most_locations(program);
        let coarser = how.folding.coarser().filter(|_| how.bounds.growth.is_some());
        match unfolded(task, known, done, &how, host) {
            Ok(residual) if coarser.is_none() || residual.program.size() <= most => return Ok(residual),
            Err(Failure::Other(error)) => return Err(error),
            Ok(_) | Err(Failure::TooLarge) => {}
        }
        let Some(folding) = coarser else {
            return Err(PluginError::new(format!(
                "the residual program would have more than {most} locations; use a reducer that folds more, such as fold-cfa"
            )));
        };
        host.log(LogLevel::Info, &format!("more than {most} locations: more of them are folded"));
        how.folding = folding;
    }
}

fn unfolded(
    task: &Task,
    known: &Gia,
    done: Covered,
    how: &Reduction,
    host: &Host,
) -> std::result::Result<Residual, Failure> {
    let program = &*task.program;
    let follower = Follower::new(Arc::new(known.clone()), done);
    let moves = Moves::new(program, follower, how.branches, host);
    let whole = whole_functions(task);
    let (moves, mut graph) = Unfolding::new(moves, how, whole, host)?.run(host)?;
    if moves.follower.has_candidates() {
        candidates::keep(&mut graph);
    }
    Ok(assemble::assemble(program, moves.expressions, &graph))
}

/// Functions that are kept whole: functions whose calls are targets, since these are known by name, and functions that
/// a library function may call.
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
    /// Adds the options that [`Bounds::given`] reads to a reducer's descriptor, with these defaults. A growth of 0
    /// means no limit; `None` is for reducers that cannot fold more.
    pub fn describe(descriptor: Descriptor, clones: i64, growth: Option<i64>) -> Descriptor {
        let integer = |min, max| OptionType::Integer { min, max };
        let about = "a function gets this many clones, and one more for all other calls";
        let descriptor = descriptor
            .option(
                "max-locations",
                "a larger residual program is refused",
                integer(1, 100_000_000),
                OptionValue::Integer(200_000),
            )
            .option("max-clones", about, integer(1, 1_000_000), OptionValue::Integer(clones));
        let Some(growth) = growth else { return descriptor };
        let about = "what would be more than this many times as large as the program is folded more: at loop heads, and if \
                     that is not enough everywhere; 0 for no limit";
        descriptor.option("max-growth", about, integer(0, 1_000_000), OptionValue::Integer(growth))
    }

    pub fn given(options: &Options) -> Result<Self> {
        let number = |name: &str| options.integer(name).map(|value| value as usize);
        let growth = if options.get("max-growth").is_some() { number("max-growth")? } else { 0 };
        let growth = Some(growth).filter(|growth| *growth > 0);
        Ok(Bounds { locations: number("max-locations")?, clones: number("max-clones")?, growth })
    }
}
