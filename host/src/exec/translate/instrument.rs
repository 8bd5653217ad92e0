//! The records of a run: how often edges are taken, branch decisions, compared values. Also ends runs at targets.

use super::address::sign_cut;
use super::function::{Translator, trusted};
use crate::exec::context::{Ending, offset};
use crate::exec::trace::{RETURN, Watch};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, types};
use rustc_hash::FxHashSet;
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::execution::ComparedValues;

/// How edges without code of their own are counted.
#[derive(Default)]
pub(in crate::exec) struct Counting {
    pub done: FxHashSet<EdgeId>,
    /// The edge that each call of the function takes first, if it is always the same.
    pub first: Option<EdgeId>,
    /// First and last of edges that are counted when the first one is taken. If a run ends between them, the counts of
    /// the rest are taken back.
    pub together: Vec<(EdgeId, EdgeId)>,
    /// Chains of comparisons of one value with constants: the edge where it is equal and the edge where it is not. The
    /// counts of the edges where it is not equal follow from the others, except for the last.
    pub switches: Vec<Vec<(EdgeId, EdgeId)>>,
}

impl Translator<'_, '_> {
    pub fn is_instrumented(&self, edge: EdgeId) -> bool {
        self.shared.options.coverage || self.shared.layout.traced || self.shared.targets.contains(&edge)
    }

    /// Reports an edge before it is taken, in code for runs that are followed step by step.
    pub fn trace(&mut self, edge: EdgeId) {
        if self.shared.layout.traced && Watch::is_told(self.program, edge) {
            self.tell(edge.0);
        }
    }

    pub fn trace_return(&mut self) {
        if self.shared.layout.traced {
            self.tell(RETURN);
        }
    }

    fn tell(&mut self, edge: u32) {
        let edge = self.builder.ins().iconst(types::I32, i64::from(edge as i32));
        let frame = match self.frame {
            Some((host, _)) => self.builder.ins().isub(host, self.memory_base),
            None => self.builder.ins().iconst(types::I64, 0),
        };
        let trace = self.import(self.shared.imports.trace);
        self.builder.ins().call(trace, &[self.context, edge, frame]);
    }

    /// Counts a target edge and ends the run before it.
    pub fn end_at_target(&mut self, edge: EdgeId) -> bool {
        if !self.shared.targets.contains(&edge) {
            return false;
        }
        self.count(edge);
        self.end(Ending::Target);
        true
    }

    /// Adds 1 to the edge's counter, which stays at 255.
    pub fn count(&mut self, edge: EdgeId) {
        self.add(edge, types::I8);
    }

    /// Adds 1 to the counters from this edge's on, as many as the type has bytes. All of them are always equal.
    fn add(&mut self, first: EdgeId, ty: types::Type) {
        let Some(counters) = self.counters else { return };
        let Ok(at) = i32::try_from(first.0) else { return };
        let count = self.builder.ins().load(ty, trusted(), counters, at);
        let ones = self.builder.ins().iconst(ty, sign_cut(0x0101_0101_0101_0101, ty));
        let full = self.builder.ins().iconst(ty, -1);
        let sum = self.builder.ins().iadd(count, ones);
        let is_full = self.builder.ins().icmp(IntCC::Equal, count, full);
        let next = self.builder.ins().select(is_full, count, sum);
        self.builder.ins().store(trusted(), next, counters, at);
    }

    /// Counts an edge that is the only one to leave its location, and with it those that always follow.
    pub fn count_straight(&mut self, edge: EdgeId) {
        if self.counters.is_none() || !self.counting.done.insert(edge) {
            return;
        }
        let mut last = edge;
        while let Some(next) = self.follower(last) {
            self.counting.done.insert(next);
            last = next;
        }
        let (mut at, end) = (edge.0, last.0 + 1);
        if end - at > 1 {
            self.counting.together.push((edge, last));
        }
        while at < end {
            let ty = match end - at {
                8.. => types::I64,
                4..8 => types::I32,
                2..4 => types::I16,
                _ => types::I8,
            };
            self.add(EdgeId(at), ty);
            at += ty.bytes();
        }
    }

