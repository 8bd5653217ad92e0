//! Type specifiers: built-in types, typedef names, structs, unions, enums, typeof, and the attributes that change them.

use super::attributes::{attribute_name, attributes, is_known};
use super::layout::{Member, Shape, place_members};
use super::literals::ts18661_kind;
use super::scopes::{DeclaredType, Dims, Symbol, Tag};
use super::written::Qualifiers;
use super::{Fail, Lowered, Lowerer};
use crate::frontend::text::{AUTO_TYPE, INT128, UINT128};
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use std::ops::Range;
use tandem_plugin_api::program::*;

/// A list of specifiers, sorted by kind.
#[derive(Default)]
pub(super) struct Specifiers<'b> {
    pub types: Vec<&'b Node<ast::TypeSpecifier>>,
    pub qualifiers: Qualifiers,
    pub attributes: Vec<&'b ast::Attribute>,
    /// How many of them stand before, and how many up to, the end of those right behind the body of a struct, union or enum: these
    /// are the type's, all others are of what is declared.
    of_type: Range<usize>,
    pub storage: Option<&'b ast::StorageClassSpecifier>,
    pub noreturn: bool,
    /// `_Atomic` as a qualifier.
    is_atomic: bool,
    pub alignment: Option<&'b ast::AlignmentSpecifier>,
}

/// Whether a type is a struct, union or enum with its body.
fn has_body(ty: &Node<ast::TypeSpecifier>) -> bool {
    match &ty.node {
        ast::TypeSpecifier::Struct(of) => of.node.declarations.is_some(),
        ast::TypeSpecifier::Enum(of) => !of.node.enumerators.is_empty(),
        _ => false,
    }
}

impl<'b> Specifiers<'b> {
    pub fn of_declaration(list: &'b [Node<ast::DeclarationSpecifier>]) -> Self {
        let (mut all, mut behind_body) = (Specifiers::default(), false);
        for specifier in list {
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(class) => match &class.node {
                    ast::StorageClassSpecifier::ThreadLocal => {}
                    other => all.storage = Some(other),
                },
                ast::DeclarationSpecifier::TypeSpecifier(ty) => {
                    all.add_type(ty);
                    behind_body = has_body(ty);
                    continue;
                }
                ast::DeclarationSpecifier::TypeQualifier(qualifier) => all.qualify(&qualifier.node),
                ast::DeclarationSpecifier::Function(f) => all.noreturn |= f.node == ast::FunctionSpecifier::Noreturn,
                ast::DeclarationSpecifier::Alignment(a) => all.alignment = Some(&a.node),
                ast::DeclarationSpecifier::Extension(list) => {
                    all.add_attributes(list, behind_body);
                    continue;
                }
            }
            behind_body = false;
        }
        all
    }

    pub fn of_qualifiers(list: &'b [Node<ast::SpecifierQualifier>]) -> Self {
        let (mut all, mut behind_body) = (Specifiers::default(), false);
        for specifier in list {
            match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(ty) => {
                    all.add_type(ty);
                    behind_body = has_body(ty);
                }
                ast::SpecifierQualifier::TypeQualifier(qualifier) => {
                    all.qualify(&qualifier.node);
                    behind_body = false;
                }
                ast::SpecifierQualifier::Extension(list) => all.add_attributes(list, behind_body),
            }
        }
        all
    }

    fn add_type(&mut self, ty: &'b Node<ast::TypeSpecifier>) {
        self.types.push(ty);
        if has_body(ty) {
            self.of_type = self.attributes.len()..self.attributes.len();
        }
    }

    fn add_attributes(&mut self, list: &'b [Node<ast::Extension>], behind_body: bool) {
        self.attributes.extend(attributes(list));
        if behind_body {
            self.of_type.end = self.attributes.len();
        }
    }

    /// The attributes of the struct, union or enum that is defined here.
    fn attributes_of_type(&self) -> &[&'b ast::Attribute] {
        &self.attributes[self.of_type.clone()]
    }

    /// The attributes of the declared name.
    fn attributes_of_declared(&self) -> impl Iterator<Item = &'b ast::Attribute> {
        let inside = self.of_type.clone();
        self.attributes.iter().enumerate().filter(move |(at, _)| !inside.contains(at)).map(|(_, attribute)| *attribute)
    }

    fn qualify(&mut self, qualifier: &ast::TypeQualifier) {
        self.is_atomic |= *qualifier == ast::TypeQualifier::Atomic;
        self.qualifiers.add(qualifier);
    }

    /// A struct, union or enum with its body.
    pub fn defines_struct(&self) -> bool {
        self.types.iter().any(|ty| has_body(ty))
    }

    /// A struct or union with its body, and without a name.
    fn defines_without_tag(&self) -> bool {
        self.types.iter().any(|ty| match &ty.node {
            ast::TypeSpecifier::Struct(of) => of.node.declarations.is_some() && of.node.identifier.is_none(),
            _ => false,
        })
    }

    /// The tag of a struct, union or enum with its body.
    fn defined_tag(&self) -> Option<&'b str> {
        self.types.iter().filter(|_| self.defines_struct()).find_map(|ty| match &ty.node {
            ast::TypeSpecifier::Struct(of) => of.node.identifier.as_ref().map(|tag| tag.node.name.as_str()),
            ast::TypeSpecifier::Enum(of) => of.node.identifier.as_ref().map(|tag| tag.node.name.as_str()),
            _ => None,
        })
    }

    /// `__auto_type x = e;`
    pub fn is_auto_type(&self) -> bool {
        matches!(self.types.as_slice(), [Node { node: ast::TypeSpecifier::TypedefName(name), .. }]
            if name.node.name == AUTO_TYPE)
    }

    pub fn is(&self, class: ast::StorageClassSpecifier) -> bool {
        self.storage == Some(&class)
    }
}

