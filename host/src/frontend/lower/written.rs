//! Types as the program writes them, with the qualifiers that a `Program` does not have: `_Generic` and
//! `__builtin_types_compatible_p` distinguish `const char *` from `char *`. Kept only for programs that use one of
//! these.

use super::attributes::{attribute_name, attributes};
use super::declarators::declared_name;
use super::type_specifiers::Specifiers;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, BinaryOperator, DerivedDeclarator as Derived, Expression, UnaryOperator};
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::*;

/// A type with its qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    qualifiers: Qualifiers,
    shape: Shape,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    /// A number, a struct, a union or `void`.
    Plain(TypeId),
    /// An enumeration, by its tag or by where it is defined. It goes with its integer type, and with no other enumeration.
    Enumeration(TypeId, String),
    Pointer(Box<Written>),
    Array(Box<Written>, Option<u64>),
    Function {
        result: Box<Written>,
        /// `None` where the declaration does not have them.
        parameters: Option<Vec<Written>>,
        variadic: bool,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Qualifiers {
    is_const: bool,
    is_volatile: bool,
    is_restrict: bool,
    is_atomic: bool,
}

impl Qualifiers {
    pub fn add(&mut self, qualifier: &ast::TypeQualifier) {
        match qualifier {
            ast::TypeQualifier::Const => self.is_const = true,
            ast::TypeQualifier::Volatile => self.is_volatile = true,
            ast::TypeQualifier::Restrict => self.is_restrict = true,
            ast::TypeQualifier::Atomic => self.is_atomic = true,
            _ => {}
        }
    }

    fn and(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
            is_atomic: self.is_atomic || other.is_atomic,
        }
    }
}

impl Written {
    fn new(shape: Shape) -> Self {
        Written { qualifiers: Qualifiers::default(), shape }
    }

    /// Qualifiers of an array are those of its elements.
    fn qualified(mut self, more: Qualifiers) -> Self {
        match &mut self.shape {
            Shape::Array(element, _) => **element = element.as_ref().clone().qualified(more),
            _ => self.qualifiers = self.qualifiers.and(more),
        }
        self
    }

    pub fn unqualified(mut self) -> Self {
        self.qualifiers = Qualifiers::default();
        self
    }

    /// As the value of an expression: arrays and functions are pointers.
    pub fn value(self) -> Self {
        match self.shape {
            Shape::Array(element, _) => Written::new(Shape::Pointer(element)),
            Shape::Function { .. } => Written::new(Shape::Pointer(Box::new(self))),
            _ => self.unqualified(),
        }
    }

