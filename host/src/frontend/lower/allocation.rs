//! `malloc` and `calloc` of more than PTRDIFF_MAX bytes give null, whatever memory there is: glibc documents it, and C demands
//! it where the product of `calloc` does not fit (C11 7.22.3.2). Less than that never fails, by convention.

use super::draft::{DraftOp, Target};
use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::span::Span as AstSpan;
use tandem_plugin_api::program::*;

/// How large a request is.
enum Request {
    Bytes(ExprId),
    Product(ExprId, ExprId),
}

impl Lowerer<'_> {
    /// A call of `malloc` or `calloc` whose size is not known to be small; none for other calls.
    pub fn large_allocation(
        &mut self,
        callee: Callee,
        arguments: &[ExprId],
        result_type: TypeId,
        span: AstSpan,
    ) -> Lowered<Option<Value>> {
        let Some(request) = self.request(callee, arguments, result_type) else { return Ok(None) };
        let size = self.common.size;
        let most = match self.types.size_of(size) {
            Some(8) => i128::from(i64::MAX),
            _ => i128::from(i32::MAX),
        };
        let most = self.int_constant(most, size);
        let temporary = self.temporary(result_type, span)?;
        let result = self.variable_expr(temporary);
        let draft = self.draft(span)?;
        let (enough, too_much, after) = (draft.place(), draft.place(), draft.place());
        let target = |place| Target { place, settles: None };
        match request {
            Request::Bytes(bytes) if self.at_most(bytes, most) => return Ok(None),
            Request::Bytes(bytes) => {
                let exceeds = self.binary(BinaryOp::Gt, bytes, most);
                self.branch_on(exceeds, target(too_much), target(enough), span)?;
            }
            Request::Product(count, each) => {
                let zero = self.int_constant(0, size);
                let divided = self.draft(span)?.place();
                let is_zero = self.binary(BinaryOp::Eq, each, zero);
                self.branch_on(is_zero, target(enough), target(divided), span)?;
                self.draft(span)?.at = divided;
                let limit = self.binary(BinaryOp::Div, most, each);
                let exceeds = self.binary(BinaryOp::Gt, count, limit);
                self.branch_on(exceeds, target(too_much), target(enough), span)?;
            }
        }
        self.draft(span)?.at = too_much;
        let null = self.int_constant(0, result_type);
        self.assign(result, null, span)?;
        self.join(after, span)?;
        self.draft(span)?.at = enough;
        self.emit_draft(DraftOp::Call { callee, arguments: arguments.to_vec(), result: Some(result) }, span)?;
        self.join(after, span)?;
        self.draft(span)?.at = after;
        Ok(Some(result.into()))
    }

    fn request(&self, callee: Callee, arguments: &[ExprId], result_type: TypeId) -> Option<Request> {
        let Callee::Function(id) = callee else { return None };
        let name = self.functions[id.index()].name.as_str();
        let fits = |argument: &ExprId| self.exprs.ty(*argument) == self.common.size;
        if self.defined.contains(name) || !self.types.is_pointer(result_type) || !arguments.iter().all(fits) {
            return None;
        }
        match (name.trim_start_matches("__builtin_"), arguments) {
            ("malloc", &[bytes]) => Some(Request::Bytes(bytes)),
            ("calloc", &[count, each]) => match (self.exprs.as_int(count), self.exprs.as_int(each)) {
                // Less than a gigabyte.
                (Some(count), Some(each)) if count.checked_mul(each).is_some_and(|bytes| bytes < 1 << 30) => None,
                _ => Some(Request::Product(count, each)),
            },
            _ => None,
        }
    }

    fn at_most(&self, bytes: ExprId, most: ExprId) -> bool {
        matches!((self.exprs.as_int(bytes), self.exprs.as_int(most)), (Some(bytes), Some(most)) if bytes <= most)
    }
}
