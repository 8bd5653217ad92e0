//! `_Alignof` and `__alignof__`: of types, and of variables and functions that are declared with an alignment of their
//! own.

use super::ast_query::is_assignment;
use super::places::Value;
use super::scopes::Symbol;
use super::type_specifiers::Specifiers;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression, UnaryOperator};
use lang_c::span::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::program::*;

/// Objects with a stricter alignment than this are unsupported: our execution's stack has no room for them.
const STRICTEST: u64 = 4096;

/// Memory of variable-length arrays has this alignment, in gcc's build and in our execution.
const STACK: u64 = 16;

/// The alignments of functions by their declarations. Variables keep theirs themselves.
#[derive(Default)]
pub(super) struct DeclaredAlignments {
    functions: FxHashMap<FunctionId, u64>,
    /// Some name of a type has an alignment of its own, which expressions of the type do not show.
    pub in_types: bool,
    /// Structures whose members have alignments that differ from those of their types.
    pub odd: FxHashSet<CompositeId>,
}

impl Lowerer<'_> {
    /// To be called after a declaration: `of_type` is the alignment of the type's name.
    pub fn note_alignment(
        &mut self,
        specifiers: &Specifiers<'_>,
        of_type: Option<u64>,
        name: &str,
        declarator: &Node<ast::Declarator>,
    ) -> Lowered<()> {
        let specified = self.specified_alignment(specifiers);
        let own = self.own_alignment(specifiers, Some(declarator)).or(of_type);
        let Some(align) = own.max(specified) else { return Ok(()) };
        if align > STRICTEST {
            return self.unsupported(format!("alignment of more than {STRICTEST} bytes"), declarator.span);
        }
        match self.scopes.lookup(name) {
            // The declared variable is the pointer to its memory, which the stack aligns.
            Some(Symbol::Variable { array: Some(_), .. }) if align <= STACK => Ok(()),
            Some(Symbol::Variable { array: Some(_), .. }) => {
                self.unsupported("variable-length array with an alignment of its own", declarator.span)
            }
            Some(&Symbol::Variable { id, .. }) => {
                let noted = &mut self.variables[id.index()].align;
                *noted = Some(align).max(*noted);
                Ok(())
            }
            Some(&Symbol::Function(id)) => {
                let noted = self.alignments.functions.entry(id).or_insert(0);
                *noted = align.max(*noted);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The operand is not evaluated (C11 6.5.3.4).
    pub fn align_of(&mut self, name: &Node<ast::TypeName>, is_standard: bool) -> Lowered<Value> {
        let align = match operand(name) {
            // The parser takes the name of a type for that of a variable here.
            Some(ast::TypeOf::Expression(e)) => match self.named_type(e) {
                Some((ty, align)) => align.unwrap_or(self.alignment_of(ty, is_standard)),
                None => self.place_alignment(e)?,
            },
            Some(ast::TypeOf::Type(inner)) => self.type_alignment(inner, is_standard)?,
            None => self.type_alignment(name, is_standard)?,
        };
        Ok(self.size_constant(align).into())
    }

    fn type_alignment(&mut self, name: &Node<ast::TypeName>, is_standard: bool) -> Lowered<u64> {
        let declared = self.unevaluated(|s| s.type_name(name))?;
        let specifiers = Specifiers::of_qualifiers(&name.node.specifiers);
        let own = self.own_alignment(&specifiers, name.node.declarator.as_ref());
        Ok(own.or(declared.align).unwrap_or(self.alignment_of(declared.ty, is_standard)))
    }

    fn alignment_of(&self, ty: TypeId, is_standard: bool) -> u64 {
        if is_standard { self.standard_alignment(ty) } else { self.natural_alignment(ty) }
    }

    fn named_type(&self, e: &Node<Expression>) -> Option<(TypeId, Option<u64>)> {
        let Expression::Identifier(id) = &e.node else { return None };
        match self.scopes.lookup(&id.node.name) {
            Some(Symbol::Typedef(declared)) => Some((declared.ty, declared.align)),
            _ => None,
        }
    }

    /// The alignment that `_Alignas` demands.
    pub fn specified_alignment(&mut self, specifiers: &Specifiers<'_>) -> Option<u64> {
        match specifiers.alignment? {
            ast::AlignmentSpecifier::Type(name) => self.type_alignment(name, true).ok(),
            ast::AlignmentSpecifier::Constant(e) => u64::try_from(self.constant_integer(e).ok()?).ok(),
        }
        .filter(|align| align.is_power_of_two())
    }

    fn place_alignment(&mut self, e: &Node<Expression>) -> Lowered<u64> {
        if let Expression::Identifier(id) = &e.node {
            match self.scopes.lookup(&id.node.name) {
                Some(Symbol::Variable { id, array: None, .. }) => {
                    if let Some(align) = self.variables[id.index()].align {
                        return Ok(align);
                    }
                }
                // Without an alignment of their own, functions begin anywhere.
                Some(Symbol::Function(id)) => return Ok(self.alignments.functions.get(id).copied().unwrap_or(1)),
                _ => {}
            }
        }
        // `*&x` is `x`.
        if let Expression::UnaryOperator(outer) = &e.node
            && outer.node.operator.node == UnaryOperator::Indirection
            && let Expression::UnaryOperator(inner) = &outer.node.operand.node
            && inner.node.operator.node == UnaryOperator::Address
        {
            return self.place_alignment(&inner.node.operand);
        }
        if matches!(e.node, Expression::Member(_)) {
            let place = self.unevaluated(|s| Ok(s.place(e)?.expr))?;
            if self.is_member_of_odd(place) {
                return self.unsupported("alignment of a member that is packed or limited by a pragma", e.span);
            }
            if let Some(align) = self.alignment_as_member(place) {
                return Ok(align);
            }
        }
        if self.alignments.in_types {
            return self.unsupported("alignment of an expression beside a type with an alignment of its own", e.span);
        }
        // Of a variable-length array, only the elements have a type: it is a pointer to the first.
        if self.is_place(e) {
            let located = self.unevaluated(|s| s.place(e))?;
            let element = located.array.and_then(|_| self.types.pointee(self.exprs.ty(located.expr)));
            if let Some(element) = element {
                return Ok(self.natural_alignment(element));
            }
        }
        let ty = self.unevaluated(|s| s.operand_type(e))?;
        Ok(self.natural_alignment(ty))
    }

    fn is_member_of_odd(&self, place: ExprId) -> bool {
        let ExprKind::Field { base, .. } = self.exprs.kind(place) else { return false };
        matches!(self.types.get(self.exprs.ty(base)), Type::Composite(id) if self.alignments.odd.contains(id))
    }

    /// Checks an operand of `typeof` or `__auto_type`, whose type is that of its expression, alignment included.
    pub fn check_operand_type(&mut self, e: &Node<Expression>) -> Lowered<()> {
        if self.alignments.in_types && !self.is_plain_variable(e) {
            return self.unsupported("type of an expression beside a type with an alignment of its own", e.span);
        }
        self.check_bit_field_operand(e)
    }

    /// Whether an operand is the name of a variable whose type has no alignment of its own.
    fn is_plain_variable(&self, e: &Node<Expression>) -> bool {
        let Expression::Identifier(id) = &e.node else { return false };
        match self.scopes.lookup(&id.node.name) {
            Some(Symbol::Variable { id, .. }) => {
                let variable = &self.variables[id.index()];
                variable.align.is_none() && variable.storage != Storage::Parameter
            }
            _ => false,
        }
    }

    /// gcc gives `(0, s.b)`, `s.b = 1` and `s.b++` the type of the bit-field, which is as wide as that.
    pub fn check_bit_field_operand(&mut self, e: &Node<Expression>) -> Lowered<()> {
        let inner = match &e.node {
            Expression::Comma(list) => match list.last() {
                Some(last) => return self.check_bit_field_result(last, e),
                None => return Ok(()),
            },
            Expression::BinaryOperator(b) if is_assignment(&b.node.operator.node) => &b.node.lhs,
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement => &u.node.operand,
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        self.check_bit_field_result(inner, e)
    }

    fn check_bit_field_result(&mut self, inner: &Node<Expression>, of: &Node<Expression>) -> Lowered<()> {
        if !self.is_place(inner) {
            return self.check_bit_field_operand(inner);
        }
        let place = self.unevaluated(|s| Ok(s.place(inner)?.expr))?;
        match self.bit_field(place).is_some() {
            true => self.unsupported("type of an expression that has the width of a bit-field", of.span),
            false => Ok(()),
        }
    }

    fn alignment_as_member(&self, place: ExprId) -> Option<u64> {
        let ExprKind::Field { base, field } = self.exprs.kind(place) else { return None };
        let Type::Composite(id) = *self.types.get(self.exprs.ty(base)) else { return None };
        let composite = self.types.composite(id);
        let member = composite.fields.get(field as usize)?;
        let usual = if composite.packed { 1 } else { self.types.align_of(member.ty).min(composite.align) };
        Some(member.explicit_align.unwrap_or(usual))
    }
}

/// The text has made `__typeof(operand)[]` of an operand that may be an expression.
fn operand(name: &Node<ast::TypeName>) -> Option<&ast::TypeOf> {
    let declarator = &name.node.declarator.as_ref()?.node;
    let marked = matches!(declarator.kind.node, ast::DeclaratorKind::Abstract)
        && matches!(declarator.derived.as_slice(), [Node { node: ast::DerivedDeclarator::Array(array), .. }]
            if matches!(array.node.size, ast::ArraySize::Unknown));
    match name.node.specifiers.as_slice() {
        [
            Node {
                node: ast::SpecifierQualifier::TypeSpecifier(Node { node: ast::TypeSpecifier::TypeOf(of), .. }),
                ..
            },
        ] if marked => Some(&of.node),
        _ => None,
    }
}
