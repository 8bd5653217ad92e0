//! Inline assembly: its outputs get any value (a convention of the field), its inputs are evaluated.

use super::{Lowered, Lowerer};
use crate::frontend::text::ASM_GOTO_CLOBBER;
use lang_c::ast;
use lang_c::span::Node;
use tandem_plugin_api::program::Op;

impl Lowerer<'_> {
    pub fn inline_asm(&mut self, asm: &Node<ast::AsmStatement>) -> Lowered<()> {
        let ast::AsmStatement::GnuExtended(extended) = &asm.node else {
            return self.emit(Op::Skip, asm.span);
        };
        for input in &extended.inputs {
            let operand = &input.node.variable_name;
            // A place is not read here: "m" operands may be structs.
            if self.is_place(operand) { drop(self.place(operand)?) } else { drop(self.value(operand)?) }
        }
        let jumps = |clobber: &Node<Vec<String>>| clobber.node.iter().any(|text| text.contains(ASM_GOTO_CLOBBER));
        if extended.clobbers.iter().any(jumps) {
            return self.unsupported("asm goto", asm.span);
        }
        if extended.outputs.is_empty() {
            return self.emit(Op::Skip, asm.span);
        }
        for output in &extended.outputs {
            let target = self.place(&output.node.variable_name)?.expr;
            self.emit(Op::Havoc { target }, output.span)?;
        }
        Ok(())
    }
}
