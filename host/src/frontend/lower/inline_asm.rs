//! Inline assembly: its outputs get unknown values (a convention of the field), its inputs are evaluated. An empty
//! template is gcc's barrier for the optimiser and changes nothing. Assembly that may write memory which is not listed
//! as an output, and whose instructions are not understood, is unsupported.

use super::asm_text::{Writes, control_instruction, leaves, writes};
use super::draft::Target;
use super::{Lowered, Lowerer};
use crate::frontend::text::ASM_GOTO_CLOBBER;
use lang_c::ast::{self, GnuAsmOperand};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::library::is_library_name;
use tandem_plugin_api::program::{BinaryOp, ExprId, Op};

impl Lowerer<'_> {
    pub fn inline_asm(&mut self, asm: &Node<ast::AsmStatement>) -> Lowered<()> {
        let extended = match &asm.node {
            ast::AsmStatement::GnuExtended(extended) => extended,
            ast::AsmStatement::GnuBasic(template) => {
                return match writes(&text(&template.node)) {
                    Some(nothing) if nothing == Writes::default() => self.emit(Op::Skip, asm.span),
                    _ => self.unsupported("inline assembly without operands", asm.span),
                };
            }
        };
        let clobbers: Vec<String> = extended.clobbers.iter().map(|clobber| text(&clobber.node)).collect();
        if clobbers.iter().any(|clobber| clobber.contains(ASM_GOTO_CLOBBER)) {
            return self.unsupported("asm goto", asm.span);
        }
        let template = text(&extended.template.node);
        let linkage = self.linkage;
        if leaves(&template, &|name| !linkage.defines(name) && !is_library_name(name)) {
            return self.unsupported("inline assembly that calls or jumps", asm.span);
        }
        if let Some(instruction) = control_instruction(&template) {
            return self.unsupported(
                format!("inline assembly that changes how numbers are computed (`{instruction}`)"),
                asm.span,
            );
        }
        let writes = writes(&template);
        if clobbers.iter().any(|clobber| clobber == "memory") && writes.is_none() {
            return self.unsupported("inline assembly that may write any memory (its clobbers name it)", asm.span);
        }
        let writes = writes.unwrap_or_default();
        let keeps = template.trim().is_empty();
        let mut tied: Vec<Option<ExprId>> = vec![None; extended.outputs.len()];
        let (mut overwritten, mut read) = (Vec::new(), Vec::new());
        for (index, input) in extended.inputs.iter().enumerate() {
            let operand = &input.node.variable_name;
            if let Some(output) = matched_output(&input.node, &extended.outputs).filter(|_| keeps) {
                let value = self.value(operand)?.expr;
                tied[output] = Some(self.save(value, input.span)?);
                continue;
            }
            let number = extended.outputs.len() + index;
            let is_written = writes.operands.iter().any(|written| is_operand(written, number, &input.node));
            // A place is not read here: "m" operands may be structs.
            if self.is_place(operand) {
                let place = self.place(operand)?.expr;
                read.push(place);
                overwritten.extend(is_written.then_some(place));
            } else {
                self.value(operand)?;
            }
        }
        self.single_bits(extended, &writes, asm.span)?;
        if extended.outputs.is_empty() && overwritten.is_empty() {
            return self.emit(Op::Skip, asm.span);
        }
        for target in overwritten {
            self.emit(Op::Havoc { target }, asm.span)?;
        }
        for (output, tied) in extended.outputs.iter().zip(tied) {
            let target = self.place(&output.node.variable_name)?.expr;
            match tied {
                Some(value) => {
                    let ty = self.exprs.ty(target);
                    let value = self.convert(value, ty, output.span)?;
                    self.assign(target, value, output.span)?;
                }
                // It is read, and no instruction writes it.
                None if keeps && keeps_memory(&output.node, read.contains(&target)) => {
                    self.emit(Op::Skip, output.span)?
                }
                None => self.emit(Op::Havoc { target }, output.span)?,
            }
        }
        Ok(())
    }

    /// `bts %1,%0` writes into operand 0 only if the number of the bit is inside of it; elsewhere, it is unsupported.
    fn single_bits(&mut self, asm: &ast::GnuExtendedAsmStatement, writes: &Writes, span: AstSpan) -> Lowered<()> {
        for (number, base) in &writes.bits {
            let operands: Vec<&Node<GnuAsmOperand>> = asm.outputs.iter().chain(&asm.inputs).collect();
            let find = |name: &str| {
                operands
                    .iter()
                    .enumerate()
                    .find(|(at, operand)| is_operand(name, *at, &operand.node))
                    .map(|(_, it)| *it)
            };
            let Some(base) = find(base) else {
                return self.unsupported("inline assembly that writes a bit of unknown memory", span);
            };
            let place = self.place(&base.node.variable_name)?.expr;
            let width = self.types.size_of(self.exprs.ty(place)).unwrap_or(0) * 8;
            let inside = match (find(number), number.strip_prefix('$').and_then(|text| text.parse::<u64>().ok())) {
                (_, Some(number)) if number < width => continue,
                (Some(operand), _) => {
                    let value = self.value(&operand.node.variable_name)?.expr;
                    let size = self.common.size;
                    let value = self.cast(value, size);
                    let width = self.size_constant(width);
                    self.binary(BinaryOp::Lt, value, width)
                }
                _ => return self.unsupported("inline assembly that writes a bit of unknown memory", span),
            };
            let draft = self.draft(span)?;
            let (yes, no) = (draft.place(), draft.place());
            let target = |place| Target { place, settles: None };
            self.branch_on(inside, target(yes), target(no), span)?;
            self.draft(span)?.at = no;
            self.emit_unsupported(
                "inline assembly that writes a bit outside of its operand".to_owned(),
                self.span(span),
                span,
            )?;
            self.join(yes, span)?;
            self.draft(span)?.at = yes;
        }
        Ok(())
    }
}

/// Whether the template's name for an operand means this one.
fn is_operand(name: &str, number: usize, operand: &GnuAsmOperand) -> bool {
    name.parse() == Ok(number) || operand.symbolic_name.as_ref().is_some_and(|symbol| symbol.node.name == name)
}

/// Whether an output that no instruction writes has its old value: it is an input, too, by `+` or as memory that is read.
fn keeps_memory(output: &GnuAsmOperand, is_read: bool) -> bool {
    let constraint = text(&output.constraints.node);
    constraint.contains('+') || is_read && constraint.trim_start_matches('=') == "m"
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

/// The contents of adjacent string literals, escapes as they are written.
fn text(pieces: &[String]) -> String {
    pieces.iter().map(|piece| piece.trim_matches('"')).collect()
}
