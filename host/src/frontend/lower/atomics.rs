//! gcc's `__atomic_*` and `__sync_*` builtins, of which `<stdatomic.h>` is made, as plain reads and writes: a program
//! here has one thread, so that no other access comes between them. Memory orders are evaluated and have no effect.

use super::ast_query::may_write;
use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

/// The change that an operation makes to the object.
#[derive(Clone, Copy)]
enum Change {
    Op(BinaryOp),
    /// `~(object & value)`
    Nand,
}

/// The value that an operation returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Old,
    New,
}

impl Lowerer<'_> {
    /// `None` where the name is not that of such a builtin.
    pub fn atomic_call(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        if !name.starts_with("__atomic_") && !name.starts_with("__sync_") {
            return Ok(None);
        }
        let arguments = call.node.arguments.as_slice();
        if let Some(constant) = self.lock_freedom(name, arguments)? {
            return Ok(Some(constant.into()));
        }
        let values = self.atomic_arguments(arguments)?;
        let (plain, of_sync) = match (name.strip_prefix("__atomic_"), name.strip_prefix("__sync_")) {
            (Some(plain), _) => (plain, false),
            (None, plain) => (plain.unwrap_or_default(), true),
        };
        let value = if of_sync {
            self.sync_builtin(plain, &values, call.span)?
        } else {
            self.atomic_builtin(plain, &values, call.span)?
        };
        match value {
            Some(value) => Ok(Some(value.into())),
            None => self.unsupported(format!("gcc builtin `{name}`"), call.span),
        }
    }

    /// The values of all arguments, from right to left as gcc evaluates them.
    fn atomic_arguments(&mut self, arguments: &[Node<Expression>]) -> Lowered<Vec<ExprId>> {
        let mut values = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate().rev() {
            let mut value = self.value(argument)?.expr;
            if arguments[..index].iter().any(may_write) && self.reads_shared_memory(value) {
                value = self.save(value, argument.span)?;
            }
            values.push(value);
        }
        values.reverse();
        Ok(values)
    }

    fn atomic_builtin(&mut self, name: &str, values: &[ExprId], span: AstSpan) -> Lowered<Option<ExprId>> {
        if let Some((change, gives)) = fetching(name, "fetch_", "_fetch")
            && let [object, value, _] = *values
        {
            return self.atomic_change(object, value, change, gives, span);
        }
        Ok(match (name, values) {
            ("thread_fence" | "signal_fence", [_]) => Some(self.no_value()?.expr),
            ("load_n", &[object, _]) => {
                let Some(place) = self.atomic_scalar(object) else { return Ok(None) };
                Some(self.save(place, span)?)
            }
            ("load", &[object, to, _]) => {
                let (place, to) = (self.deref(object), self.deref(to));
                self.atomic_copy(to, place, span)?
            }
            ("store", &[object, from, _]) => {
                let (place, from) = (self.deref(object), self.deref(from));
                self.atomic_copy(place, from, span)?
            }
            ("store_n", &[object, value, _]) => self.atomic_store(object, value, span)?,
            ("clear", &[object, _]) => {
                let byte = self.byte_place(object);
                let zero = self.int_constant(0, self.exprs.ty(byte));
                self.assign(byte, zero, span)?;
                Some(self.no_value()?.expr)
            }
            ("test_and_set", &[object, _]) => {
                let byte = self.byte_place(object);
                let old = self.save(byte, span)?;
                let one = self.int_constant(1, self.exprs.ty(byte));
                self.assign(byte, one, span)?;
                let boolean = self.types.int(IntKind::Bool);
                Some(self.cast(old, boolean))
            }
            ("exchange_n", &[object, value, _]) => self.atomic_exchange(object, value, span)?,
            ("exchange", &[object, from, to, _]) => {
                let [place, from, to] = [object, from, to].map(|pointer| self.deref(pointer));
                if self.types.size_of(self.exprs.ty(place)).is_none() {
                    return Ok(None);
                }
                let value = self.save(from, span)?;
                if self.atomic_copy(to, place, span)?.is_none() {
                    return Ok(None);
                }
                self.atomic_copy(place, value, span)?
            }
            ("compare_exchange_n", &[object, expected, desired, ..]) if values.len() == 6 => {
                self.compare_exchange(object, expected, desired, span)?
            }
            ("compare_exchange", &[object, expected, desired, ..]) if values.len() == 6 => {
                let desired = self.deref(desired);
                self.compare_exchange(object, expected, desired, span)?
            }
            _ => None,
        })
    }

    /// Their further arguments, the variables that a barrier is said to protect, are ignored by gcc.
    fn sync_builtin(&mut self, name: &str, values: &[ExprId], span: AstSpan) -> Lowered<Option<ExprId>> {
        if let Some((change, gives)) = fetching(name, "fetch_and_", "_and_fetch")
            && let [object, value, ..] = *values
        {
            return self.atomic_change(object, value, change, gives, span);
        }
        Ok(match (name, values) {
            ("synchronize", _) => Some(self.no_value()?.expr),
            ("lock_test_and_set", &[object, value, ..]) => self.atomic_exchange(object, value, span)?,
            ("lock_release", &[object, ..]) => {
                let int = self.common.int;
                let zero = self.int_constant(0, int);
                self.atomic_store(object, zero, span)?
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", &[object, expected, desired, ..]) => {
                let Some((old, equal)) = self.compare_and_swap(object, expected, desired, span)? else {
                    return Ok(None);
                };
                let boolean = self.types.int(IntKind::Bool);
                Some(if name == "val_compare_and_swap" { old } else { self.cast(equal, boolean) })
            }
            _ => None,
        })
    }

    /// The integer or pointer that an argument points to.
    fn atomic_scalar(&mut self, pointer: ExprId) -> Option<ExprId> {
        let pointee = self.types.pointee(self.exprs.ty(pointer))?;
        let fits = self.types.is_integer(pointee) || self.types.is_pointer(pointee);
        fits.then(|| self.deref(pointer))
    }

    fn byte_place(&mut self, pointer: ExprId) -> ExprId {
        let byte = self.types.int(IntKind::UChar);
        let bytes = self.types.pointer_to(byte);
        let pointer = self.cast(pointer, bytes);
        self.deref(pointer)
    }

    fn atomic_copy(&mut self, to: ExprId, from: ExprId, span: AstSpan) -> Lowered<Option<ExprId>> {
        let ty = self.exprs.ty(to);
        if ty == self.common.void || self.types.size_of(ty).is_none() {
            return Ok(None);
        }
        let value = self.convert(from, ty, span)?;
        self.assign(to, value, span)?;
        Ok(Some(self.no_value()?.expr))
    }

    fn atomic_store(&mut self, object: ExprId, value: ExprId, span: AstSpan) -> Lowered<Option<ExprId>> {
        let Some(place) = self.atomic_scalar(object) else { return Ok(None) };
        let value = self.convert(value, self.exprs.ty(place), span)?;
        self.assign(place, value, span)?;
        Ok(Some(self.no_value()?.expr))
    }

    fn atomic_exchange(&mut self, object: ExprId, value: ExprId, span: AstSpan) -> Lowered<Option<ExprId>> {
        let Some(place) = self.atomic_scalar(object) else { return Ok(None) };
        let value = self.convert(value, self.exprs.ty(place), span)?;
        let value = self.save(value, span)?;
        let old = self.save(place, span)?;
        self.assign(place, value, span)?;
        Ok(Some(old))
    }

    fn atomic_change(
        &mut self,
        object: ExprId,
        value: ExprId,
        change: Change,
        gives: Gives,
        span: AstSpan,
    ) -> Lowered<Option<ExprId>> {
        let Some(place) = self.atomic_scalar(object) else { return Ok(None) };
        let ty = self.exprs.ty(place);
        if *self.types.get(ty) == Type::Int(IntKind::Bool) {
            return Ok(None);
        }
        let old = self.save(place, span)?;
        let new = self.changed(old, value, change, span)?;
        let new = self.save(new, span)?;
        self.assign(place, new, span)?;
        Ok(Some(if gives == Gives::Old { old } else { new }))
    }

    /// The new value, in the type of the old one. To a pointer, gcc adds bytes.
    fn changed(&mut self, old: ExprId, value: ExprId, change: Change, span: AstSpan) -> Lowered<ExprId> {
        let ty = self.exprs.ty(old);
        let is_pointer = self.types.is_pointer(ty);
        if let (true, Change::Op(op @ (BinaryOp::Add | BinaryOp::Sub))) = (is_pointer, change) {
            let char = self.common.char;
            let bytes = self.types.pointer_to(char);
            let start = self.cast(old, bytes);
            let ptrdiff = self.common.ptrdiff;
            let value = self.convert(value, ptrdiff, span)?;
            let distance = if op == BinaryOp::Sub { self.negated_index(value) } else { value };
            let moved = self.pointer_add(start, distance);
            return Ok(self.cast(moved, ty));
        }
        let number = if is_pointer { self.common.size } else { ty };
        let (left, right) = (self.cast(old, number), self.convert(value, number, span)?);
        let result = match change {
            Change::Op(op) => self.arithmetic(op, left, right),
            Change::Nand => {
                let both = self.arithmetic(BinaryOp::BitAnd, left, right);
                self.unary(UnaryOp::BitNot, both)
            }
        };
        let result = self.cast(result, number);
        Ok(self.cast(result, ty))
    }

    /// The old value of the object, and whether it was the expected one, in which case it is replaced.
    fn compare_and_swap(
        &mut self,
        object: ExprId,
        expected: ExprId,
        desired: ExprId,
        span: AstSpan,
    ) -> Lowered<Option<(ExprId, ExprId)>> {
        let Some(place) = self.atomic_scalar(object) else { return Ok(None) };
        let ty = self.exprs.ty(place);
        let expected = self.convert(expected, ty, span)?;
        let expected = self.save(expected, span)?;
        let desired = self.convert(desired, ty, span)?;
        let desired = self.save(desired, span)?;
        let old = self.save(place, span)?;
        let (left, right) = (self.promote(old), self.promote(expected));
        let equal = self.binary(BinaryOp::Eq, left, right);
        let equal = self.save(equal, span)?;
        self.assign_if(equal, true, place, desired, span)?;
        Ok(Some((old, equal)))
    }

    fn compare_exchange(
        &mut self,
        object: ExprId,
        expected: ExprId,
        desired: ExprId,
        span: AstSpan,
    ) -> Lowered<Option<ExprId>> {
        let Some(wanted) = self.atomic_scalar(expected) else { return Ok(None) };
        let Some((old, equal)) = self.compare_and_swap(object, wanted, desired, span)? else { return Ok(None) };
        let found = self.convert(old, self.exprs.ty(wanted), span)?;
        self.assign_if(equal, false, wanted, found, span)?;
        let boolean = self.types.int(IntKind::Bool);
        Ok(Some(self.cast(equal, boolean)))
    }

    /// `if (condition == holds) place = value;`
    fn assign_if(
        &mut self,
        condition: ExprId,
        holds: bool,
        place: ExprId,
        value: ExprId,
        span: AstSpan,
    ) -> Lowered<()> {
        let draft = self.draft(span)?;
        let (assigns, after) = (draft.place(), draft.place());
        let target = |place| super::draft::Target { place, settles: None };
        let (yes, no) = if holds { (assigns, after) } else { (after, assigns) };
        self.branch_on(condition, target(yes), target(no), span)?;
        self.draft(span)?.at = assigns;
        self.assign(place, value, span)?;
        self.join(after, span)?;
        self.draft(span)?.at = after;
        Ok(())
    }

    /// Whether objects of a size are changed without a lock: in gcc for x86 up to 8 bytes.
    fn lock_freedom(&mut self, name: &str, arguments: &[Node<Expression>]) -> Lowered<Option<ExprId>> {
        let ("__atomic_always_lock_free" | "__atomic_is_lock_free", [size, _]) = (name, arguments) else {
            return Ok(None);
        };
        let size = self.constant_integer(size)?;
        if name == "__atomic_is_lock_free" && !matches!(size, 1 | 2 | 4 | 8) {
            return self
                .unsupported("`__atomic_is_lock_free` of an object that is not 1, 2, 4 or 8 bytes", arguments[0].span);
        }
        let boolean = self.types.int(IntKind::Bool);
        Ok(Some(self.int_constant(matches!(size, 1 | 2 | 4 | 8).into(), boolean)))
    }
}

/// The operation in names such as `fetch_add` and `add_fetch`.
fn fetching(name: &str, before: &str, behind: &str) -> Option<(Change, Gives)> {
    let (operation, gives) = match (name.strip_prefix(before), name.strip_suffix(behind)) {
        (Some(operation), _) => (operation, Gives::Old),
        (None, operation) => (operation?, Gives::New),
    };
    let change = match operation {
        "add" => Change::Op(BinaryOp::Add),
        "sub" => Change::Op(BinaryOp::Sub),
        "and" => Change::Op(BinaryOp::BitAnd),
        "or" => Change::Op(BinaryOp::BitOr),
        "xor" => Change::Op(BinaryOp::BitXor),
        "nand" => Change::Nand,
        _ => return None,
    };
    Some((change, gives))
}
