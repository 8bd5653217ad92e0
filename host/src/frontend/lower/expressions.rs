//! Values of expressions. Side effects become edges in the order of evaluation, and the returned values have none.

use super::ast_query::looks_constant;
use super::builtins::ROUNDING;
use super::implicit::known_to_gcc;
use super::places::{Located, Value};
use super::scopes::Symbol;
use super::{Fail, Lowered, Lowerer};
use lang_c::ast::{self, Expression, UnaryOperator};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::library::is_library_name;
use tandem_plugin_api::program::*;
use tandem_plugin_api::task::PLAIN_ASSERT;

impl Lowerer<'_> {
    pub fn value(&mut self, e: &Node<Expression>) -> Lowered<Value> {
        let value = self.value_of_any_depth(e)?;
        self.kept_shallow(value, e.span)
    }

    fn value_of_any_depth(&mut self, e: &Node<Expression>) -> Lowered<Value> {
        match &e.node {
            Expression::Identifier(id) => self.identifier(&id.node.name, e.span),
            Expression::Constant(c) => Ok(self.literal(&c.node, e.span)?.into()),
            Expression::StringLiteral(_) | Expression::Member(_) | Expression::CompoundLiteral(_) => {
                let place = self.place(e)?;
                Ok(self.load(place))
            }
            Expression::GenericSelection(g) => {
                let chosen = self.generic_choice(&g.node, e.span)?;
                self.value(chosen)
            }
            Expression::Call(call) => self.call(call, true),
            Expression::SizeOfTy(of) => self.size_of_type(&of.node.0),
            Expression::SizeOfVal(of) => self.size_of_value(&of.node.0),
            Expression::AlignOf(of) => {
                // lang-c has one node for both spellings.
                let in_front = |c: char| c == '(' || c.is_whitespace();
                let is_standard = self
                    .source
                    .text
                    .get(e.span.start..)
                    .is_some_and(|text| text.trim_start_matches(in_front).starts_with("_Alignof"));
                self.align_of(&of.node.0, is_standard)
            }
            Expression::OffsetOf(of) => self.offset_of(&of.node),
            Expression::UnaryOperator(u) => self.unary_operator(u),
            Expression::Cast(c) => self.cast_expression(&c.node),
            Expression::BinaryOperator(b) => self.binary_operator(e, b, true),
            Expression::Conditional(c) => self.conditional(&c.node, e.span),
            Expression::Comma(list) => self.comma(list, e.span),
            Expression::Statement(s) => self.statement_expression(s),
            Expression::VaArg(of) => Ok(self.va_arg(&of.node, e.span)?.into()),
        }
    }

    /// Evaluates for the effects alone.
    pub fn discard(&mut self, e: &Node<Expression>) -> Lowered<()> {
        match &e.node {
            Expression::Call(call) => drop(self.call(call, false)?),
            Expression::BinaryOperator(b) => drop(self.binary_operator(e, b, false)?),
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => {
                    drop(self.increment(&u.node.operand, 1, false, false)?);
                }
                UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => {
                    drop(self.increment(&u.node.operand, -1, false, false)?);
                }
                _ => drop(self.value(e)?),
            },
            Expression::Cast(c) => {
                let ty = self.unevaluated(|s| s.type_name(&c.node.type_name))?.ty;
                if ty == self.common.void {
                    return self.discard(&c.node.expression);
                }
                drop(self.value(e)?);
            }
            Expression::Comma(list) => {
                for part in list.iter() {
                    self.discard(part)?;
                }
            }
            _ => drop(self.value(e)?),
        }
        Ok(())
    }

    fn identifier(&mut self, name: &str, span: AstSpan) -> Lowered<Value> {
        match self.scopes.lookup(name) {
            Some(Symbol::Constant { value, ty }) => {
                let (value, ty) = (*value, *ty);
                Ok(self.int_constant(value, ty).into())
            }
            Some(Symbol::Function(id)) => {
                let id = *id;
                if name == PLAIN_ASSERT && !self.defined.contains(name) {
                    // A call through a pointer would be a failure whatever its argument is.
                    return self.unsupported("the address of `assert`, which has no body", span);
                }
                if known_to_gcc(name).other_by_pointer && !self.defined.contains(name) {
                    // gcc computes calls by name itself, and the library's function gives other numbers than 1.
                    return self.unsupported(format!("the address of `{name}`"), span);
                }
                if name == ROUNDING && !self.defined.contains(name) {
                    return self.unsupported(format!("the address of `{ROUNDING}`"), span);
                }
                if self.is_hidden_exit(name) {
                    return self.unsupported("the address of `exit` in a program with exit functions", span);
                }
                Ok(self.linked_address(id).into())
            }
            Some(Symbol::Variable { id, array, pointee }) => {
                let (id, array, pointee) = (*id, array.clone(), pointee.clone());
                if self.is_variable_of_library(id) {
                    return self.unsupported(format!("`{name}`, a variable of the C library"), span);
                }
                let expr = self.linked_place(id);
                Ok(self.load(Located { expr, array, pointee }))
            }
            Some(Symbol::Unsupported(why)) => self.unsupported(why.clone(), span),
            Some(Symbol::Typedef(_)) => self.invalid(format!("`{name}` is a type, not a value"), span),
            None => self.predefined_name(name, span),
        }
    }

    /// A variable that the C library defines and that its functions may change. Streams are supported.
    fn is_variable_of_library(&self, id: VarId) -> bool {
        let variable = &self.variables[id.index()];
        let name = variable.name.as_str();
        variable.function.is_none()
            && is_library_name(name)
            && !self.linkage.defines(name)
            && !matches!(name, "stdin" | "stdout" | "stderr" | "optarg" | "opterr" | "optind" | "optopt")
    }

    /// `__func__` and its GNU cousins.
    fn predefined_name(&mut self, name: &str, span: AstSpan) -> Lowered<Value> {
        let place = self.function_name(name, span)?;
        Ok(self.decay(place).into())
    }

    /// The array that one of these names stands for.
    pub fn function_name(&mut self, name: &str, span: AstSpan) -> Lowered<ExprId> {
        if !is_function_name(name) {
            return self.invalid(format!("`{name}` is not declared"), span);
        }
        let Some(function) = self.within else {
            return self.unsupported(format!("`{name}` outside of a function"), span);
        };
        let text = format!("\"{}\"", self.source_name(function));
        // One array stands for all uses of a name in a function, and no literal of the program is that array.
        let id = self.string_variable_at(usize::MAX - function.index(), &[text], span)?;
        Ok(self.variable_expr(id))
    }

    pub fn function_address(&mut self, id: FunctionId) -> ExprId {
        let ty = self.types.pointer_to(self.functions[id.index()].ty);
        self.exprs.intern(ExprKind::FunctionAddress(id), ty)
    }

    pub fn size_constant(&mut self, size: u64) -> ExprId {
        let ty = self.common.size;
        self.int_constant(size.into(), ty)
    }

    /// `__alignof__` outside structs: 8-byte scalars of i386 report 8.
    pub fn natural_alignment(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            Type::Int(_) | Type::Float(FloatKind::Double) => self.types.size_of(ty).unwrap_or(1),
            Type::Array { element, .. } | Type::IncompleteArray { element } => self.natural_alignment(*element),
            _ => match self.complex_element(ty) {
                Some(element) => self.natural_alignment(element),
                None => self.types.align_of(ty),
            },
        }
    }

    fn size_of_type(&mut self, name: &Node<ast::TypeName>) -> Lowered<Value> {
        // Only a type of variable length is evaluated.
        let declared = self.unevaluated(|s| s.type_name(name))?;
        if declared.array.is_none() {
            return self.size_of(declared.ty, name.span);
        }
        let declared = self.type_name(name)?;
        match declared.array {
            Some(dims) => Ok(self.dims_size(declared.ty, &dims).into()),
            None => self.size_of(declared.ty, name.span),
        }
    }

    fn size_of_value(&mut self, e: &Node<Expression>) -> Lowered<Value> {
        if matches!(e.node, Expression::Comma(_)) {
            self.check_bit_field_operand(e)?;
        }
        if self.is_place(e) {
            // An operand of variable length is evaluated.
            let is_variable = self.unevaluated(|s| s.place(e))?.array.is_some();
            let located = if is_variable { Some(self.place(e)?) } else { None };
            if let Some(located) = located
                && let Some(dims) = located.array
            {
                let pointer = self.exprs.ty(located.expr);
                let element = self.types.pointee(pointer).unwrap_or(self.common.char);
                return Ok(self.dims_size(element, &dims).into());
            }
        }
        let ty = self.unevaluated(|s| s.operand_type(e))?;
        self.size_of(ty, e.span)
    }

    fn size_of(&mut self, ty: TypeId, span: AstSpan) -> Lowered<Value> {
        match self.types.size_of(ty) {
            Some(size) => Ok(self.size_constant(size).into()),
            None => self.invalid("sizeof of an incomplete type", span),
        }
    }

    /// The type of an operand that is not evaluated: arrays and functions keep theirs.
    pub fn operand_type(&mut self, e: &Node<Expression>) -> Lowered<TypeId> {
        if let Expression::Identifier(id) = &e.node
            && let Some(Symbol::Function(function)) = self.scopes.lookup(&id.node.name)
        {
            return Ok(self.functions[function.index()].ty);
        }
        let expr = if self.is_place(e) { self.place(e)?.expr } else { self.value(e)?.expr };
        Ok(self.exprs.ty(expr))
    }

    fn offset_of(&mut self, of: &ast::OffsetOfExpression) -> Lowered<Value> {
        let declared = self.type_name(&of.type_name)?;
        if declared.array.is_some() {
            return self.offset_in_variable_struct(&declared, of, of.type_name.span);
        }
        let pointer = self.types.pointer_to(declared.ty);
        let null = self.int_constant(0, pointer);
        let object = self.deref(null);
        let designator = &of.designator.node;
        let mut place = self.offset_member(object, &designator.base)?;
        for member in &designator.members {
            place = match &member.node {
                ast::OffsetMember::Member(name) => self.offset_member(place, name)?,
                ast::OffsetMember::IndirectMember(name) => {
                    let pointer = self.decay(place);
                    let place = self.deref(pointer);
                    self.offset_member(place, name)?
                }
                ast::OffsetMember::Index(index) => {
                    let index = self.value(index)?.expr;
                    self.index(place, index)
                }
            };
        }
        let address = self.address_of(place);
        let size = self.common.size;
        Ok(self.cast(address, size).into())
    }

    fn offset_member(&mut self, base: ExprId, name: &Node<ast::Identifier>) -> Lowered<ExprId> {
        match self.named_member(base, &name.node.name) {
            Some((place, _)) => Ok(place),
            None => self.invalid(format!("no member `{}`", name.node.name), name.span),
        }
    }

    fn cast_expression(&mut self, c: &ast::CastExpression) -> Lowered<Value> {
        let declared = self.type_name(&c.type_name)?;
        if declared.ty == self.common.void {
            self.discard(&c.expression)?;
            let int = self.common.int;
            let nothing = self.int_constant(0, int);
            return Ok(self.void_value(nothing).into());
        }
        let value = self.value(&c.expression)?.expr;
        if self.types.is_aggregate(declared.ty) {
            return self.cast_to_aggregate(value, declared.ty, c.expression.span);
        }
        // A bit-field that is cast to its declared type loses its width: it promotes by that type.
        let expr = match self.bit_field(value) {
            Some(_) if self.exprs.ty(value) == declared.ty => self.exprs.intern(ExprKind::Cast(value), declared.ty),
            _ => self.convert(value, declared.ty, c.expression.span)?,
        };
        Ok(Value { expr, pointee: declared.pointee })
    }

    /// GNU C casts to a union wrap a value; a cast to the same struct does nothing.
    fn cast_to_aggregate(&mut self, value: ExprId, ty: TypeId, span: AstSpan) -> Lowered<Value> {
        let from = self.exprs.ty(value);
        if from == ty {
            return Ok(value.into());
        }
        if let Some(converted) = self.convert_parts(value, ty, span)? {
            return Ok(converted.into());
        }
        match self.wrap_in_union(value, ty, span)? {
            Some(wrapped) => Ok(wrapped.into()),
            None => self.unsupported("cast to this struct or union type", span),
        }
    }

    /// A union of type `ty` holding `value` in the first member of its type.
    pub fn wrap_in_union(&mut self, value: ExprId, ty: TypeId, span: AstSpan) -> Lowered<Option<ExprId>> {
        let Type::Composite(id) = *self.types.get(ty) else { return Ok(None) };
        let from = self.exprs.ty(value);
        let composite = self.types.composite(id);
        let exact = composite.fields.iter().position(|f| f.ty == from);
        let pointer = || composite.fields.iter().position(|f| self.types.is_pointer(f.ty));
        let at = match exact {
            Some(at) => Some(at),
            None if self.types.is_pointer(from) || self.exprs.as_int(value) == Some(0) => pointer(),
            None => None,
        };
        let Some(at) = at.filter(|_| composite.is_union) else { return Ok(None) };
        let temporary = self.temporary(ty, span)?;
        let place = self.variable_expr(temporary);
        let member = self.field(place, id, at);
        let member_type = self.exprs.ty(member);
        let value = self.cast(value, member_type);
        self.assign(member, value, span)?;
        Ok(Some(place))
    }

    /// A stand-in for the value of a void expression, which is never used.
    pub fn void_value(&mut self, like: ExprId) -> ExprId {
        let void = self.common.void;
        self.exprs.intern(ExprKind::Cast(like), void)
    }

    fn comma(&mut self, list: &[Node<Expression>], span: AstSpan) -> Lowered<Value> {
        let Some((last, before)) = list.split_last() else { return self.invalid("an empty expression", span) };
        for part in before {
            self.discard(part)?;
        }
        self.value(last)
    }

    /// `({ …; e; })`
    fn statement_expression(&mut self, s: &Node<ast::Statement>) -> Lowered<Value> {
        let int = self.common.int;
        let nothing = self.int_constant(0, int);
        let ast::Statement::Compound(items) = &s.node else {
            self.statement(s)?;
            return Ok(self.void_value(nothing).into());
        };
        let arrays = self.draft(s.span)?.arrays.len();
        self.scopes.enter();
        let outcome = self.statement_expression_items(items);
        self.scopes.leave();
        let outcome = outcome?;
        self.end_arrays(arrays, s.span)?;
        match outcome {
            Some(value) => Ok(value),
            None => Ok(self.void_value(nothing).into()),
        }
    }

    fn statement_expression_items(&mut self, items: &[Node<ast::BlockItem>]) -> Lowered<Option<Value>> {
        let Some((last, before)) = items.split_last() else { return Ok(None) };
        if before.last().is_some_and(super::nested::begins_definition) {
            self.block_items(items)?;
            return Ok(None);
        }
        self.block_items(before)?;
        if let ast::BlockItem::Statement(statement) = &last.node {
            // A label may stand before the last expression.
            let mut statement = statement;
            while let ast::Statement::Labeled(labeled) = &statement.node {
                self.label(&labeled.node.label)?;
                statement = &labeled.node.statement;
            }
            if let ast::Statement::Expression(Some(e)) = &statement.node {
                let mut value = self.value(e)?;
                // The block's own variables must not change under the value any more; a copy is cheap.
                if self.reads_anything(value.expr) && self.exprs.ty(value.expr) != self.common.void {
                    value.expr = self.save(value.expr, e.span)?;
                }
                return Ok(Some(value));
            }
            self.statement(statement)?;
            return Ok(None);
        }
        self.block_item(last)?;
        Ok(None)
    }

    fn reads_anything(&self, expr: ExprId) -> bool {
        let mut reads = false;
        self.exprs.walk(expr, &mut |id| {
            reads |= matches!(self.exprs.kind(id), ExprKind::Var(_) | ExprKind::Deref(_));
        });
        reads
    }

    /// The value of an integer constant expression, or `None` where it is not one.
    pub fn constant_value(&mut self, e: &Node<Expression>) -> Lowered<Option<i128>> {
        if looks_constant(e, &self.scopes) { self.fold(e) } else { Ok(None) }
    }

    /// Evaluates an expression in a place where nothing can be executed. A variable may stand in an arm that is not
    /// chosen.
    fn fold(&mut self, e: &Node<Expression>) -> Lowered<Option<i128>> {
        let saved = self.current.take();
        let outcome = self.value(e);
        self.current = saved;
        match outcome {
            Ok(value) => Ok(self.exprs.as_int(value.expr)),
            Err(Fail::Unsupported { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Whether it is a constant number.
    pub fn is_constant(&mut self, e: &Node<Expression>) -> Lowered<bool> {
        if !looks_constant(e, &self.scopes) {
            return Ok(false);
        }
        let saved = self.current.take();
        let outcome = self.value(e);
        self.current = saved;
        match outcome {
            Ok(value) => Ok(self.as_constant(value.expr).is_some()),
            Err(Fail::Unsupported { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    pub fn constant_integer(&mut self, e: &Node<Expression>) -> Lowered<i128> {
        match self.fold(e)? {
            Some(value) => Ok(value),
            None => self.invalid("expected an integer constant", e.span),
        }
    }
}

/// `__func__` and its GNU cousins are arrays that each function has.
pub(super) fn is_function_name(name: &str) -> bool {
    matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
}
