//! Calls: of functions by name, through pointers, of input functions, and of functions that are control flow.

use super::ast_query::{is_string, may_write};
use super::draft::{DraftOp, Target};
use super::implicit::known_to_gcc;
use super::places::Value;
use super::scopes::Symbol;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::library::Folding;
use tandem_plugin_api::program::*;
use tandem_plugin_api::task::PLAIN_ASSERT;

impl Lowerer<'_> {
    pub fn call(&mut self, call: &Node<ast::CallExpression>, used: bool) -> Lowered<Value> {
        let callee = &call.node.callee;
        if let Expression::Identifier(id) = &callee.node {
            let name = id.node.name.as_str();
            let shadowed = match self.scopes.lookup(name) {
                Some(Symbol::Variable { .. }) => true,
                Some(Symbol::Function(id)) => self.is_nested(*id),
                _ => false,
            };
            if !shadowed
                && !self.defined.contains(name)
                && let Some(value) = self.special_call(name, call)?
            {
                return Ok(value);
            }
            if !shadowed && self.is_expanded(name) {
                return self.builtin(name, call);
            }
            if self.broken_promises.contains(name) {
                let what =
                    format!("call of `{name}`, which promises to have no effects (`const`, `pure`), and may have some");
                return self.unsupported(what, call.span);
            }
            if !shadowed && self.may_be_computed_by_gcc(name, &call.node)? {
                let what = format!("call of `{name}`, which the program defines, and which gcc may compute itself");
                return self.unsupported(what, call.span);
            }
            if self.scopes.lookup(name).is_none() {
                self.declare_implicitly(name, callee.span);
            }
            if !shadowed && name == PLAIN_ASSERT && !self.defined.contains(name) {
                return self.plain_assert(call, used);
            }
        }
        let target = match &callee.node {
            // Only its address is out of reach.
            Expression::Identifier(id) if self.has_hidden_address(&id.node.name) => {
                match self.scopes.lookup(&id.node.name) {
                    Some(&Symbol::Function(function)) => self.linked_address(function),
                    _ => self.value(callee)?.expr,
                }
            }
            _ => self.value(callee)?.expr,
        };
        let Some(signature) = self.types.pointee(self.exprs.ty(target)) else {
            return self.invalid("the called expression is not a function", callee.span);
        };
        let Type::Function { result, parameters, variadic, prototyped } = self.types.get(signature).clone() else {
            return self.invalid("the called expression is not a function", callee.span);
        };
        let arity = parameters.len();
        let given = call.node.arguments.len();
        if prototyped && (given < arity || (given > arity && !variadic)) {
            return self.invalid(format!("a call with {given} arguments of a function that takes {arity}"), call.span);
        }
        let callee = match self.exprs.kind(target) {
            ExprKind::FunctionAddress(id) => Callee::Function(id),
            _ => {
                let writes = call.node.arguments.iter().any(may_write);
                let pointer =
                    if writes && self.reads_shared_memory(target) { self.save(target, call.span)? } else { target };
                Callee::Pointer(pointer)
            }
        };
        let shared = self.shares_literals;
        self.shares_literals |= matches!(callee, Callee::Function(id) if self.noreturn.contains(&id));
        let arguments = self.arguments(&call.node.arguments, &parameters);
        self.shares_literals = shared;
        let arguments = arguments?;
        self.check_parts_passed(callee, result, &arguments, call.span)?;
        self.pass_variadic(callee, signature, &arguments, call.span)?;
        self.emit_call(callee, arguments, result, used, call.span)
    }

    /// Whether a function may be called by its name alone.
    fn has_hidden_address(&self, name: &str) -> bool {
        self.is_hidden_exit(name) || known_to_gcc(name).other_by_pointer && !self.defined.contains(name)
    }

    /// A function without a body gets vectors and complex numbers in other registers than structs.
    fn check_parts_passed(&self, callee: Callee, result: TypeId, arguments: &[ExprId], span: AstSpan) -> Lowered<()> {
        let Callee::Function(id) = callee else { return Ok(()) };
        let name = self.functions[id.index()].name.as_str();
        let has_body = self.defined.contains(name) || self.is_nested(id);
        let mut types = arguments.iter().map(|&argument| self.exprs.ty(argument)).chain([result]);
        if has_body || !types.any(|ty| self.numeric(ty).is_some()) {
            return Ok(());
        }
        self.unsupported(format!("call of `{name}`, which has no body, with complex numbers or vectors"), span)
    }

    /// Whether gcc computes calls itself though the program defines the function: the name is reserved for the library's, and
    /// the declaration fits that.
    fn is_expanded(&mut self, name: &str) -> bool {
        let Some(Symbol::Function(id)) = self.scopes.lookup_file(name) else { return false };
        let declared = self.functions[id.index()].ty;
        known_to_gcc(name).folding == Folding::Every
            && self.defined.contains(name)
            && !self.internal.contains(name)
            && self.known_signature(name) == Some(declared)
    }

    /// Whether the program defines a function of the C library of which gcc knows the result of this call, at least where an
    /// argument is a constant. The names are reserved, so that both may be right (C11 7.1.3).
    fn may_be_computed_by_gcc(&mut self, name: &str, call: &ast::CallExpression) -> Lowered<bool> {
        let Some(Symbol::Function(id)) = self.scopes.lookup_file(name) else { return Ok(false) };
        let declared = self.functions[id.index()].ty;
        if !self.defined.contains(name) || self.internal.contains(name) {
            return Ok(false);
        }
        let fits = self.known_signature(name).is_some_and(|known| self.is_alike(known, declared));
        Ok(match known_to_gcc(name).folding {
            _ if !fits => false,
            Folding::Any | Folding::Every => true,
            Folding::Constants => {
                let mut constant = false;
                for argument in &call.arguments {
                    constant |= is_string(argument) || self.is_constant(argument)?;
                }
                constant
            }
            Folding::Never => false,
        })
    }

    /// Whether both function types have the same shape for gcc, which takes any pointer for another there.
    fn is_alike(&self, a: TypeId, b: TypeId) -> bool {
        let is_alike = |(a, b): (&TypeId, &TypeId)| a == b || self.types.is_pointer(*a) && self.types.is_pointer(*b);
        match (self.types.get(a), self.types.get(b)) {
            (
                Type::Function { result: ra, parameters: pa, .. },
                Type::Function { result: rb, parameters: pb, prototyped, .. },
            ) => is_alike((ra, rb)) && (!prototyped || pa.len() == pb.len() && pa.iter().zip(pb).all(is_alike)),
            _ => false,
        }
    }

    /// `assert(c)` where no header made a macro of it: called only if `c` is false, so that each call is a failure.
    fn plain_assert(&mut self, call: &Node<ast::CallExpression>, used: bool) -> Lowered<Value> {
        let Some(Symbol::Function(function)) = self.scopes.lookup(PLAIN_ASSERT) else {
            return self.invalid("the called expression is not a function", call.span);
        };
        let function = *function;
        let Type::Function { result, parameters, .. } = self.types.get(self.functions[function.index()].ty).clone()
        else {
            return self.invalid("the called expression is not a function", call.span);
        };
        if call.node.arguments.len() != 1 || parameters.len() > 1 || used && result != self.common.void {
            return self.unsupported("`assert` as an ordinary function without a body", call.span);
        }
        let arguments = self.arguments(&call.node.arguments, &parameters)?;
        if !self.types.is_scalar(self.exprs.ty(arguments[0])) {
            return self.invalid("expected a number or a pointer", call.span);
        }
        let draft = self.draft(call.span)?;
        let (passes, fails) = (draft.place(), draft.place());
        let target = |place| Target { place, settles: None };
        self.branch_on(arguments[0], target(passes), target(fails), call.span)?;
        self.draft(call.span)?.at = fails;
        self.emit_call(Callee::Function(function), arguments, result, false, call.span)?;
        self.join(passes, call.span)?;
        self.draft(call.span)?.at = passes;
        self.no_value()
    }

    /// C before 1999: a function that is called without a declaration returns `int`, unless gcc knows it.
    fn declare_implicitly(&mut self, name: &str, span: AstSpan) {
        let known = if self.defined.contains(name) { None } else { self.known_signature(name) };
        let ty = known.unwrap_or_else(|| {
            let result = self.common.int;
            let ty = Type::Function { result, parameters: Vec::new(), variadic: false, prototyped: false };
            self.types.intern(ty)
        });
        self.declare_function(name, ty, span);
    }

    /// Arguments from right to left, as gcc evaluates them on x86.
    pub fn arguments(&mut self, given: &[Node<Expression>], parameters: &[TypeId]) -> Lowered<Vec<ExprId>> {
        let mut values = Vec::with_capacity(given.len());
        for (i, argument) in given.iter().enumerate().rev() {
            let value = self.value(argument)?;
            if self.is_variable_struct(&value) {
                return self.unsupported("argument that is a struct of variable length", argument.span);
            }
            let value = value.expr;
            let mut value = match parameters.get(i) {
                Some(&ty) => self.convert(value, ty, argument.span)?,
                None => self.promote_argument(value),
            };
            if self.exprs.ty(value) == self.common.void {
                return self.invalid("an argument without a value", argument.span);
            }
            if given[..i].iter().any(may_write) && self.reads_shared_memory(value) {
                value = self.save(value, argument.span)?;
            }
            values.push(value);
        }
        values.reverse();
        Ok(values)
    }

    pub fn emit_call(
        &mut self,
        callee: Callee,
        mut arguments: Vec<ExprId>,
        result_type: TypeId,
        used: bool,
        span: AstSpan,
    ) -> Lowered<Value> {
        self.before_call(callee, &mut arguments, span)?;
        if used && let Some(value) = self.large_allocation(callee, &arguments, result_type, span)? {
            return Ok(value);
        }
        let result = match used && result_type != self.common.void {
            true => {
                let temporary = self.temporary(result_type, span)?;
                Some(self.variable_expr(temporary))
            }
            false => None,
        };
        self.emit_draft(DraftOp::Call { callee, arguments, result }, span)?;
        if matches!(callee, Callee::Function(id) if self.noreturn.contains(&id)) {
            // The rest of the block can be reached by labels only.
            let draft = self.draft(span)?;
            draft.at = draft.place();
        }
        match result {
            Some(place) => Ok(place.into()),
            None => self.no_value(),
        }
    }

    pub fn no_value(&mut self) -> Lowered<Value> {
        let int = self.common.int;
        let nothing = self.int_constant(0, int);
        Ok(self.void_value(nothing).into())
    }

    /// `__VERIFIER_nondet_*`: the next test input.
    pub fn input(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        if self.scopes.lookup(name).is_none() {
            self.declare_implicitly(name, call.span);
        }
        let Some(Symbol::Function(function)) = self.scopes.lookup(name) else { return Ok(None) };
        let function = *function;
        let Type::Function { result, .. } = *self.types.get(self.functions[function.index()].ty) else {
            return Ok(None);
        };
        if !self.types.is_scalar(result) {
            return Ok(None);
        }
        for argument in &call.node.arguments {
            self.discard(argument)?;
        }
        let temporary = self.temporary(result, call.span)?;
        let target = self.variable_expr(temporary);
        self.emit(Op::Input { function, target: Some(target) }, call.span)?;
        Ok(Some(target.into()))
    }

    /// `__VERIFIER_assume(c)`: paths where `c` is false end.
    pub fn assume(&mut self, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let [condition] = call.node.arguments.as_slice() else { return Ok(None) };
        let draft = self.draft(call.span)?;
        let go_on = Target { place: draft.place(), settles: None };
        let stop = Target { place: draft.place(), settles: None };
        self.branch(condition, go_on, stop)?;
        self.draft(call.span)?.at = go_on.place;
        self.no_value().map(Some)
    }
}
