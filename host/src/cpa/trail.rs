//! Counts along the way to a state for search orders: how often it forked, and how many loop iterations it took.

use tandem_plugin_api::kit::unroll;
use tandem_plugin_api::program::{EdgeId, FunctionId, Op, Program};

/// Counts along the first path to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Nodes on the way that have several successors.
    pub forks: u32,
    /// Loop iterations with a fork inside: iterations that constants decide do not count.
    pub rounds: u32,
    /// The number of forks when an iteration was counted last.
    pub counted: u32,
}

/// Tables that are fixed for a program.
pub struct Trails {
    /// By edge: whether it leads back to the head of a loop that it is in.
    back: Vec<bool>,
    /// By location: whether several edges leave it of which conditions choose one.
    chooses: Vec<bool>,
}

impl Trails {
    pub fn new(program: &Program) -> Self {
        let mut back = vec![false; program.edges.len()];
        for function in (0..program.functions.len()).map(FunctionId::new) {
            let order = unroll::Order::of(program, function);
            for from in program.reverse_postorder(function) {
                let around = order.place(from).map_or(&[][..], |place| &place.heads);
                for (edge, to) in program.local_successors(from) {
                    back[edge.index()] = around.contains(&to);
                }
            }
        }
        let is_assume = |edge: &&EdgeId| matches!(program.edge(**edge).op, Op::Assume { .. });
        let chooses =
            program.locations.iter().map(|location| location.leaving.iter().filter(is_assume).count() > 1).collect();
        Trails { back, chooses }
    }

    pub fn chooses(&self) -> &[bool] {
        &self.chooses
    }

    /// The trail of a child. `forked` says that the parent has others.
    pub fn after(&self, parent: Trail, edge: EdgeId, forked: bool) -> Trail {
        let mut trail = parent;
        trail.forks += u32::from(forked);
        if self.back[edge.index()] && trail.counted < trail.forks {
            trail.rounds += 1;
            trail.counted = trail.forks;
        }
        trail
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::kit::testing::ProgramBuilder;

    #[test]
    fn only_iterations_with_a_fork_count() {
        let mut builder = ProgramBuilder::new("f.c");
        let main = builder.function("main");
        let (entry, exit) = builder.body(main);
        let (head, inside) = (builder.location(main), builder.location(main));
        let one = builder.int(1);
        builder.edge(entry, head, Op::Skip);
        builder.branch(head, one, inside, exit);
        builder.edge(inside, head, Op::Skip);
        let program = builder.finish(main);
        let trails = Trails::new(&program);
        assert!(trails.chooses()[head.index()] && !trails.chooses()[inside.index()]);
        let back = program.edge_ids().find(|edge| program.edge(*edge).from == inside).unwrap();
        let enter = program.edge_ids().find(|edge| program.edge(*edge).from == head).unwrap();
        let decided = trails.after(trails.after(Trail::default(), enter, false), back, false);
        assert_eq!(decided, Trail::default());
        let mut open = Trail::default();
        for _ in 0..3 {
            open = trails.after(trails.after(open, enter, true), back, false);
        }
        assert_eq!((open.forks, open.rounds), (3, 3));
    }
}
