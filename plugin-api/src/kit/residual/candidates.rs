//! Where an automaton has candidates, only the paths through them are asked for (lines 32 to 40 of Alg. 3 of the GIA paper).

use super::graph::{CloneId, FunctionClone, Graph, Target, Way, reached};

/// Leaves out all nodes that come neither before nor after a candidate's. A return is assumed to lead to every caller,
/// so that a node is kept too often rather than lost.
pub fn keep(graph: &mut Graph) {
    let links = graph.links();
    let candidates: Vec<usize> = (0..graph.nodes.len()).filter(|&at| graph.nodes[at].candidate).collect();
    let forward = reached(&candidates, &links.after);
    let backward = reached(&candidates, &links.before);
    let kept: Vec<bool> = forward.iter().zip(&backward).map(|(after, before)| *after || *before).collect();
    for node in &mut graph.nodes {
        for (_, way) in &mut node.ways {
            prune_way(way, &kept, &graph.clones);
        }
    }
    let is_lost = |id: CloneId| !kept[graph.clones[id.0 as usize].entry.0 as usize];
    if graph.main.is_some_and(is_lost) {
        *graph = Graph::empty();
    }
}

fn prune_way(way: &mut Way, kept: &[bool], clones: &[FunctionClone]) {
    match way {
        Way::Step(target) => prune(target, kept),
        Way::Call { callee, after } => {
            prune(after, kept);
            if !kept[clones[callee.0 as usize].entry.0 as usize] {
                *way = Way::Step(Target::Stop);
            }
        }
    }
}

fn prune(target: &mut Target, kept: &[bool]) {
    match target {
        Target::Node(node) if !kept[node.0 as usize] => *target = Target::Stop,
        Target::Node(_) | Target::Stop => {}
        Target::Split { yes, no, .. } => {
            prune(yes, kept);
            prune(no, kept);
        }
    }
}