    /// The edge with the next number, if it is taken whenever this one is, unless the run ends here by a fault.
    fn follower(&self, edge: EdgeId) -> Option<EdgeId> {
        let program = self.program;
        let to = match &program.edge(edge).op {
            Op::Skip | Op::Declare(_) | Op::Assign { .. } | Op::Havoc { .. } | Op::Return(_) => program.edge(edge).to,
            _ => return None,
        };
        let next = EdgeId(edge.0 + 1);
        let location = program.location(to);
        let follows = location.leaving.as_slice() == [next]
            && location.entering.len() == 1
            && !self.is_loop_head(to)
            && !self.is_exit(to)
            && !self.shared.targets.contains(&next);
        // A fault while parameters are copied has the first edge, which is not counted then.
        (follows && !self.copies_parameters()).then_some(next)
    }

    /// Appends to a record unless it is full: `write` gets the place.
    fn append(&mut self, next: i32, end: i32, size: usize, write: impl FnOnce(&mut Self, ir::Value)) {
        let at = self.builder.ins().load(types::I64, trusted(), self.context, next);
        let limit = self.builder.ins().load(types::I64, trusted(), self.context, end);
        let (room, go_on) = (self.builder.create_block(), self.builder.create_block());
        let fits = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, limit);
        self.builder.ins().brif(fits, room, &[], go_on, &[]);
        self.builder.switch_to_block(room);
        write(self, at);
        let after = self.builder.ins().iadd_imm_s(at, size as i64);
        self.builder.ins().store(trusted(), after, self.context, next);
        self.builder.ins().jump(go_on, &[]);
        self.builder.switch_to_block(go_on);
    }

    pub fn record_decision(&mut self, truth: ir::Value) {
        if self.shared.options.decisions {
            self.append(offset::DECISIONS_NEXT, offset::DECISIONS_END, 1, |t, at| {
                let ty = t.builder.func.dfg.value_type(truth);
                let zero = t.builder.ins().iconst(ty, 0);
                let bit = t.builder.ins().icmp(IntCC::NotEqual, truth, zero);
                t.builder.ins().store(trusted(), bit, at, 0);
            });
        }
    }

    /// The operands of an integer comparison that decides a branch; an integer alone is compared with zero.
    pub fn record_comparison(&mut self, condition: ExprId) {
        if !self.shared.options.comparisons {
            return;
        }
        let (lhs, rhs) = match self.program.exprs.kind(condition) {
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => (lhs, Some(rhs)),
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => (operand, None),
            _ => (condition, None),
        };
        let ty = self.program.exprs.ty(lhs);
        let Some((bits, _)) = self.program.types.word_shape(ty) else { return };
        if bits > 64 || rhs.is_none() && !self.program.types.is_integer(ty) {
            return;
        }
        let left = self.long(lhs);
        let right = match rhs {
            Some(rhs) => self.long(rhs),
            None => self.builder.ins().iconst(types::I64, 0),
        };
        let size = size_of::<ComparedValues>();
        self.append(offset::COMPARISONS_NEXT, offset::COMPARISONS_END, size, |t, at| {
            let edge = t.builder.ins().iconst(types::I32, i64::from(t.edge.0));
            let width = t.builder.ins().iconst(types::I32, i64::from(bits));
            let offset_of = |field: usize| field as i32;
            t.builder.ins().store(trusted(), edge, at, offset_of(std::mem::offset_of!(ComparedValues, edge)));
            t.builder.ins().store(trusted(), width, at, offset_of(std::mem::offset_of!(ComparedValues, bits)));
            t.builder.ins().store(trusted(), left, at, offset_of(std::mem::offset_of!(ComparedValues, left)));
            t.builder.ins().store(trusted(), right, at, offset_of(std::mem::offset_of!(ComparedValues, right)));
        });
    }
}
