//! What a run records: how often edges are taken, branch decisions, compared values; and where it ends at a target.

use super::function::{Translator, trusted};
use crate::exec::context::{Ending, offset};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, types};
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::execution::ComparedValues;

impl Translator<'_, '_> {
    pub fn is_instrumented(&self, edge: EdgeId) -> bool {
        self.shared.options.coverage || self.shared.targets.contains(&edge)
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
        if !self.shared.options.coverage {
            return;
        }
        let Ok(at) = i32::try_from(edge.0) else { return };
        let counters = self.builder.ins().load(types::I64, trusted(), self.context, offset::COVERAGE);
        let count = self.builder.ins().load(types::I8, trusted(), counters, at);
        let one = self.builder.ins().iconst(types::I8, 1);
        let sum = self.builder.ins().iadd(count, one);
        let wrapped = self.builder.ins().icmp(IntCC::UnsignedLessThan, sum, count);
        let next = self.builder.ins().select(wrapped, count, sum);
        self.builder.ins().store(trusted(), next, counters, at);
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