    fn pointee(self) -> Option<Written> {
        match self.value().shape {
            Shape::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// Compatible types (C11 6.2.7), qualifiers included.
    pub fn is_compatible(&self, other: &Written) -> bool {
        use Shape::*;
        self.qualifiers == other.qualifiers
            && match (&self.shape, &other.shape) {
                (Plain(a), Plain(b)) => a == b,
                (Enumeration(_, a), Enumeration(_, b)) => a == b,
                (Enumeration(a, _), Plain(b)) | (Plain(a), Enumeration(b, _)) => a == b,
                (Pointer(a), Pointer(b)) => a.is_compatible(b),
                (Array(a, n), Array(b, m)) => a.is_compatible(b) && (n.is_none() || m.is_none() || n == m),
                (
                    Function { result: a, parameters: p, variadic: v },
                    Function { result: b, parameters: q, variadic: w },
                ) => {
                    let alike = match (p, q) {
                        (Some(p), Some(q)) => {
                            v == w && p.len() == q.len() && p.iter().zip(q).all(|(a, b)| a.is_compatible(b))
                        }
                        _ => true,
                    };
                    a.is_compatible(b) && alike
                }
                _ => false,
            }
    }
}

/// The written types of members.
#[derive(Default)]
pub(super) struct WrittenTypes {
    /// By struct and name.
    members: FxHashMap<(CompositeId, String), Written>,
    /// Whether the program asks for such types at all.
    pub wanted: bool,
}

impl WrittenTypes {
    pub fn new(text: &str) -> Self {
        let wanted = text.contains("_Generic") || text.contains("__builtin_types_compatible_p");
        WrittenTypes { wanted, ..WrittenTypes::default() }
    }
}

impl Lowerer<'_> {
    /// Remembers the written type of a name that was declared just now.
    pub fn note_written(&mut self, specifiers: &Specifiers<'_>, declarator: &Node<ast::Declarator>) {
        if let Some(name) = declared_name(declarator).filter(|_| self.written.wanted) {
            let written = self.written_type(specifiers, Some(declarator));
            self.scopes.declare_written(name, written);
        }
    }

    /// The same for a parameter, which is never an array or a function.
    pub fn note_written_parameter(&mut self, parameter: &ast::ParameterDeclaration) {
        let specifiers = Specifiers::of_declaration(&parameter.specifiers);
        if let Some(declarator) = parameter.declarator.as_ref().filter(|_| self.written.wanted)
            && let Some(name) = declared_name(declarator)
        {
            let written = self.written_type(&specifiers, Some(declarator)).map(adjusted);
            self.scopes.declare_written(name, written);
        }
    }

    pub fn note_written_member(
        &mut self,
        of: CompositeId,
        specifiers: &Specifiers<'_>,
        declarator: &Node<ast::Declarator>,
    ) {
        if let Some(name) = declared_name(declarator).filter(|_| self.written.wanted)
            && let Some(written) = self.written_type(specifiers, Some(declarator))
        {
            self.written.members.insert((of, name.to_owned()), written);
        }
    }

    /// `None` where it is not known.
    fn written_type(
        &mut self,
        specifiers: &Specifiers<'_>,
        declarator: Option<&Node<ast::Declarator>>,
    ) -> Option<Written> {
        if has_type_attribute(specifiers, declarator) {
            return Some(self.written_by_attributes(specifiers, declarator)?.qualified(specifiers.qualifiers));
        }
        let base = self.written_specifiers(specifiers)?.qualified(specifiers.qualifiers);
        match declarator {
            Some(declarator) => self.written_declarator(base, declarator),
            None => Some(base),
        }
    }

    /// The written type where attributes change it.
    fn written_by_attributes(
        &mut self,
        specifiers: &Specifiers<'_>,
        declarator: Option<&Node<ast::Declarator>>,
    ) -> Option<Written> {
        // A body is read only once.
        if specifiers.defines_struct() {
            return None;
        }
        let span = specifiers.types.first().map_or(AstSpan::none(), |ty| ty.span);
        let ty = self.quietly(|s| {
            let base = s.specified_type(specifiers, span)?;
            declarator.map_or(Ok(base.clone()), |declarator| s.declared_type(base, declarator))
        })?;
        self.written_plain(ty)
    }

    fn written_specifiers(&mut self, specifiers: &Specifiers<'_>) -> Option<Written> {
        let span = specifiers.types.first().map_or(AstSpan::none(), |ty| ty.span);
        if let [single] = specifiers.types.as_slice() {
            match &single.node {
                ast::TypeSpecifier::TypedefName(_) if specifiers.is_auto_type() => return None,
                ast::TypeSpecifier::TypedefName(name) => {
                    if let Some(written) = self.scopes.lookup_written(&name.node.name) {
                        return written;
                    }
                }
                ast::TypeSpecifier::TypeOf(of) => {
                    return match &of.node {
                        ast::TypeOf::Type(name) => self.written_name(name),
                        ast::TypeOf::Expression(e) => self.written_place(e),
                    };
                }
                ast::TypeSpecifier::Enum(of) => {
                    let ty = self.quietly(|s| s.specified_type(specifiers, span))?;
                    let tag = of.node.identifier.as_ref().map(|tag| tag.node.name.clone());
                    return Some(Written::new(Shape::Enumeration(
                        ty,
                        tag.unwrap_or_else(|| of.span.start.to_string()),
                    )));
                }
                // A body is read once; its struct is found by the tag, or not at all.
                ast::TypeSpecifier::Struct(of) if of.node.declarations.is_some() => {
                    let tag = &of.node.identifier.as_ref()?.node.name;
                    let super::scopes::Tag::Composite(id) = self.scopes.lookup_tag(tag)? else { return None };
                    return Some(Written::new(Shape::Plain(self.types.intern(Type::Composite(id)))));
                }
                _ => {}
            }
        }
        let ty = self.quietly(|s| s.specified_type(specifiers, span))?;
        self.written_plain(ty)
    }

    /// Does `work` without its unsupported constructs.
    fn quietly(&mut self, work: impl FnOnce(&mut Self) -> Lowered<super::scopes::DeclaredType>) -> Option<TypeId> {
        let declared = self.unevaluated(work).ok()?;
        (declared.array.is_none() && declared.pointee.is_none()).then_some(declared.ty)
    }

    /// A type in which qualifiers can only stand outside.
    fn written_plain(&self, ty: TypeId) -> Option<Written> {
        let plain = matches!(self.types.get(ty), Type::Void | Type::Int(_) | Type::Float(_) | Type::Composite(_));
        plain.then(|| Written::new(Shape::Plain(ty)))
    }

    fn written_declarator(&mut self, base: Written, declarator: &Node<ast::Declarator>) -> Option<Written> {
        let mut written = base;
        for derived in &declarator.node.derived {
            if let Derived::Pointer(qualifiers) = &derived.node {
                let mut own = Qualifiers::default();
                for qualifier in qualifiers {
                    if let ast::PointerQualifier::TypeQualifier(qualifier) = &qualifier.node {
                        own.add(&qualifier.node);
                    }
                }
                written = Written::new(Shape::Pointer(Box::new(written))).qualified(own);
            }
        }
        for derived in declarator.node.derived.iter().rev() {
            written = match &derived.node {
                Derived::Pointer(_) => written,
                Derived::Block(_) => return None,
                Derived::Array(array) => {
                    let length = match &array.node.size {
                        // A variable length goes with every length (C11 6.7.6.2p6).
                        ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => {
                            match self.constant_value(size).ok()? {
                                Some(length) => Some(u64::try_from(length).ok()?),
                                None => None,
                            }
                        }
                        ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => None,
                    };
                    Written::new(Shape::Array(Box::new(written), length))
                }
                Derived::KRFunction(_) => {
                    Written::new(Shape::Function { result: Box::new(written), parameters: None, variadic: false })
                }
                Derived::Function(function) => self.written_function(written, &function.node)?,
            };
        }
        match &declarator.node.kind.node {
            ast::DeclaratorKind::Declarator(inner) => self.written_declarator(written, inner),
            _ => Some(written),
        }
    }

    fn written_function(&mut self, result: Written, function: &ast::FunctionDeclarator) -> Option<Written> {
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let specifiers = Specifiers::of_declaration(&parameter.node.specifiers);
            parameters
                .push(adjusted(self.written_type(&specifiers, parameter.node.declarator.as_ref())?).unqualified());
        }
        let variadic = function.ellipsis == ast::Ellipsis::Some;
        let nothing = [Written::new(Shape::Plain(self.common.void))];
        let parameters = match parameters.is_empty() && !variadic {
            true => None,
            false if parameters == nothing => Some(Vec::new()),
            false => Some(parameters),
        };
        Some(Written::new(Shape::Function { result: Box::new(result.unqualified()), parameters, variadic }))
    }

