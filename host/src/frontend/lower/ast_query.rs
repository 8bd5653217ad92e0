//! Questions about the syntax tree that lowering asks before it lowers: which names are defined, which expressions may
//! write or are constant.

use super::scopes::{Scopes, Symbol};
use lang_c::ast::{self, Expression, UnaryOperator};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names of the functions that have a body.
pub(super) fn defined_functions(unit: &ast::TranslationUnit) -> FxHashSet<&str> {
    unit.0
        .iter()
        .filter_map(|declaration| match &declaration.node {
            ast::ExternalDeclaration::FunctionDefinition(f) => super::declarators::declared_name(&f.node.declarator),
            _ => None,
        })
        .collect()
}

/// Names of the functions that are defined `static`.
pub(super) fn internal_functions(unit: &ast::TranslationUnit) -> FxHashSet<&str> {
    let is_static = |specifier: &Node<ast::DeclarationSpecifier>| {
        matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(class)
            if class.node == ast::StorageClassSpecifier::Static)
    };
    unit.0
        .iter()
        .filter_map(|declaration| match &declaration.node {
            ast::ExternalDeclaration::FunctionDefinition(f) if f.node.specifiers.iter().any(is_static) => {
                super::declarators::declared_name(&f.node.declarator)
            }
            _ => None,
        })
        .collect()
}

/// The functions that use their variadic arguments, with the number of their named parameters.
pub(super) type VariadicDefinitions = FxHashMap<String, usize>;

pub(super) fn variadic_definitions(unit: &ast::TranslationUnit, text: &str) -> VariadicDefinitions {
    let definitions = unit.0.iter().filter_map(|declaration| match &declaration.node {
        ast::ExternalDeclaration::FunctionDefinition(f) => Some(f),
        _ => None,
    });
    let variadic = definitions.filter_map(|f| {
        let declarator = super::declarators::function_declarator(&f.node.declarator)?;
        let ast::DerivedDeclarator::Function(function) = &declarator.node else { return None };
        let looks = || text.get(f.span.start..f.span.end).is_none_or(|body| body.contains("va_start"));
        let is_variadic = function.node.ellipsis == ast::Ellipsis::Some && looks();
        let name = super::declarators::declared_name(&f.node.declarator)?;
        is_variadic.then_some((name.to_owned(), function.node.parameters.len()))
    });
    variadic.collect()
}

/// Names whose address some `&` takes inside a function body, and names that functions inside of it use.
pub(super) fn addressed_names(body: &Node<ast::Statement>) -> FxHashSet<String> {
    struct Addressed(FxHashSet<String>);
    impl<'ast> Visit<'ast> for Addressed {
        fn visit_unary_operator_expression(&mut self, e: &'ast ast::UnaryOperatorExpression, span: &'ast Span) {
            if e.operator.node == UnaryOperator::Address
                && let Some(name) = root_name(&e.operand)
            {
                self.0.insert(name.to_owned());
            }
            visit::visit_unary_operator_expression(self, e, span);
        }
        fn visit_statement(&mut self, statement: &'ast ast::Statement, span: &'ast Span) {
            if let ast::Statement::Compound(items) = statement {
                for (item, next) in items.iter().zip(items.iter().skip(1)) {
                    if super::nested::begins_definition(item) {
                        Mentioned(&mut self.0).visit_block_item(&next.node, &next.span);
                        Mentioned(&mut self.0).visit_block_item(&item.node, &item.span);
                    }
                }
            }
            visit::visit_statement(self, statement, span);
        }
    }
    struct Mentioned<'n>(&'n mut FxHashSet<String>);
    impl<'ast> Visit<'ast> for Mentioned<'_> {
        fn visit_identifier(&mut self, identifier: &'ast ast::Identifier, _: &'ast Span) {
            self.0.insert(identifier.name.clone());
        }
    }
    let mut addressed = Addressed(FxHashSet::default());
    addressed.visit_statement(&body.node, &body.span);
    addressed.0
}

/// Names of the labels in a function body.
pub(super) fn label_names(body: &Node<ast::Statement>) -> FxHashSet<String> {
    struct Labels(FxHashSet<String>);
    impl<'ast> Visit<'ast> for Labels {
        fn visit_label(&mut self, label: &'ast ast::Label, _: &'ast Span) {
            if let ast::Label::Identifier(name) = label {
                self.0.insert(name.node.name.clone());
            }
        }
    }
    let mut labels = Labels(FxHashSet::default());
    labels.visit_statement(&body.node, &body.span);
    labels.0
}

/// The variable that a place is part of.
fn root_name(place: &Node<Expression>) -> Option<&str> {
    match &place.node {
        Expression::Identifier(id) => Some(&id.node.name),
        Expression::Member(m) if m.node.operator.node == ast::MemberOperator::Direct => root_name(&m.node.expression),
        Expression::BinaryOperator(b) if b.node.operator.node == ast::BinaryOperator::Index => root_name(&b.node.lhs),
        _ => None,
    }
}

