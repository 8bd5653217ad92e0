//! Declarators: pointers, arrays (variable-length ones too) and functions around a base type.

use super::attributes::{attribute_name, attributes};
use super::scopes::{DeclaredType, Symbol};
use super::type_specifiers::Specifiers;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, DerivedDeclarator as Derived};
use lang_c::span::Node;
use std::rc::Rc;
use tandem_plugin_api::program::*;

/// The name that a declarator declares.
pub(super) fn declared_name(declarator: &Node<ast::Declarator>) -> Option<&str> {
    match &declarator.node.kind.node {
        ast::DeclaratorKind::Abstract => None,
        ast::DeclaratorKind::Identifier(id) => Some(&id.node.name),
        ast::DeclaratorKind::Declarator(inner) => declared_name(inner),
    }
}

/// The innermost derivation if it is a function: then the declarator declares a function.
pub(super) fn function_declarator(declarator: &Node<ast::Declarator>) -> Option<&Node<Derived>> {
    match &declarator.node.kind.node {
        ast::DeclaratorKind::Declarator(inner) if !inner.node.derived.is_empty() => function_declarator(inner),
        ast::DeclaratorKind::Declarator(inner) => {
            function_declarator(inner).or_else(|| first_suffix(&declarator.node.derived))
        }
        _ => first_suffix(&declarator.node.derived),
    }
}

fn first_suffix(derived: &[Node<Derived>]) -> Option<&Node<Derived>> {
    derived
        .iter()
        .find(|d| !matches!(d.node, Derived::Pointer(_)))
        .filter(|d| matches!(d.node, Derived::Function(_) | Derived::KRFunction(_)))
}

