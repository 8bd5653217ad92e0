//! Reads attributes: their names, the texts among their arguments, and whether they are known.

use crate::frontend::known::is_known_attribute;
use lang_c::ast;
use lang_c::span::Node;

pub(super) fn attributes(list: &[Node<ast::Extension>]) -> impl Iterator<Item = &ast::Attribute> {
    list.iter().filter_map(|extension| match &extension.node {
        ast::Extension::Attribute(attribute) => Some(attribute),
        _ => None,
    })
}

/// An attribute's name without the underscores that may surround it.
pub(super) fn attribute_name(attribute: &ast::Attribute) -> &str {
    let name = attribute.name.node.as_str();
    name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name)
}

/// The string literals and decimal numbers among the arguments of an attribute.
pub(super) fn attribute_texts(attribute: &ast::Attribute) -> Vec<String> {
    let text = |argument: &Node<ast::Expression>| match &argument.node {
        ast::Expression::StringLiteral(pieces) => {
            Some(pieces.node.iter().map(|piece| piece.trim_matches('"')).collect())
        }
        ast::Expression::Constant(constant) => match &constant.node {
            ast::Constant::Integer(number) if number.base == ast::IntegerBase::Decimal => {
                Some(number.number.to_string())
            }
            _ => None,
        },
        _ => None,
    };
    attribute.arguments.iter().filter_map(text).collect()
}

pub(super) fn is_known(attribute: &ast::Attribute) -> bool {
    is_known_attribute(attribute_name(attribute), &attribute_texts(attribute))
}