/// Whether evaluating the expression may change memory that other operands read: it contains a call, an assignment, an
/// increment or a statement expression.
pub(super) fn may_write(expression: &Node<Expression>) -> bool {
    let mut found = false;
    any(expression, &mut |e| {
        found |= match &e.node {
            Expression::Call(_) | Expression::Statement(_) | Expression::VaArg(_) => true,
            Expression::UnaryOperator(u) => matches!(
                u.node.operator.node,
                UnaryOperator::PostIncrement
                    | UnaryOperator::PostDecrement
                    | UnaryOperator::PreIncrement
                    | UnaryOperator::PreDecrement
            ),
            Expression::BinaryOperator(b) => is_assignment(&b.node.operator.node),
            _ => false,
        };
        !found
    });
    found
}

/// Whether an array of the declarator has a length whose evaluation may write.
pub(super) fn length_may_write(declarator: &Node<ast::Declarator>) -> bool {
    let derived_writes = declarator.node.derived.iter().any(|derived| match &derived.node {
        ast::DerivedDeclarator::Array(array) => match &array.node.size {
            ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => may_write(size),
            ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => false,
        },
        _ => false,
    });
    derived_writes
        || matches!(&declarator.node.kind.node, ast::DeclaratorKind::Declarator(inner) if length_may_write(inner))
}

pub(super) fn is_assignment(operator: &ast::BinaryOperator) -> bool {
    use ast::BinaryOperator::*;
    matches!(
        operator,
        Assign
            | AssignMultiply
            | AssignDivide
            | AssignModulo
            | AssignPlus
            | AssignMinus
            | AssignShiftLeft
            | AssignShiftRight
            | AssignBitwiseAnd
            | AssignBitwiseXor
            | AssignBitwiseOr
    )
}

/// Whether the expression reads no variable and calls nothing, so that it may be constant.
pub(super) fn looks_constant(expression: &Node<Expression>, scopes: &Scopes) -> bool {
    let mut constant = true;
    any(expression, &mut |e| {
        match &e.node {
            Expression::Identifier(id) => {
                constant &= matches!(scopes.lookup(&id.node.name), Some(Symbol::Constant { .. }));
            }
            Expression::Call(call) => {
                constant &= matches!(&call.node.callee.node, Expression::Identifier(id)
                    if id.node.name.starts_with("__builtin_"));
                // The callee is not a variable; its arguments are checked on their own.
                constant &= call.node.arguments.iter().all(|argument| looks_constant(argument, scopes));
                return false;
            }
            Expression::Statement(_) | Expression::CompoundLiteral(_) | Expression::VaArg(_) => constant = false,
            // The operand of sizeof is not evaluated.
            Expression::SizeOfVal(_) | Expression::SizeOfTy(_) | Expression::AlignOf(_) => return false,
            Expression::StringLiteral(_) => constant = false,
            _ => {}
        }
        constant
    });
    constant
}

/// Visits an expression and its sub-expressions, parents first, for as long as `visit` says so.
pub(super) fn any(expression: &Node<Expression>, visit: &mut dyn FnMut(&Node<Expression>) -> bool) {
    let mut stack = vec![expression];
    while let Some(e) = stack.pop() {
        if visit(e) {
            push_operands(e, &mut stack);
        }
    }
}

fn push_operands<'b>(e: &'b Node<Expression>, stack: &mut Vec<&'b Node<Expression>>) {
    match &e.node {
        Expression::Member(m) => stack.push(&m.node.expression),
        Expression::Call(c) => {
            stack.push(&c.node.callee);
            stack.extend(c.node.arguments.iter());
        }
        Expression::UnaryOperator(u) => stack.push(&u.node.operand),
        Expression::Cast(c) => stack.push(&c.node.expression),
        Expression::BinaryOperator(b) => stack.extend([&*b.node.lhs, &*b.node.rhs]),
        Expression::Conditional(c) => {
            stack.extend([&*c.node.condition, &*c.node.then_expression, &*c.node.else_expression]);
        }
        Expression::Comma(list) => stack.extend(list.iter()),
        Expression::CompoundLiteral(c) => {
            for item in &c.node.initializer_list {
                push_initializer(&item.node.initializer.node, stack);
            }
        }
        _ => {}
    }
}

fn push_initializer<'b>(initializer: &'b ast::Initializer, stack: &mut Vec<&'b Node<Expression>>) {
    match initializer {
        ast::Initializer::Expression(e) => stack.push(e),
        ast::Initializer::List(list) => {
            for item in list {
                push_initializer(&item.node.initializer.node, stack);
            }
        }
    }
}

/// Whether evaluating an initialiser may change anything.
pub(super) fn initializer_may_write(initializer: &ast::Initializer) -> bool {
    let mut expressions = Vec::new();
    push_initializer(initializer, &mut expressions);
    expressions.into_iter().any(may_write)
}

pub(super) fn is_string(e: &Node<Expression>) -> bool {
    matches!(e.node, Expression::StringLiteral(_))
}

/// Whether an expression defines a structure, a union or an enumeration.
pub(super) fn declares_type(e: &Node<Expression>) -> bool {
    struct Definitions(bool);
    impl<'ast> Visit<'ast> for Definitions {
        fn visit_struct_type(&mut self, of: &'ast ast::StructType, _: &'ast Span) {
            self.0 |= of.declarations.is_some();
        }

        fn visit_enum_type(&mut self, of: &'ast ast::EnumType, _: &'ast Span) {
            self.0 |= !of.enumerators.is_empty();
        }
    }
    let mut definitions = Definitions(false);
    definitions.visit_expression(&e.node, &e.span);
    definitions.0
}