impl Lowerer<'_> {
    /// The type a declarator gives its name, starting from the base type.
    pub fn declared_type(&mut self, base: DeclaredType, declarator: &Node<ast::Declarator>) -> Lowered<DeclaredType> {
        self.check_attributes(attributes(&declarator.node.extensions), declarator.span)?;
        let own: Vec<_> = attributes(&declarator.node.extensions).collect();
        let mut declared = self.apply_vector_size(base, &own, declarator.span)?;
        let (pointers, suffixes): (Vec<_>, Vec<_>) =
            declarator.node.derived.iter().partition(|d| matches!(d.node, Derived::Pointer(_) | Derived::Block(_)));
        for pointer in pointers {
            if matches!(pointer.node, Derived::Block(_)) {
                return self.unsupported("block pointers", pointer.span);
            }
            if let Derived::Pointer(qualifiers) = &pointer.node {
                for qualifier in qualifiers {
                    if let ast::PointerQualifier::Extension(list) = &qualifier.node {
                        self.check_no_alignment(attributes(list), pointer.span)?;
                    }
                }
            }
            declared = self.pointer_type(declared, pointer)?;
        }
        // `a[2][3]` is an array of 2 arrays of 3: the last suffix is applied first.
        for suffix in suffixes.into_iter().rev() {
            declared = match &suffix.node {
                Derived::Array(array) => self.array_type(declared, array)?,
                Derived::Function(function) => self.function_type(declared, function)?,
                Derived::KRFunction(_) => {
                    let result = self.plain_type(declared, suffix)?;
                    DeclaredType::plain(self.types.intern(Type::Function {
                        result,
                        parameters: Vec::new(),
                        variadic: false,
                        prototyped: false,
                    }))
                }
                Derived::Pointer(_) | Derived::Block(_) => declared,
            };
        }
        declared = self.apply_mode(declared, &own, declarator.span)?;
        match &declarator.node.kind.node {
            ast::DeclaratorKind::Declarator(inner) => {
                self.check_no_alignment(attributes(&inner.node.extensions), inner.span)?;
                self.declared_type(declared, inner)
            }
            _ => Ok(declared),
        }
    }

    /// Alignments are supported where they belong to the whole declarator, and not to a part of it.
    fn check_no_alignment<'b>(
        &mut self,
        mut attributes: impl Iterator<Item = &'b ast::Attribute>,
        span: lang_c::span::Span,
    ) -> Lowered<()> {
        if attributes.any(|attribute| attribute_name(attribute) == "aligned") {
            return self.unsupported("attribute `aligned` inside of a declarator", span);
        }
        Ok(())
    }

    /// A type without variable-length parts.
    fn plain_type(&mut self, declared: DeclaredType, at: &Node<Derived>) -> Lowered<TypeId> {
        if declared.array.is_some() || declared.pointee.is_some() {
            return self.unsupported("variable-length array type at this place", at.span);
        }
        Ok(declared.ty)
    }

    fn pointer_type(&mut self, to: DeclaredType, at: &Node<Derived>) -> Lowered<DeclaredType> {
        if to.pointee.is_some() {
            return self.unsupported("pointer to a pointer to variable-length arrays", at.span);
        }
        let ty = self.types.pointer_to(to.ty);
        Ok(DeclaredType { ty, array: None, pointee: to.array, align: None })
    }

    fn array_type(&mut self, of: DeclaredType, array: &Node<ast::ArrayDeclarator>) -> Lowered<DeclaredType> {
        if of.pointee.is_some() {
            return self.unsupported("array of pointers to variable-length arrays", array.span);
        }
        let size = match &array.node.size {
            ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => None,
            ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => Some(size),
        };
        let Some(size) = size else {
            return Ok(match of.array {
                // Only as a parameter: the outermost length does not matter.
                Some(inner) => {
                    let size = self.common.size;
                    let zero = self.int_constant(0, size);
                    let dims = std::iter::once(zero).chain(inner.iter().copied()).collect();
                    DeclaredType { ty: of.ty, array: Some(dims), pointee: None, align: of.align }
                }
                None => DeclaredType {
                    align: of.align,
                    ..DeclaredType::plain(self.types.intern(Type::IncompleteArray { element: of.ty }))
                },
            });
        };
        let length = match self.in_prototype {
            true => self.constant_value(size).ok().flatten().or(Some(1)),
            false => self.constant_value(size)?,
        };
        match (length, of.array) {
            (Some(length), None) => {
                let length = self.array_length(length, size)?;
                let ty = self.types.intern(Type::Array { element: of.ty, length });
                Ok(DeclaredType { align: of.align, ..DeclaredType::plain(ty) })
            }
            (length, inner) => {
                let count_type = self.common.size;
                let count = match length {
                    Some(length) => self.int_constant(length, count_type),
                    None => {
                        let value = self.value(size)?.expr;
                        let value = self.cast(value, count_type);
                        self.save(value, size.span)?
                    }
                };
                let inner = inner.iter().flat_map(|dims| dims.iter().copied());
                let dims: Rc<[ExprId]> = std::iter::once(count).chain(inner).collect();
                Ok(DeclaredType { ty: of.ty, array: Some(dims), pointee: None, align: of.align })
            }
        }
    }

    fn array_length(&mut self, length: i128, size: &Node<ast::Expression>) -> Lowered<u64> {
        match u64::try_from(length) {
            Ok(length) => Ok(length),
            Err(_) => self.invalid(format!("array length {length}"), size.span),
        }
    }

    fn function_type(
        &mut self,
        result: DeclaredType,
        function: &Node<ast::FunctionDeclarator>,
    ) -> Lowered<DeclaredType> {
        if result.array.is_some() {
            return self.unsupported("function that returns a struct of variable length", function.span);
        }
        let mut parameters = Vec::new();
        // Parameter names may be used in later array sizes: they get a scope of their own.
        self.scopes.enter();
        let outcome = self.parameter_types(&function.node, &mut parameters);
        self.scopes.leave();
        outcome?;
        let void = self.common.void;
        let variadic = function.node.ellipsis == ast::Ellipsis::Some;
        let prototyped = !parameters.is_empty() || variadic;
        if parameters == [void] {
            parameters.clear();
        }
        Ok(DeclaredType::plain(self.types.intern(Type::Function {
            result: result.ty,
            parameters,
            variadic,
            prototyped,
        })))
    }

    fn parameter_types(&mut self, function: &ast::FunctionDeclarator, into: &mut Vec<TypeId>) -> Lowered<()> {
        for parameter in &function.parameters {
            let declared = self.parameter_type(&parameter.node, true)?;
            into.push(declared.ty);
        }
        Ok(())
    }

    /// The adjusted type of a parameter: arrays and functions are pointers. In a mere prototype, variable lengths are
    /// not evaluated.
    pub fn parameter_type(&mut self, parameter: &ast::ParameterDeclaration, prototype: bool) -> Lowered<DeclaredType> {
        let specifiers = Specifiers::of_declaration(&parameter.specifiers);
        let span = parameter.specifiers.first().map_or(lang_c::span::Span::none(), |s| s.span);
        let base = self.specified_type(&specifiers, span)?;
        self.check_attributes(attributes(&parameter.extensions), span)?;
        // Attributes behind the declarator are the parameter's: `int k __attribute__((mode(QI)))`.
        let own: Vec<_> = attributes(&parameter.extensions).collect();
        let base = self.apply_vector_size(base, &own, span)?;
        if let Some(name) = parameter.declarator.as_ref().and_then(|declarator| self.typedef_in_parentheses(declarator))
        {
            // For C it is not the parameter's name: the parameter is a function that takes this type (C11 6.7.6.3p11).
            return self.unsupported(format!("parameter `({name})`, where `{name}` is a type"), span);
        }
        let declared = match &parameter.declarator {
            None => base,
            Some(declarator) if prototype => self.prototype_parameter(base, declarator)?,
            Some(declarator) => self.declared_type(base, declarator)?,
        };
        let declared = self.apply_mode(declared, &own, span)?;
        if self.is_variable_struct_type(&declared) {
            return self.unsupported("parameter that is a struct of variable length", span);
        }
        Ok(self.adjust_parameter(declared))
    }

    /// The name of a type that begins the parentheses of a declarator.
    fn typedef_in_parentheses<'b>(&self, declarator: &'b Node<ast::Declarator>) -> Option<&'b str> {
        let mut at = declarator;
        while let ast::DeclaratorKind::Declarator(inner) = &at.node.kind.node {
            at = inner;
            if at.node.derived.iter().any(|derived| matches!(derived.node, Derived::Pointer(_))) {
                return None;
            }
            if let ast::DeclaratorKind::Identifier(id) = &at.node.kind.node {
                let is_type = matches!(self.scopes.lookup(&id.node.name), Some(Symbol::Typedef(_)));
                return is_type.then_some(id.node.name.as_str());
            }
        }
        None
    }

    fn prototype_parameter(&mut self, base: DeclaredType, declarator: &Node<ast::Declarator>) -> Lowered<DeclaredType> {
        let around = std::mem::replace(&mut self.in_prototype, true);
        let declared = self.unevaluated(|s| s.declared_type(base, declarator));
        self.in_prototype = around;
        if let (Some(name), Ok(declared)) = (declared_name(declarator), &declared) {
            // Sizes such as `a[n]` and `a[n++]` refer to earlier parameters. Any number may stand for these, since the
            // length of a parameter does not matter, and nothing is evaluated.
            let symbol = match self.types.is_integer(declared.ty) {
                true => Symbol::Constant { value: 1, ty: declared.ty },
                false => {
                    Symbol::Unsupported(format!("use of the parameter `{name}` among the parameters of a prototype"))
                }
            };
            self.scopes.declare(name, symbol);
        }
        declared
    }

    fn adjust_parameter(&mut self, declared: DeclaredType) -> DeclaredType {
        if let Some(dims) = &declared.array {
            let ty = self.types.pointer_to(declared.ty);
            let inner: Rc<[ExprId]> = dims[1..].into();
            let pointee = (!inner.is_empty()).then_some(inner);
            return DeclaredType { ty, array: None, pointee, align: None };
        }
        match *self.types.get(declared.ty) {
            Type::Array { element, .. } | Type::IncompleteArray { element } => {
                DeclaredType::plain(self.types.pointer_to(element))
            }
            Type::Function { .. } => DeclaredType::plain(self.types.pointer_to(declared.ty)),
            _ => declared,
        }
    }
}
