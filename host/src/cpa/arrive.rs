//! Decides about a new state: it is merged into reached ones, covered by one, or becomes a node of the graph.

use super::arg::{Node, NodeId, Openness};
use super::calls::StackId;
use super::exploration::End;
use super::product::{ComponentError, Parts, Precisions};
use super::reachability::{Flow, Reachability};
use super::reached::Key;
use super::target::Arrival;
use std::sync::Arc;
use tandem_plugin_api::analysis::CoverKey;
use tandem_plugin_api::program::EdgeId;

type Result<T> = std::result::Result<T, ComponentError>;

impl Reachability {
    /// The inner loop of the algorithm for one new state.
    pub fn arrive(&mut self, arrival: Arrival, stop_here: bool) -> Result<Flow> {
        let (node, is_new) = self.place(arrival)?;
        if !is_new {
            return Ok(Flow::GoOn);
        }
        if stop_here {
            return Ok(Flow::End(End::AnalysisBroke));
        }
        let is_target = self.arg.node(node).target.is_some();
        Ok(if is_target && !self.task.property.is_coverage() { Flow::End(End::TargetReached) } else { Flow::GoOn })
    }

    /// A target as a plain state: what comes behind it is explored, too.
    pub fn go_through(&mut self, arrival: Arrival) -> Result<()> {
        let edge = arrival.edge;
        let (node, _) = self.place(arrival)?;
        self.note_target(edge, node);
        Ok(())
    }

    /// A target as the end of its way; its node.
    pub fn end_at(&mut self, arrival: Arrival, why: &str) -> NodeId {
        let Arrival { parent, edge, stack, parts, precisions } = arrival;
        let node = Node::new(self.task.program.edge(edge).to, stack, parts, precisions, Openness::Target);
        let node = self.arg.add(Node { target: Some(why.to_string()), ..node });
        self.arg.link(parent, edge, node);
        self.note_target(edge, node);
        node
    }

    fn note_target(&mut self, edge: EdgeId, node: NodeId) {
        if !self.targets.iter().any(|(known, _)| *known == edge) {
            self.targets.push((edge, node));
        }
    }

    /// Merges a new state, covers it, or adds it; its node, and whether it is to be explored.
    fn place(&mut self, arrival: Arrival) -> Result<(NodeId, bool)> {
        let Arrival { parent, edge, stack, parts, precisions } = arrival;
        let at = self.task.program.edge(edge).to;
        let partition = if self.apart { 0 } else { self.product.partition(&parts)? };
        let key = (at, stack, partition);
        let cover_key = if self.apart { CoverKey::default() } else { self.reached.cover_key(&parts, &self.product)? };
        if self.merges {
            let candidates = self.reached.candidates(key, cover_key, &parts, &self.product)?;
            self.merge_into(parent, edge, &candidates, &parts, &precisions)?;
        }
        let covers = |id: NodeId| self.product.stop(&parts, &self.arg.node(id).parts, &precisions);
        let coverer = self.reached.find(key, cover_key, &parts, &self.product, covers)?;
        if let Some(coverer) = coverer {
            return Ok((self.cover(parent, edge, coverer, stack, parts, precisions), false));
        }
        let node = self.add_node(key, cover_key, parts, precisions)?;
        self.arg.link(parent, edge, node);
        Ok((node, true))
    }

    /// Merges the new state into reached ones, which are then explored again. A node keeps its children: they stand for
    /// part of the successors of the greater state.
    fn merge_into(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        candidates: &[NodeId],
        parts: &Parts,
        precisions: &Precisions,
    ) -> Result<()> {
        for &id in candidates {
            let Some(merged) = self.product.merge(parts, &self.arg.node(id).parts, precisions)? else { continue };
            self.counts.merged += 1;
            let node = self.arg.node_mut(id);
            node.parts = merged;
            node.precision = Arc::clone(precisions);
            self.arg.link(parent, edge, id);
            self.put_back(id);
        }
        Ok(())
    }

    /// Records a covered state. One that was merged into its coverer, or is the same state, needs no node of its own.
    fn cover(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        coverer: NodeId,
        stack: StackId,
        parts: Parts,
        precisions: Precisions,
    ) -> NodeId {
        self.counts.covered += 1;
        let over = self.arg.node(coverer);
        let same = parts.iter().zip(over.parts.iter()).all(|(ours, theirs)| ours.same(theirs));
        if same || over.parents.contains(&(parent, edge)) {
            self.arg.link(parent, edge, coverer);
            return coverer;
        }
        let to = self.task.program.edge(edge).to;
        let node = self.arg.add(Node::new(to, stack, parts, precisions, Openness::Covered(coverer)));
        self.arg.link(parent, edge, node);
        self.arg.cover(node, coverer);
        node
    }

    pub fn add_node(&mut self, key: Key, cover_key: CoverKey, parts: Parts, precision: Precisions) -> Result<NodeId> {
        let (at, stack, partition) = key;
        let target = self.product.target(&parts, at)?;
        let generation = self.generation;
        let node = Node::new(at, stack, parts, precision, Openness::Waiting);
        let node = self.arg.add(Node { target, partition, cover_key, generation, ..node });
        if !self.apart {
            self.reached.insert(node, key, cover_key, &self.arg.node(node).parts);
        }
        self.added.push(node);
        Ok(node)
    }
}