    pub fn written_name(&mut self, name: &Node<ast::TypeName>) -> Option<Written> {
        let specifiers = Specifiers::of_qualifiers(&name.node.specifiers);
        self.written_type(&specifiers, name.node.declarator.as_ref())
    }

    /// The type of an expression as a place, where its qualifiers are.
    fn written_place(&mut self, e: &Node<Expression>) -> Option<Written> {
        match &e.node {
            Expression::Identifier(id) => match self.scopes.lookup_written(&id.node.name) {
                Some(Some(written)) => Some(written),
                _ => self.written_value_type(e),
            },
            Expression::StringLiteral(pieces) => {
                let (units, element) = self.string_units(&pieces.node, e.span).ok()?;
                let element = Box::new(Written::new(Shape::Plain(element)));
                Some(Written::new(Shape::Array(element, Some(units.len() as u64))))
            }
            Expression::CompoundLiteral(literal) => self.written_name(&literal.node.type_name),
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                self.written_value(&u.node.operand)?.pointee()
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                let (left, right) = (self.written_value(&b.node.lhs), self.written_value(&b.node.rhs));
                left.and_then(Written::pointee).or_else(|| right.and_then(Written::pointee))
            }
            Expression::Member(m) => self.written_member(&m.node),
            _ => self.written_value(e),
        }
    }

    fn written_member(&mut self, m: &ast::MemberExpression) -> Option<Written> {
        let base = match m.operator.node {
            ast::MemberOperator::Direct => self.written_place(&m.expression)?,
            ast::MemberOperator::Indirect => self.written_value(&m.expression)?.pointee()?,
        };
        let Shape::Plain(ty) = base.shape else { return None };
        let Type::Composite(id) = *self.types.get(ty) else { return None };
        let member = self.written.members.get(&(id, m.identifier.node.name.clone()))?;
        Some(member.clone().qualified(base.qualifiers))
    }

    /// The type of an expression as a value; `None` where it is not known.
    pub fn written_value(&mut self, e: &Node<Expression>) -> Option<Written> {
        match &e.node {
            Expression::Cast(c) => Some(self.written_name(&c.node.type_name)?.value()),
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::Address => {
                    Some(Written::new(Shape::Pointer(Box::new(self.written_place(&u.node.operand)?))))
                }
                UnaryOperator::Indirection => Some(self.written_place(e)?.value()),
                UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement => Some(self.written_place(&u.node.operand)?.value()),
                _ => self.written_value_type(e),
            },
            Expression::BinaryOperator(b) => match &b.node.operator.node {
                BinaryOperator::Index => Some(self.written_place(e)?.value()),
                op if super::ast_query::is_assignment(op) => Some(self.written_place(&b.node.lhs)?.value()),
                BinaryOperator::Plus | BinaryOperator::Minus => self.written_sum(e, b),
                _ => self.written_value_type(e),
            },
            Expression::Call(call) => {
                let callee = self.written_value(&call.node.callee).and_then(Written::pointee);
                match callee.map(|callee| callee.shape) {
                    Some(Shape::Function { result, .. }) => Some(*result),
                    _ => self.written_value_type(e),
                }
            }
            Expression::Comma(list) => self.written_value(list.last()?),
            Expression::Identifier(_)
            | Expression::StringLiteral(_)
            | Expression::CompoundLiteral(_)
            | Expression::Member(_) => Some(self.written_place(e)?.value()),
            _ => self.written_value_type(e),
        }
    }

    /// Pointer and number.
    fn written_sum(&mut self, e: &Node<Expression>, b: &Node<ast::BinaryOperatorExpression>) -> Option<Written> {
        if let Some(number) = self.written_value_type(e) {
            return Some(number);
        }
        let is_pointer = |written: &Written| matches!(written.shape, Shape::Pointer(_));
        let left = self.written_value(&b.node.lhs).filter(is_pointer);
        left.or_else(|| self.written_value(&b.node.rhs).filter(is_pointer))
    }

    /// Where the type alone is enough: it has no place for qualifiers.
    fn written_value_type(&mut self, e: &Node<Expression>) -> Option<Written> {
        let ty = self
            .unevaluated(|s| {
                let value = s.value(e)?.expr;
                Ok(s.bit_field_type(value).filter(|_| !is_computed(e)).unwrap_or(s.exprs.ty(value)))
            })
            .ok()?;
        self.written_plain(ty)
    }

    /// `_Generic`: the association whose type is the controlling expression's.
    pub fn generic_choice<'e>(&mut self, g: &'e ast::GenericSelection, span: AstSpan) -> Lowered<&'e Node<Expression>> {
        if !matches!(g.expression.node, Expression::Comma(_)) {
            self.check_bit_field_operand(&g.expression)?;
        }
        let (plain, is_bit_field) = self.unevaluated(|s| {
            let value = s.value(&g.expression)?;
            let bits = s.bit_field_type(value.expr).filter(|_| !is_computed(&g.expression));
            Ok((bits.unwrap_or(s.exprs.ty(value.expr)), bits.is_some()))
        })?;
        let wanted = if is_bit_field { self.written_plain(plain) } else { self.written_value(&g.expression) };
        let mut default = None;
        for association in &g.associations {
            let of = match &association.node {
                ast::GenericAssociation::Type(of) => of,
                ast::GenericAssociation::Default(e) => {
                    default = Some(&**e);
                    continue;
                }
            };
            let fits = match (&wanted, self.written_name(&of.node.type_name)) {
                (Some(wanted), Some(written)) => wanted.is_compatible(&written),
                // With other qualifiers it might be a different one.
                _ if self.type_name(&of.node.type_name)?.ty == plain => {
                    return self.unsupported("_Generic with a type whose qualifiers are not followed", span);
                }
                _ => false,
            };
            if fits {
                return Ok(&of.node.expression);
            }
        }
        match default {
            Some(e) => Ok(e),
            None => self.invalid("no association of this _Generic fits", span),
        }
    }

    /// `__builtin_types_compatible_p`, whose arguments the text put behind `sizeof`.
    pub fn types_compatible(&mut self, a: &Node<Expression>, b: &Node<Expression>) -> Lowered<bool> {
        let (Expression::SizeOfTy(a), Expression::SizeOfTy(b)) = (&a.node, &b.node) else {
            return self.unsupported("__builtin_types_compatible_p of something that is not a type", a.span);
        };
        let (a, b) = (&a.node.0, &b.node.0);
        let written = |s: &mut Self, name| s.written_name(name).map(Written::unqualified);
        if let (Some(x), Some(y)) = (written(self, a), written(self, b)) {
            return Ok(x.is_compatible(&y));
        }
        let (x, y) = self.unevaluated(|s| Ok((s.type_name(a)?.ty, s.type_name(b)?.ty)))?;
        if x != y {
            return Ok(false);
        }
        self.unsupported("__builtin_types_compatible_p of types whose qualifiers are not followed", a.span)
    }
}

