//! Enumerations: the values of their enumerators, and the integer type that gcc, or the program, chooses for them.

use super::attributes::attribute_name;
use super::scopes::{Symbol, Tag};
use super::{Lowered, Lowerer};
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    pub fn enumeration(&mut self, of: &Node<ast::EnumType>, attributes: &[&ast::Attribute]) -> Lowered<TypeId> {
        let tag = of.node.identifier.as_ref().map(|id| id.node.name.as_str());
        let fixed = self.fixed_enum_type(attributes, of.span)?;
        if let (Some(tag), Some(ty)) = (tag, fixed) {
            self.scopes.declare_tag(tag, Tag::Enum(ty));
        }
        if of.node.enumerators.is_empty() {
            return match tag.and_then(|tag| self.scopes.lookup_tag(tag)) {
                Some(Tag::Enum(ty)) => Ok(ty),
                Some(Tag::Unsupported(what)) => self.unsupported(&*what, of.span),
                // For a forward reference to an enum (a GNU extension), gcc assumes that it is unsigned.
                _ => Ok(self.types.int(IntKind::UInt)),
            };
        }
        let (mut next, mut values) = (0i128, Vec::new());
        let int = self.common.int;
        let mut written = int;
        for enumerator in &of.node.enumerators {
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant_integer(expression)?;
                written = self.unevaluated(|s| s.operand_type(expression))?;
            }
            let name = enumerator.node.identifier.node.name.clone();
            values.push((name.clone(), next));
            // Later enumerators may use earlier ones; until the end, those that do not fit have the type of their expressions.
            let ty = fixed.unwrap_or(if i32::try_from(next).is_ok() { int } else { written });
            if fixed.is_some() && self.types.wrap(ty, next) != next {
                return self
                    .invalid(format!("`{name}` does not fit into the type of its enumeration"), enumerator.span);
            }
            self.scopes.declare(&name, Symbol::Constant { value: next, ty });
            next += 1;
        }
        if let Some(ty) = fixed {
            return Ok(ty);
        }
        let packed = attributes.iter().any(|attribute| attribute_name(attribute) == "packed");
        let kind = enum_kind(values.iter().map(|(_, v)| *v), self.types.model, packed);
        for (name, value) in values {
            let ty = self.enumerator_type(value, kind);
            self.scopes.declare(&name, Symbol::Constant { value, ty });
        }
        let ty = self.types.int(kind);
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, Tag::Enum(ty));
        }
        Ok(ty)
    }

    /// The type after the colon of `enum e : type`, which its enumerators have, too.
    fn fixed_enum_type(&mut self, attributes: &[&ast::Attribute], span: AstSpan) -> Lowered<Option<TypeId>> {
        let Some(attribute) = attributes.iter().find(|attribute| attribute_name(attribute) == "tandem_enum") else {
            return Ok(None);
        };
        let Some(argument) = attribute.arguments.first() else { return Ok(None) };
        let ty = self.unevaluated(|s| s.operand_type(argument))?;
        match self.types.get(ty) {
            Type::Int(_) => Ok(Some(ty)),
            _ => self.invalid("an enumeration whose type is not an integer", span),
        }
    }

    /// An enumerator is an `int` if it fits, as in gcc.
    fn enumerator_type(&mut self, value: i128, otherwise: IntKind) -> TypeId {
        let fits = i32::try_from(value).is_ok();
        self.types.int(if fits { IntKind::Int } else { otherwise })
    }
}

/// gcc's choice: unsigned if nothing is negative, as wide as needed; narrower than `int` only if it is packed.
fn enum_kind(values: impl Iterator<Item = i128> + Clone, model: DataModel, packed: bool) -> IntKind {
    let (low, high) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
    let narrow = [(IntKind::SChar, 8), (IntKind::Short, 16)];
    for (kind, bits) in narrow.into_iter().filter(|_| packed) {
        if low >= 0 && high < 1 << bits {
            return kind.to_unsigned();
        }
        if low >= -(1 << (bits - 1)) && high < 1 << (bits - 1) {
            return kind;
        }
    }
    let wide = if model == DataModel::Lp64 { IntKind::Long } else { IntKind::LongLong };
    if low >= 0 {
        if high <= u32::MAX.into() { IntKind::UInt } else { wide.to_unsigned() }
    } else if low >= i32::MIN.into() && high <= i32::MAX.into() {
        IntKind::Int
    } else {
        wide
    }
}
