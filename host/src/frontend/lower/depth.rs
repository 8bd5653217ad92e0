//! Keeps expressions shallow, since execution, analyses and printing walk them recursively. An operand that has become
//! too deep is computed first, into a temporary.

use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::span::Span as AstSpan;
use tandem_plugin_api::program::*;

/// People write at most some dozens of levels; a level costs a reader some hundred bytes of stack.
const MAX_DEPTH: u32 = 300;

/// How deep each expression of the arena is.
#[derive(Default)]
pub(super) struct Depths(Vec<u32>);

impl Depths {
    /// Operands come before what they are operands of, so that one pass over what is new suffices.
    fn of(&mut self, exprs: &Exprs, id: ExprId) -> u32 {
        for new in self.0.len()..=id.index() {
            let below = exprs.operands(ExprId::new(new)).map(|operand| self.0[operand.index()]).max();
            self.0.push(below.map_or(0, |depth| depth + 1));
        }
        self.0[id.index()]
    }
}

impl Lowerer<'_> {
    /// The value, through a temporary where it has become too deep.
    pub(super) fn kept_shallow(&mut self, mut value: Value, span: AstSpan) -> Lowered<Value> {
        if self.depths.of(&self.exprs, value.expr) <= MAX_DEPTH || self.exprs.ty(value.expr) == self.common.void {
            return Ok(value);
        }
        if self.current.is_some() {
            value.expr = self.save(value.expr, span)?;
        } else if self.one_expression {
            return self.unsupported(format!("an expression of more than {MAX_DEPTH} levels"), span);
        }
        Ok(value)
    }
}