/// Whether the value is that of an operator, whose operands were promoted: `+s.b` is not a bit-field, though it has the value of one.
fn is_computed(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::Conditional(_) | Expression::Cast(_) => true,
        Expression::UnaryOperator(unary) => matches!(
            unary.node.operator.node,
            ast::UnaryOperator::Plus | ast::UnaryOperator::Minus | ast::UnaryOperator::Complement
        ),
        _ => false,
    }
}

/// Whether an attribute chooses the type.
fn has_type_attribute(specifiers: &Specifiers<'_>, declarator: Option<&Node<ast::Declarator>>) -> bool {
    let chooses = |attribute: &&ast::Attribute| matches!(attribute_name(attribute), "mode" | "vector_size");
    let on_declarator = |at: &Node<ast::Declarator>| attributes(&at.node.extensions).any(|a| chooses(&a));
    let mut next = declarator;
    while let Some(at) = next {
        if on_declarator(at) {
            return true;
        }
        next = match &at.node.kind.node {
            ast::DeclaratorKind::Declarator(inner) => Some(inner),
            _ => None,
        };
    }
    specifiers.attributes.iter().any(chooses)
}

/// The type of a parameter.
fn adjusted(written: Written) -> Written {
    match written.shape {
        Shape::Array(..) | Shape::Function { .. } => written.value(),
        _ => written,
    }
}
