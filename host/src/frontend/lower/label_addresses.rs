//! GNU C's computed jumps: `&&label` is a number of its own per label of the function, and `goto *e` compares `e`
//! with the labels whose address the function takes.

use super::draft::{Place, Target};
use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::FxHashSet;
use tandem_plugin_api::program::*;

/// The labels and computed jumps of the function being lowered.
#[derive(Default)]
pub(super) struct LabelAddresses {
    labels: Vec<(String, i128)>,
    jumps: Vec<(Place, ExprId, AstSpan)>,
    /// How many labels have numbers, those of the functions around this one included.
    count: i128,
    /// For a function inside a function: its own labels. All others belong to the function around it.
    own: FxHashSet<String>,
    enclosing: Option<Box<LabelAddresses>>,
}

impl LabelAddresses {
    /// Begins a function inside the current one.
    pub fn enter(&mut self, own: FxHashSet<String>) {
        let enclosing = std::mem::take(self);
        self.count = enclosing.count;
        self.own = own;
        self.enclosing = Some(Box::new(enclosing));
    }

    pub fn leave(&mut self) {
        if let Some(enclosing) = self.enclosing.take() {
            let count = self.count;
            *self = LabelAddresses { count, ..*enclosing };
        }
    }

    /// How many functions around this one a label belongs to: 0 for the function's own.
    pub fn levels_to(&self, name: &str) -> usize {
        let mut levels = 0;
        let mut at = self;
        while let Some(enclosing) = at.enclosing.as_deref().filter(|_| !at.own.contains(name)) {
            at = enclosing;
            levels += 1;
        }
        levels
    }

    /// The number that stands for the address of a label.
    fn number(&mut self, name: &str) -> i128 {
        let next = self.count + 1;
        let mut at = &mut *self;
        while at.enclosing.is_some() && !at.own.contains(name) {
            let Some(enclosing) = at.enclosing.as_deref_mut() else { break };
            at = enclosing;
        }
        if let Some((_, number)) = at.labels.iter().find(|(known, _)| known == name) {
            return *number;
        }
        at.labels.push((name.to_owned(), next));
        self.count = next;
        next
    }
}

impl Lowerer<'_> {
    pub fn label_address(&mut self, call: &Node<ast::CallExpression>) -> Lowered<Value> {
        let [Node { node: Expression::Identifier(label), .. }] = call.node.arguments.as_slice() else {
            return self.invalid("the address of something that is not a label", call.span);
        };
        let number = self.label_addresses.number(&label.node.name);
        let pointer = self.common.void_pointer;
        Ok(self.int_constant(number, pointer).into())
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
        let labels = std::mem::take(&mut self.label_addresses.labels);
        let jumps = std::mem::take(&mut self.label_addresses.jumps);
        if self.label_addresses.enclosing.is_none() {
            self.label_addresses.count = 0;
        }
        let end = self.draft(span)?.at;
        for (from, value, at) in jumps {
            self.draft(at)?.at = from;
            for (label, number) in &labels {
                let place = self.draft(at)?.label(label);
                let pointer = self.common.void_pointer;
                let address = self.int_constant(*number, pointer);
                let condition = self.binary(BinaryOp::Eq, value, address);
                let next = self.draft(at)?.place();
                let (yes, no) = (Target { place, settles: None }, Target { place: next, settles: None });
                self.branch_on(condition, yes, no, at)?;
                self.draft(at)?.at = next;
            }
            self.emit_unsupported("computed jump to something that is not a label".into(), self.span(at), at)?;
        }
        self.draft(span)?.at = end;
        Ok(())
    }
}
