//! The lifetimes of variable-length arrays: their memory comes from the frame, and goes back where a block ends or a jump
//! leaves it. Otherwise a loop around a declaration would use up the stack.

use super::draft::{DraftOp, Exit};
use super::{Lowered, Lowerer};
use lang_c::span::Span as AstSpan;
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    /// Before a variable-length array gets its memory. If the declaration cannot be reached again, the memory lives as
    /// long as the function, and no stack pointer is kept.
    pub fn begin_array(&mut self, span: AstSpan) -> Lowered<()> {
        let draft = self.draft(span)?;
        if draft.continues.is_empty() && draft.named_labels.is_empty() {
            return Ok(());
        }
        let pointer = self.common.void_pointer;
        let save = self.library_function("__builtin_stack_save", pointer, &[], span);
        let saved = self.temporary(pointer, span)?;
        let saved = self.variable_expr(saved);
        let op = DraftOp::Call { callee: Callee::Function(save), arguments: Vec::new(), result: Some(saved) };
        self.emit_draft(op, span)?;
        self.draft(span)?.arrays.push(saved);
        Ok(())
    }

    /// The end of a block before which `alive` arrays were alive.
    pub fn end_arrays(&mut self, alive: usize, span: AstSpan) -> Lowered<()> {
        self.release_arrays(alive, span)?;
        self.draft(span)?.arrays.truncate(alive);
        Ok(())
    }

    /// `break` or `continue`.
    pub fn leave_to(&mut self, exit: Exit, span: AstSpan) -> Lowered<()> {
        self.release_arrays(exit.arrays, span)?;
        self.join(exit.place, span)
    }

    /// A jump back to a label ends the lives of the arrays that are not alive there.
    pub fn release_for_label(&mut self, label: &str, span: AstSpan) -> Lowered<()> {
        let draft = self.draft(span)?;
        let Some(there) = draft.label_arrays.get(label) else { return Ok(()) };
        let shared = draft.arrays.iter().zip(there).take_while(|(here, there)| here == there).count();
        self.release_arrays(shared, span)
    }

    fn release_arrays(&mut self, alive: usize, span: AstSpan) -> Lowered<()> {
        let Some(&saved) = self.draft(span)?.arrays.get(alive) else { return Ok(()) };
        let (void, pointer) = (self.common.void, self.common.void_pointer);
        let restore = self.library_function("__builtin_stack_restore", void, &[pointer], span);
        let op = DraftOp::Call { callee: Callee::Function(restore), arguments: vec![saved], result: None };
        self.emit_draft(op, span)
    }
}
