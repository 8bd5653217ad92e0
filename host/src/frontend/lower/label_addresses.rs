//! GNU C's computed jumps: `&&label` is a number of its own per label of the function, and `goto *e` compares `e`
//! with the labels whose address the function takes.

use super::draft::{Place, Target};
use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

/// Of the function being lowered.
#[derive(Default)]
pub(super) struct LabelAddresses {
    labels: Vec<String>,
    jumps: Vec<(Place, ExprId, AstSpan)>,
}

impl Lowerer<'_> {
    pub fn label_address(&mut self, call: &Node<ast::CallExpression>) -> Lowered<Value> {
        let [Node { node: Expression::Identifier(label), .. }] = call.node.arguments.as_slice() else {
            return self.invalid("the address of something that is no label", call.span);
        };
        let name = &label.node.name;
        let labels = &mut self.label_addresses.labels;
        let at = labels.iter().position(|known| known == name).unwrap_or_else(|| {
            labels.push(name.clone());
            labels.len() - 1
        });
        let pointer = self.common.void_pointer;
        Ok(self.int_constant(at as i128 + 1, pointer).into())
    }

    pub fn computed_goto(&mut self, call: &Node<ast::CallExpression>) -> Lowered<Value> {
        let [target] = call.node.arguments.as_slice() else {
            return self.invalid("a computed jump without a target", call.span);
        };
        let value = self.scalar(target)?;
        let pointer = self.common.void_pointer;
        let value = self.cast(value, pointer);
        let value = self.save(value, target.span)?;
        let draft = self.draft(call.span)?;
        let from = draft.at;
        draft.at = draft.place();
        self.label_addresses.jumps.push((from, value, call.span));
        self.no_value()
    }

    /// At the end of the function all labels are known, and each computed jump gets its comparisons.
    pub fn close_computed_gotos(&mut self, span: AstSpan) -> Lowered<()> {
        let LabelAddresses { labels, jumps } = std::mem::take(&mut self.label_addresses);
        let end = self.draft(span)?.at;
        for (from, value, at) in jumps {
            self.draft(at)?.at = from;
            for (index, label) in labels.iter().enumerate() {
                let place = self.draft(at)?.label(label);
                let pointer = self.common.void_pointer;
                let address = self.int_constant(index as i128 + 1, pointer);
                let condition = self.binary(BinaryOp::Eq, value, address);
                let next = self.draft(at)?.place();
                let (yes, no) = (Target { place, settles: None }, Target { place: next, settles: None });
                self.branch_on(condition, yes, no, at)?;
                self.draft(at)?.at = next;
            }
            self.emit_unsupported("computed jump to something that is no label".into(), self.span(at), at)?;
        }
        self.draft(span)?.at = end;
        Ok(())
    }
}
