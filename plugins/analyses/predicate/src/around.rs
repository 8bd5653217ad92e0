//! The ways around a path: all that pass the same abstraction points in the same calls. The exploration joins them into one formula
//! (adjustable-block encoding), so that a refinement should exclude them together.

use crate::block::{Block, History, Recipe};
use std::sync::Arc;
use tandem_plugin_api::kit::unroll::{Agenda, Unrolling, Visit};
use tandem_plugin_api::prelude::*;

/// Between two abstraction points; where there are more places, the path alone must do.
const MOST_VISITS: usize = 5_000;

pub struct Around<'a> {
    pub task: &'a Task,
    pub host: &'a Host,
    /// Where blocks end.
    pub is_cut: &'a dyn Fn(LocationId) -> bool,
}

impl Around<'_> {
    /// None where they are too many, or the path is none of the program.
    pub fn history(&self, path: &[EdgeId]) -> Result<Option<History>> {
        let mut unrolling = Unrolling::new(Arc::clone(&self.task.program));
        let Some(mut at) = unrolling.start::<()>() else { return Ok(None) };
        let mut blocks = Vec::new();
        let mut from = at.clone();
        for &edge in path {
            let Some((next, _)) = unrolling.step(&at, edge) else { return Ok(None) };
            at = next;
            if (self.is_cut)(at.location) {
                let Some(recipe) = self.ways(&mut unrolling, &from, &at)? else { return Ok(None) };
                blocks.push((Block::of_path(from.location), recipe));
                from = at.clone();
            }
        }
        let Some(recipe) = self.ways(&mut unrolling, &from, &at)? else { return Ok(None) };
        blocks.push((Block::of_path(from.location), recipe));
        Ok(Some(History { blocks }))
    }

    /// All ways from one place of the unrolled program to another that pass no abstraction point and no target between them.
    fn ways(&self, unrolling: &mut Unrolling, from: &Visit<()>, to: &Visit<()>) -> Result<Option<Arc<Recipe>>> {
        if from.key == to.key {
            return Ok(Some(Recipe::start()));
        }
        let mut agenda: Agenda<(), Arc<Recipe>> = Agenda::default();
        agenda.add(from.clone(), Recipe::start(), |(), ()| {});
        for _ in 0..MOST_VISITS {
            self.host.check()?;
            let Some((visit, recipes)) = agenda.take() else { return Ok(None) };
            let joined = recipes.into_iter().reduce(|all, one| Recipe::join(&all, &one));
            let Some(recipe) = joined else { return Ok(None) };
            if visit.key == to.key {
                return Ok(Some(recipe));
            }
            for edge in unrolling.edges(&visit) {
                if self.task.is_target(edge) && self.task.property != Property::CoverBranches {
                    continue;
                }
                let Some((next, _)) = unrolling.step(&visit, edge) else { continue };
                // Visits come in the order of their keys: what is behind the end does not lead there.
                let is_inside = next.key < to.key && !(self.is_cut)(next.location);
                if is_inside || next.key == to.key {
                    agenda.add(next, Recipe::post(&recipe, edge), |(), ()| {});
                }
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
    use tandem_plugin_api::program::BinaryOp;

    /// `if (x) f(); else f(); while (x) ; if (x) ; else ; reach_error();`
    #[test]
    fn ways_pass_the_same_abstraction_points() {
        let mut builder = ProgramBuilder::new("around.c");
        let main = builder.function("main");
        let callee = builder.function("f");
        let error = builder.declare("reach_error");
        let x = builder.global("x");
        let (entry, exit) = builder.body(main);
        let (inside, leaves) = builder.body(callee);
        let (x, zero) = (builder.variable(x), builder.int(0));
        let is_zero = builder.binary(BinaryOp::Eq, x, zero);
        let places: Vec<_> = (0..6).map(|_| builder.location(main)).collect();
        let [left, right, head, after, yes, bad] = places[..] else { panic!() };
        builder.edge(inside, leaves, Op::Skip);
        builder.branch(entry, is_zero, left, right);
        builder.call(left, head, callee, &[]);
        builder.call(right, head, callee, &[]);
        let body = builder.location(main);
        builder.branch(head, is_zero, body, after);
        builder.edge(body, head, Op::Skip);
        builder.branch(after, is_zero, yes, bad);
        builder.edge(yes, bad, Op::Skip);
        builder.call(bad, exit, error, &[]);
        let shared = testing::task(builder.finish(main));
        let (task, program) = (shared.task(), shared.program());
        let host = Host::silent();
        let around = Around { task, host: &host, is_cut: &|at| at == head };
        let edge = |from: LocationId, to: LocationId| {
            program.edge_ids().find(|id| program.edge(*id).from == from && program.edge(*id).to == to).unwrap()
        };
        let first = program.location(left).leaving[0];
        let resume = program.location(leaves).leaving.iter().copied().find(|id| program.edge(*id).to == head).unwrap();
        let path = [
            edge(entry, left),
            first,
            edge(inside, leaves),
            resume,
            edge(head, body),
            edge(body, head),
            edge(head, after),
        ];
        let path = [&path[..], &[edge(after, bad)]].concat();
        let history = around.history(&path).unwrap().unwrap();
        assert_eq!(history.blocks.iter().map(|(block, _)| block.location).collect::<Vec<_>>(), [entry, head, head]);
        let joins: Vec<usize> = history.blocks.iter().map(|(_, recipe)| recipe.joins()).collect();
        // Both calls, one round of the loop, both branches behind it.
        assert_eq!(joins, [1, 0, 1]);
        // A path that jumps is none.
        assert!(around.history(&[edge(entry, left), resume]).unwrap().is_none());
    }
}
