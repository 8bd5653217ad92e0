//! The padding of an automatic object with an initialiser: gcc clears an object of which the initialiser does not name
//! every member. Of any other object it writes the members alone, so that the bits between them keep their values.

use super::draft::DraftOp;
use super::initial_values::Executed;
use super::{Lowered, Lowerer};
use lang_c::span::Span as AstSpan;
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    /// Whether some bits of the type belong to no member.
    pub fn has_padding(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Float(kind) => *kind == FloatKind::LongDouble,
            Type::Array { element, .. } => self.has_padding(*element),
            Type::Composite(id) => {
                let composite = self.types.composite(*id);
                let bits = |field: &Field| match field.bits {
                    Some(_) if field.name.is_empty() => 0,
                    Some(bits) => bits.width.into(),
                    None => self.types.size_of(field.ty).unwrap_or(0) * 8,
                };
                let named = composite.fields.iter().map(bits);
                let held: u64 = if composite.is_union { named.max().unwrap_or(0) } else { named.sum() };
                held < composite.size * 8 || composite.fields.iter().any(|field| self.has_padding(field.ty))
            }
            _ => false,
        }
    }

    /// Whether every member and element of a place got a value, by itself or as part of a larger value.
    pub fn is_complete(&mut self, place: ExprId, done: &Executed) -> bool {
        if done.whole.contains(&place) || done.strings.contains(&place) {
            return true;
        }
        let ty = self.exprs.ty(place);
        match *self.types.get(ty) {
            Type::Array { length, .. } => (0..length).all(|index| {
                let element = self.element_at(place, index);
                self.is_complete(element, done)
            }),
            Type::Composite(id) => {
                let composite = self.types.composite(id);
                let (is_union, size) = (composite.is_union, composite.size);
                let named: Vec<usize> = (0..composite.fields.len())
                    .filter(|&field| {
                        !(composite.fields[field].bits.is_some() && composite.fields[field].name.is_empty())
                    })
                    .collect();
                let mut fields =
                    named.into_iter().map(|field| self.field(place, id, field)).collect::<Vec<_>>().into_iter();
                match is_union {
                    // One member, and only if nothing of the union lies behind it.
                    true => fields.any(|field| {
                        done.has_value(field)
                            && self.types.size_of(self.exprs.ty(field)) == Some(size)
                            && self.is_complete(field, done)
                    }),
                    false => fields.all(|field| self.is_complete(field, done)),
                }
            }
            _ => done.has_value(place),
        }
    }

    /// Undoes the clearing of the whole object, which the edge with this index does.
    pub fn keep_padding(&mut self, edge: usize, span: AstSpan) -> Lowered<()> {
        if let Some(edge) = self.draft(span)?.edges.get_mut(edge)
            && matches!(edge.op, DraftOp::Plain(Op::Assign { .. }))
        {
            edge.op = DraftOp::Plain(Op::Skip);
        }
        Ok(())
    }
}
