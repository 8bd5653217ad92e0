//! Inline assembly: its outputs get any value (a convention of the field), its inputs are evaluated.
//! An empty template is gcc's barrier for the optimiser and changes nothing. What may write memory that is not listed
//! as an output is unsupported.

use super::{Lowered, Lowerer};
use crate::frontend::text::ASM_GOTO_CLOBBER;
use lang_c::ast::{self, GnuAsmOperand};
use lang_c::span::Node;
use tandem_plugin_api::program::{ExprId, Op};

/// Instructions that order accesses to memory, wait, or do nothing; with `%0` and numbers as operands at most.
const HARMLESS_INSTRUCTIONS: [&str; 10] =
    ["nop", "pause", "mfence", "lfence", "sfence", "cli", "sti", "hlt", "rep; nop", "rep;nop"];

impl Lowerer<'_> {
    pub fn inline_asm(&mut self, asm: &Node<ast::AsmStatement>) -> Lowered<()> {
        let extended = match &asm.node {
            ast::AsmStatement::GnuExtended(extended) => extended,
            ast::AsmStatement::GnuBasic(template) if is_harmless(&text(&template.node)) => {
                return self.emit(Op::Skip, asm.span);
            }
            ast::AsmStatement::GnuBasic(_) => return self.unsupported("inline assembly without operands", asm.span),
        };
        let clobbers: Vec<String> = extended.clobbers.iter().map(|clobber| text(&clobber.node)).collect();
        if clobbers.iter().any(|clobber| clobber.contains(ASM_GOTO_CLOBBER)) {
            return self.unsupported("asm goto", asm.span);
        }
        let template = text(&extended.template.node);
        if clobbers.iter().any(|clobber| clobber == "memory") && !is_harmless(&template) {
            return self.unsupported("inline assembly that may write any memory (its clobbers name it)", asm.span);
        }
        let keeps = template.trim().is_empty();
        let mut tied: Vec<Option<ExprId>> = vec![None; extended.outputs.len()];
        for input in &extended.inputs {
            let operand = &input.node.variable_name;
            if let Some(output) = matched_output(&input.node, &extended.outputs).filter(|_| keeps) {
                let value = self.value(operand)?.expr;
                tied[output] = Some(self.save(value, input.span)?);
                continue;
            }
            // A place is not read here: "m" operands may be structs.
            if self.is_place(operand) { drop(self.place(operand)?) } else { drop(self.value(operand)?) }
        }
        if extended.outputs.is_empty() {
            return self.emit(Op::Skip, asm.span);
        }
        for (output, tied) in extended.outputs.iter().zip(tied) {
            let target = self.place(&output.node.variable_name)?.expr;
            match tied {
                Some(value) => {
                    let ty = self.exprs.ty(target);
                    let value = self.convert(value, ty, output.span)?;
                    self.assign(target, value, output.span)?;
                }
                // Read and not written by any instruction.
                None if keeps && text(&output.node.constraints.node).contains('+') => {
                    self.emit(Op::Skip, output.span)?
                }
                None => self.emit(Op::Havoc { target }, output.span)?,
            }
        }
        Ok(())
    }
}

/// The output whose place an input shares: `"0"`, or `"[name]"`.
fn matched_output(input: &GnuAsmOperand, outputs: &[Node<GnuAsmOperand>]) -> Option<usize> {
    let constraint = text(&input.constraints.node);
    let constraint = constraint.trim_start_matches('%');
    if let Some(name) = constraint.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let named = |output: &Node<GnuAsmOperand>| {
            output.node.symbolic_name.as_ref().is_some_and(|symbol| symbol.node.name == name)
        };
        return outputs.iter().position(named);
    }
    constraint.parse().ok().filter(|&index| index < outputs.len())
}

/// Whether a template is empty or orders accesses, and so writes no memory.
fn is_harmless(template: &str) -> bool {
    let lines = template.split("\\n").flat_map(|line| line.split("\\t"));
    lines.map(str::trim).all(|line| line.is_empty() || HARMLESS_INSTRUCTIONS.contains(&line))
}

/// The contents of adjacent string literals, escapes as they are written.
fn text(pieces: &[String]) -> String {
    pieces.iter().map(|piece| piece.trim_matches('"')).collect()
}