impl Lowerer<'_> {
    /// The type that a list of specifiers names. A tag whose definition is unsupported is so wherever it is used.
    pub fn specified_type(&mut self, specifiers: &Specifiers<'_>, span: AstSpan) -> Lowered<DeclaredType> {
        let declared = self.supported_type(specifiers, span);
        if let (Err(Fail::Unsupported { what, .. }), Some(tag)) = (&declared, specifiers.defined_tag()) {
            self.scopes.declare_tag(tag, Tag::Unsupported(what.as_str().into()));
        }
        declared
    }

    fn supported_type(&mut self, specifiers: &Specifiers<'_>, span: AstSpan) -> Lowered<DeclaredType> {
        self.check_attributes(specifiers.attributes.iter().copied(), span)?;
        let declared = match specifiers.types.as_slice() {
            [single] => match &single.node {
                ast::TypeSpecifier::Struct(s) => {
                    let ty = self.composite(s, specifiers.attributes_of_type())?;
                    self.struct_type(ty)
                }
                ast::TypeSpecifier::Enum(e) => {
                    let own = if has_body(single) { specifiers.attributes_of_type() } else { &specifiers.attributes };
                    DeclaredType::plain(self.enumeration(e, own)?)
                }
                ast::TypeSpecifier::TypedefName(name) => self.typedef(name)?,
                ast::TypeSpecifier::TypeOf(of) => self.type_of(of)?,
                ast::TypeSpecifier::Atomic(name) => {
                    let declared = self.type_name(name)?;
                    self.align_atomic(declared)
                }
                // Types of their own, which differ from `float` and `double` for `_Generic`; headers declare functions
                // with them.
                ast::TypeSpecifier::TS18661Float(_) if self.written.wanted && self.current.is_some() => {
                    return self.unsupported("_FloatN beside _Generic", span);
                }
                ast::TypeSpecifier::TS18661Float(format) => match ts18661_kind(format) {
                    Some(kind) => DeclaredType::plain(self.types.intern(Type::Float(kind))),
                    None => return self.unsupported("floating-point format", span),
                },
                _ => DeclaredType::plain(self.builtin_type(&specifiers.types, span)?),
            },
            _ => DeclaredType::plain(self.builtin_type(&specifiers.types, span)?),
        };
        let declared = if specifiers.is_atomic { self.align_atomic(declared) } else { declared };
        let declared = self.apply_mode(declared, &specifiers.attributes, span)?;
        self.apply_vector_size(declared, &specifiers.attributes, span)
    }

    /// `__attribute__((vector_size(16)))` speaks of the innermost type of a declaration.
    pub fn apply_vector_size(
        &mut self,
        mut declared: DeclaredType,
        attributes: &[&ast::Attribute],
        span: AstSpan,
    ) -> Lowered<DeclaredType> {
        for attribute in attributes.iter().filter(|attribute| attribute_name(attribute) == "vector_size") {
            let Some(bytes) = attribute.arguments.first() else {
                return self.invalid("`vector_size` without a size", span);
            };
            let bytes = self.constant_integer(bytes)?;
            declared.ty = self.vector_type(declared.ty, bytes, span)?;
        }
        Ok(declared)
    }

    /// An atomic type is aligned to its size, if a machine word has that size.
    fn align_atomic(&self, mut declared: DeclaredType) -> DeclaredType {
        let size = self.types.size_of(declared.ty).filter(|size| matches!(size, 1 | 2 | 4 | 8 | 16));
        if let Some(size) = size.filter(|&size| size > self.types.align_of(declared.ty)) {
            declared.align = declared.align.max(Some(size));
        }
        declared
    }

    /// An attribute that is not on the lists of known ones may change anything about its declaration.
    pub fn check_attributes<'b>(
        &self,
        mut attributes: impl Iterator<Item = &'b ast::Attribute>,
        span: AstSpan,
    ) -> Lowered<()> {
        match attributes.find(|attribute| !is_known(attribute)) {
            Some(unknown) => self.unsupported(format!("attribute `{}`", attribute_name(unknown)), span),
            None => Ok(()),
        }
    }

    fn builtin_type(&mut self, list: &[&Node<ast::TypeSpecifier>], span: AstSpan) -> Lowered<TypeId> {
        use ast::TypeSpecifier as T;
        let count = |wanted: &T| list.iter().filter(|s| s.node == *wanted).count();
        let has = |wanted: T| count(&wanted) > 0;
        if has(T::Complex) {
            let rest: Vec<_> = list.iter().copied().filter(|s| s.node != T::Complex).collect();
            let element = match rest.as_slice() {
                [] => self.common.double,
                rest => self.builtin_type(rest, span)?,
            };
            if matches!(self.types.get(element), Type::Void | Type::Int(IntKind::Bool)) {
                return self.invalid("complex numbers of this type", span);
            }
            return Ok(self.complex_type(element));
        }
        if let Some(other) = list.iter().find(|s| matches!(s.node, T::TypedefName(_) | T::TS18661Float(_))) {
            return self.unsupported("complex numbers of this type", other.span);
        }
        let unsigned = has(T::Unsigned);
        let kind = if has(T::Void) {
            return Ok(self.common.void);
        } else if has(T::Float) {
            return Ok(self.types.intern(Type::Float(FloatKind::Float)));
        } else if has(T::Double) {
            let kind = if has(T::Long) { FloatKind::LongDouble } else { FloatKind::Double };
            return Ok(self.types.intern(Type::Float(kind)));
        } else if has(T::Bool) {
            IntKind::Bool
        } else if has(T::Char) {
            if has(T::Signed) { IntKind::SChar } else { IntKind::Char }
        } else if has(T::Short) {
            IntKind::Short
        } else if count(&T::Long) >= 2 {
            IntKind::LongLong
        } else if has(T::Long) {
            IntKind::Long
        } else if list.is_empty() || has(T::Int) || has(T::Signed) || unsigned {
            IntKind::Int
        } else {
            return self.invalid("type specifiers that do not go together", span);
        };
        Ok(self.types.int(if unsigned { kind.to_unsigned() } else { kind }))
    }

    fn typedef(&mut self, name: &Node<ast::Identifier>) -> Lowered<DeclaredType> {
        let text = name.node.name.as_str();
        // Names that stand for constructs unknown to lang-c come before the meaning of their stand-in declaration.
        match text {
            INT128 => return Ok(DeclaredType::plain(self.types.int(IntKind::Int128))),
            UINT128 => return Ok(DeclaredType::plain(self.types.int(IntKind::UInt128))),
            AUTO_TYPE => return self.unsupported("__auto_type at this place", name.span),
            _ => {}
        }
        match self.scopes.lookup(text) {
            Some(Symbol::Typedef(declared)) => return Ok(declared.clone()),
            Some(Symbol::Unsupported(why)) => return self.unsupported(why.clone(), name.span),
            _ => {}
        }
        match text {
            "__builtin_va_list" | "__gnuc_va_list" | "va_list" => Ok(DeclaredType::plain(self.va_list_type())),
            _ => self.invalid(format!("unknown type name `{text}`"), name.span),
        }
    }

    fn type_of(&mut self, of: &Node<ast::TypeOf>) -> Lowered<DeclaredType> {
        match &of.node {
            ast::TypeOf::Type(name) => self.type_name(name),
            ast::TypeOf::Expression(expression) => {
                // lang-c takes the name of a type for a variable where nothing follows it.
                if let ast::Expression::Identifier(id) = &expression.node
                    && let Some(Symbol::Typedef(declared)) = self.scopes.lookup(&id.node.name)
                {
                    return Ok(declared.clone());
                }
                self.check_operand_type(expression)?;
                self.declared_type_of(expression)
            }
        }
    }

    /// `(type)` as in casts and `sizeof`.
    pub fn type_name(&mut self, name: &Node<ast::TypeName>) -> Lowered<DeclaredType> {
        let specifiers = Specifiers::of_qualifiers(&name.node.specifiers);
        let base = self.specified_type(&specifiers, name.span)?;
        match &name.node.declarator {
            Some(declarator) => self.declared_type(base, declarator),
            None => Ok(base),
        }
    }

    /// `__attribute__((mode(DI)))` and the like replace the width.
    pub fn apply_mode(
        &mut self,
        mut declared: DeclaredType,
        attributes: &[&ast::Attribute],
        span: AstSpan,
    ) -> Lowered<DeclaredType> {
        for attribute in attributes {
            let name = attribute_name(attribute);
            if name != "mode" {
                continue;
            }
            let mode = attribute.arguments.first().and_then(|argument| match &argument.node {
                ast::Expression::Identifier(id) => Some(id.node.name.trim_matches('_').to_owned()),
                _ => None,
            });
            let kind = match *self.types.get(declared.ty) {
                Type::Int(kind) => kind,
                Type::Float(_) => {
                    let kind = match mode.as_deref() {
                        Some("SF") => FloatKind::Float,
                        Some("DF") => FloatKind::Double,
                        Some("XF") => FloatKind::LongDouble,
                        _ => return self.unsupported("attribute `mode` with this machine mode", span),
                    };
                    declared.ty = self.types.intern(Type::Float(kind));
                    continue;
                }
                _ => return self.unsupported("attribute `mode` on this type", span),
            };
            let signed = match mode.as_deref() {
                Some("QI" | "byte") => IntKind::SChar,
                Some("HI") => IntKind::Short,
                Some("SI") => IntKind::Int,
                Some("DI") if self.types.model == DataModel::Lp64 => IntKind::Long,
                Some("DI") => IntKind::LongLong,
                Some("TI") => IntKind::Int128,
                Some("word" | "pointer" | "unwind_word") if self.types.model == DataModel::Ilp32 => IntKind::Int,
                Some("word" | "pointer" | "unwind_word") => IntKind::Long,
                _ => return self.unsupported("attribute `mode` with this machine mode", span),
            };
            declared.ty = self.types.int(if kind.is_signed() { signed } else { signed.to_unsigned() });
        }
        Ok(declared)
    }

    /// The alignment that a declaration asks for by itself, not by its type. After the body of a struct, `aligned`
    /// speaks of the struct.
    pub fn own_alignment(
        &mut self,
        specifiers: &Specifiers<'_>,
        declarator: Option<&Node<ast::Declarator>>,
    ) -> Option<u64> {
        let listed = specifiers.attributes_of_declared();
        let own = declarator.into_iter().flat_map(|d| attributes(&d.node.extensions));
        let aligned: Vec<_> = listed.chain(own).filter(|a| attribute_name(a) == "aligned").collect();
        aligned.into_iter().filter_map(|attribute| self.attribute_alignment(attribute)).max()
    }

    pub fn attribute_alignment(&mut self, attribute: &ast::Attribute) -> Option<u64> {
        match attribute.arguments.first() {
            None => Some(16),
            Some(argument) => {
                let value = self.constant_integer(argument).ok()?;
                u64::try_from(value).ok().filter(|v| v.is_power_of_two())
            }
        }
    }

    fn composite(&mut self, of: &Node<ast::StructType>, attributes: &[&ast::Attribute]) -> Lowered<TypeId> {
        let tag = of.node.identifier.as_ref().map(|id| id.node.name.as_str());
        let is_union = of.node.kind.node == ast::StructKind::Union;
        let known = match (tag, &of.node.declarations) {
            (Some(tag), None) => self.scopes.lookup_tag(tag),
            (Some(tag), Some(_)) => self.scopes.lookup_tag_here(tag),
            (None, _) => None,
        };
        let id = match known {
            Some(Tag::Composite(id)) => id,
            Some(Tag::Unsupported(what)) => return self.unsupported(&*what, of.span),
            Some(Tag::Enum(_)) => return self.invalid("a tag of an enum used for a struct or union", of.span),
            None => self.new_composite(tag, is_union),
        };
        if let Some(declarations) = &of.node.declarations {
            if self.types.composite(id).complete || self.defining.contains(&id) {
                let name = tag.unwrap_or_default();
                return self.invalid(format!("`{name}` is defined twice"), of.span);
            }
            self.defining.push(id);
            let defined = self.define_composite(id, declarations, attributes, of.span);
            self.defining.pop();
            defined?;
        }
        Ok(self.types.intern(Type::Composite(id)))
    }

    pub fn new_composite(&mut self, tag: Option<&str>, is_union: bool) -> CompositeId {
        let id = CompositeId::new(self.types.composites.len());
        let base = tag.unwrap_or("__tandem_anonymous").to_owned();
        let count = self.composite_names.entry(base.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 && tag.is_some() { base } else { format!("{base}__{count}") };
        self.types.composites.push(Composite {
            name,
            is_union,
            fields: Vec::new(),
            size: 0,
            align: 1,
            complete: false,
            packed: false,
        });
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, Tag::Composite(id));
        }
        id
    }

    fn define_composite(
        &mut self,
        id: CompositeId,
        declarations: &[Node<ast::StructDeclaration>],
        attributes: &[&ast::Attribute],
        span: AstSpan,
    ) -> Lowered<()> {
        let (mut members, mut lengths) = (Vec::new(), Vec::new());
        for declaration in declarations {
            if let ast::StructDeclaration::Field(field) = &declaration.node {
                self.members(id, &field.node, field.span, &mut members, &mut lengths)?;
            }
        }
        let is_union = self.types.composite(id).is_union;
        let mut shape = Shape { is_union, ..Shape::default() };
        for attribute in attributes {
            match attribute_name(attribute) {
                "packed" => shape.packed = true,
                "tandem_pack" => shape.pack = self.attribute_alignment(attribute),
                "aligned" => shape.align = self.attribute_alignment(attribute),
                "transparent_union" => drop(self.transparent_unions.insert(id)),
                _ => {}
            }
        }
        if shape.pack.is_some() {
            self.alignments.odd.insert(id);
        }
        if !lengths.is_empty() {
            return self.define_variable_struct(id, members, lengths, shape, span);
        }
        let mut composite = self.types.composite(id).clone();
        place_members(&self.types, &mut composite, members, shape);
        self.types.composites[id.index()] = composite;
        Ok(())
    }

    /// Adds the members that a line declares, and the lengths of those that are variable-length arrays, by index.
    fn members(
        &mut self,
        of: CompositeId,
        field: &ast::StructField,
        span: AstSpan,
        into: &mut Vec<Member>,
        lengths: &mut Vec<(usize, Dims)>,
    ) -> Lowered<()> {
        let specifiers = Specifiers::of_qualifiers(&field.specifiers);
        let base = self.specified_type(&specifiers, span)?;
        if field.declarators.is_empty() {
            // `struct { … };` is an anonymous member; with a tag, or by the name of a type, it adds none.
            if specifiers.defines_without_tag() && matches!(self.types.get(base.ty), Type::Composite(_)) {
                into.push(Member {
                    name: String::new(),
                    ty: base.ty,
                    bit_width: None,
                    type_align: base.align,
                    align: None,
                    packed: false,
                });
            }
            return Ok(());
        }
        for declarator in &field.declarators {
            let is_packed = |attribute: &ast::Attribute| attribute_name(attribute) == "packed";
            let mut packed = specifiers.attributes_of_declared().any(is_packed);
            let (mut name, mut declared) = (String::new(), base.clone());
            if let Some(inner) = &declarator.node.declarator {
                declared = self.declared_type(base.clone(), inner)?;
                self.note_written_member(of, &specifiers, inner);
                name = super::declarators::declared_name(inner).unwrap_or_default().to_owned();
                packed |= attributes(&inner.node.extensions).any(is_packed);
            }
            if declared.pointee.is_some() {
                return self.unsupported("pointer to variable-length arrays inside a struct", declarator.span);
            }
            lengths.extend(declared.array.clone().map(|dims| (into.len(), dims)));
            self.check_member(&name, declared.ty, declarator.span)?;
            let bit_width = match &declarator.node.bit_width {
                Some(width) => Some(self.bit_width(&name, declared.ty, width)?),
                None => None,
            };
            let align = self.own_alignment(&specifiers, declarator.node.declarator.as_ref());
            let (ty, type_align) = (declared.ty, declared.align);
            if bit_width.is_some() && type_align.is_some_and(|align| align != self.natural_alignment(ty)) {
                return self.unsupported("bit-field of a type with an alignment of its own", declarator.span);
            }
            if packed || type_align.is_some() {
                self.alignments.odd.insert(of);
            }
            into.push(Member { name, ty, bit_width, type_align, align, packed });
        }
        Ok(())
    }

    /// A member needs a size; only a flexible array takes that of its elements.
    fn check_member(&self, name: &str, ty: TypeId, span: AstSpan) -> Lowered<()> {
        let sized = match self.types.get(ty) {
            Type::IncompleteArray { element } => *element,
            Type::Function { .. } => return self.invalid(format!("member `{name}` is a function"), span),
            _ => ty,
        };
        if self.has_size(sized) {
            return Ok(());
        }
        self.invalid(format!("member `{name}` has an incomplete type"), span)
    }

    /// Whether the size of the type is known.
    fn has_size(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Composite(id) => self.types.composite(*id).complete,
            Type::Array { element, .. } => self.has_size(*element),
            Type::Void | Type::IncompleteArray { .. } | Type::Function { .. } => false,
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => true,
        }
    }

    fn bit_width(&mut self, name: &str, ty: TypeId, width: &Node<ast::Expression>) -> Lowered<u32> {
        let Type::Int(kind) = *self.types.get(ty) else {
            return self.invalid(format!("bit-field `{name}` does not have an integer type"), width.span);
        };
        let most = kind.bits(self.types.model);
        let value = self.constant_integer(width)?;
        match u32::try_from(value) {
            Ok(0) if !name.is_empty() => self.invalid(format!("bit-field `{name}` has no bits"), width.span),
            Ok(bits) if bits <= most => Ok(bits),
            _ => self.invalid(format!("a bit-field of this type has 0 to {most} bits, not {value}"), width.span),
        }
    }
}
