//! Structs with variable-length arrays among their members (a GNU extension). An object of such a type is an array of
//! bytes whose length is the struct's size, and its members stand at offsets that are computed where the struct is defined.

use super::layout::{Member, Shape, place_members};
use super::places::{Located, Value};
use super::scopes::{DeclaredType, Dims};
use super::{Lowered, Lowerer};
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tandem_plugin_api::program::*;

/// Nothing in a frame is aligned more than this.
const MOST_ALIGNED: u64 = 16;

#[derive(Default)]
pub(super) struct VariableStructs {
    by_composite: FxHashMap<CompositeId, Rc<VariableStruct>>,
    /// By the type that stands for a byte of such a struct.
    by_byte: FxHashMap<TypeId, Rc<VariableStruct>>,
}

pub(super) struct VariableStruct {
    byte: TypeId,
    size: ExprId,
    align: u64,
    members: Vec<Placed>,
}

/// A variable-length array, or a group of other members as a struct of its own without a name.
struct Placed {
    name: String,
    ty: TypeId,
    array: Option<Dims>,
    offset: ExprId,
}

/// An offset while members are placed, and a number that is known to divide it.
struct Offset {
    value: ExprId,
    multiple_of: u64,
}

impl Lowerer<'_> {
    /// The declared type for a struct or union.
    pub fn struct_type(&self, ty: TypeId) -> DeclaredType {
        match self.types.get(ty) {
            Type::Composite(id) => match self.variable_structs.by_composite.get(id) {
                Some(of) => {
                    DeclaredType { ty: of.byte, array: Some([of.size].into()), pointee: None, align: Some(of.align) }
                }
                None => DeclaredType::plain(ty),
            },
            _ => DeclaredType::plain(ty),
        }
    }

    /// The struct that a pointer to its bytes belongs to.
    fn variable_struct(&self, pointer: ExprId) -> Option<Rc<VariableStruct>> {
        let byte = self.types.pointee(self.exprs.ty(pointer))?;
        self.variable_structs.by_byte.get(&byte).cloned()
    }

    /// Whether a value is a whole struct of variable length, which only assignments and `.` can take.
    pub fn is_variable_struct(&self, value: &Value) -> bool {
        value.pointee.is_none() && self.variable_struct(value.expr).is_some()
    }

    pub fn is_variable_struct_type(&self, declared: &DeclaredType) -> bool {
        declared.array.as_ref().is_some_and(|dims| dims.len() == 1)
            && self.variable_structs.by_byte.contains_key(&declared.ty)
    }

    /// Places the members of a struct of which some, by their indices, are variable-length arrays.
    pub fn define_variable_struct(
        &mut self,
        id: CompositeId,
        members: Vec<Member>,
        lengths: Vec<(usize, Dims)>,
        shape: Shape,
        span: AstSpan,
    ) -> Lowered<()> {
        if shape.is_union {
            return self.unsupported("variable-length array inside a union", span);
        }
        let mut lengths: FxHashMap<usize, Dims> = lengths.into_iter().collect();
        let mut at = Offset { value: self.size_constant(0), multiple_of: MOST_ALIGNED };
        let (mut placed, mut group, mut align) = (Vec::new(), Vec::new(), shape.align.unwrap_or(1));
        for (index, member) in members.into_iter().enumerate() {
            let Some(dims) = lengths.remove(&index) else {
                group.push(member);
                continue;
            };
            self.place_group(std::mem::take(&mut group), shape, &mut at, &mut align, &mut placed, span)?;
            let own = self.member_alignment(&member, shape);
            align = align.max(own);
            self.align_offset(&mut at, own, span)?;
            let bytes = self.dims_size(member.ty, &dims);
            let element = self.types.size_of(member.ty).unwrap_or(1);
            placed.push(Placed { name: member.name, ty: member.ty, array: Some(dims), offset: at.value });
            let end = self.binary(BinaryOp::Add, at.value, bytes);
            at.value = self.save(end, span)?;
            at.multiple_of = at.multiple_of.min(1 << element.max(1).trailing_zeros());
        }
        self.place_group(group, shape, &mut at, &mut align, &mut placed, span)?;
        if align > MOST_ALIGNED {
            return self.unsupported("struct of variable length with a large alignment", span);
        }
        self.align_offset(&mut at, align, span)?;
        let byte = self.types.alias(Type::Int(IntKind::UChar));
        let defined = Rc::new(VariableStruct { byte, size: at.value, align, members: placed });
        self.variable_structs.by_composite.insert(id, Rc::clone(&defined));
        self.variable_structs.by_byte.insert(byte, defined);
        Ok(())
    }

    fn member_alignment(&self, member: &Member, shape: Shape) -> u64 {
        let natural = member.type_align.unwrap_or_else(|| self.types.align_of(member.ty));
        let natural = if shape.packed || member.packed { 1 } else { natural };
        natural.max(member.align.unwrap_or(1)).min(shape.pack.unwrap_or(u64::MAX))
    }

    fn align_offset(&mut self, at: &mut Offset, align: u64, span: AstSpan) -> Lowered<()> {
        if at.multiple_of < align {
            let size = self.common.size;
            let [more, mask] =
                [i128::from(align) - 1, -i128::from(align)].map(|number| self.int_constant(number, size));
            let sum = self.binary(BinaryOp::Add, at.value, more);
            let rounded = self.binary(BinaryOp::BitAnd, sum, mask);
            at.value = self.save(rounded, span)?;
            at.multiple_of = align;
        }
        Ok(())
    }

    /// Members of fixed size. They stand as in a struct of their own where the offset has its alignment; else each by
    /// itself, which does not work for bit-fields.
    fn place_group(
        &mut self,
        members: Vec<Member>,
        shape: Shape,
        at: &mut Offset,
        align: &mut u64,
        placed: &mut Vec<Placed>,
        span: AstSpan,
    ) -> Lowered<()> {
        let most = members.iter().map(|member| self.member_alignment(member, shape)).max().unwrap_or(1);
        let groups: Vec<Vec<Member>> = if members.is_empty() {
            Vec::new()
        } else if at.multiple_of >= most {
            vec![members]
        } else if members.iter().any(|member| member.bit_width.is_some()) {
            return self.unsupported("bit-field behind a variable-length array in a struct", span);
        } else {
            members.into_iter().map(|member| vec![member]).collect()
        };
        *align = (*align).max(most);
        for group in groups {
            let own = group.iter().map(|member| self.member_alignment(member, shape)).max().unwrap_or(1);
            self.align_offset(at, own, span)?;
            let id = self.new_composite(None, false);
            let mut composite = self.types.composite(id).clone();
            place_members(&self.types, &mut composite, group, Shape { align: None, ..shape });
            let end = composite.fields.iter().map(|field| self.end_of(field)).max().unwrap_or(0);
            self.types.composites[id.index()] = composite;
            let ty = self.types.intern(Type::Composite(id));
            placed.push(Placed { name: String::new(), ty, array: None, offset: at.value });
            let bytes = self.size_constant(end);
            let behind = self.binary(BinaryOp::Add, at.value, bytes);
            at.value = self.save(behind, span)?;
            at.multiple_of = at.multiple_of.min(if end == 0 { MOST_ALIGNED } else { 1 << end.trailing_zeros() });
        }
        Ok(())
    }

    /// The first byte behind a member.
    fn end_of(&self, field: &Field) -> u64 {
        let bytes = match field.bits {
            Some(bits) => u64::from(bits.start + bits.width).div_ceil(8),
            None => self.types.size_of(field.ty).unwrap_or(0),
        };
        field.offset + bytes
    }

    /// A member of a struct of variable length; `None` if `of` is something else, or has no such member.
    pub fn variable_member(&mut self, of: &Located, name: &str) -> Option<Located> {
        let defined = self.variable_struct(of.expr).filter(|_| of.array.as_ref().is_none_or(|dims| dims.len() == 1))?;
        for member in &defined.members {
            let path = if member.name.is_empty() { self.member_path(member.ty, name) } else { None };
            if member.name != name && path.is_none() {
                continue;
            }
            let bytes = self.types.pointer_to(self.common.char);
            let address = self.cast(of.expr, bytes);
            let address = self.pointer_add(address, member.offset);
            let pointer = self.types.pointer_to(member.ty);
            let pointer = self.cast(address, pointer);
            if let Some(dims) = &member.array {
                return Some(Located { expr: pointer, array: Some(Rc::clone(dims)), pointee: None });
            }
            let group = self.deref(pointer);
            return self.named_member(group, name).map(|(place, _)| place.into());
        }
        None
    }

    /// `a = b` for structs of variable length.
    pub fn copy_variable_struct(&mut self, to: ExprId, from: &Value, span: AstSpan) -> Lowered<Value> {
        let (Some(defined), true) = (self.variable_struct(to), self.is_variable_struct(from)) else {
            return self.invalid("an array cannot be assigned to", span);
        };
        let (pointer, size) = (self.common.void_pointer, self.common.size);
        let function = self.library_function("__builtin_memcpy", pointer, &[pointer, pointer, size], span);
        let arguments = vec![self.cast(to, pointer), self.cast(from.expr, pointer), defined.size];
        self.emit_call(Callee::Function(function), arguments, pointer, false, span)?;
        Ok(to.into())
    }

    /// `__builtin_offsetof(T, a.b[i])` where `T` has variable length.
    pub fn offset_in_variable_struct(
        &mut self,
        declared: &DeclaredType,
        of: &ast::OffsetOfExpression,
        span: AstSpan,
    ) -> Lowered<Value> {
        let pointer = self.types.pointer_to(declared.ty);
        let null = self.int_constant(0, pointer);
        let mut place = Located { expr: null, array: declared.array.clone(), pointee: None };
        let designator = &of.designator.node;
        place = self.offset_step(place, &designator.base)?;
        for member in &designator.members {
            place = match &member.node {
                ast::OffsetMember::Member(name) => self.offset_step(place, name)?,
                ast::OffsetMember::Index(index) => {
                    let index = self.value(index)?.expr;
                    let first = self.load(place);
                    let element = self.offset_pointer(first, index);
                    self.pointed(element, span)?
                }
                ast::OffsetMember::IndirectMember(_) => return self.unsupported("`->` in `offsetof`", span),
            };
        }
        let address = if place.array.is_some() { place.expr } else { self.address_of(place.expr) };
        let size = self.common.size;
        Ok(self.cast(address, size).into())
    }

    fn offset_step(&mut self, place: Located, name: &Node<ast::Identifier>) -> Lowered<Located> {
        let text = name.node.name.as_str();
        let found = match self.variable_member(&place, text) {
            Some(found) => Some(found),
            None => self.named_member(place.expr, text).map(|(member, _)| member.into()),
        };
        match found {
            Some(found) => Ok(found),
            None => self.invalid(format!("no member `{text}`"), name.span),
        }
    }

    /// The type of an operand of `typeof`. One with variable lengths is evaluated, as C has it.
    pub fn declared_type_of(&mut self, e: &Node<ast::Expression>) -> Lowered<DeclaredType> {
        let ty = self.unevaluated(|s| s.operand_type(e))?;
        if !self.is_place(e) {
            let value = self.unevaluated(|s| s.value(e))?;
            return match value.pointee {
                Some(_) => Ok(DeclaredType { pointee: self.value(e)?.pointee, ..DeclaredType::plain(ty) }),
                None => Ok(DeclaredType::plain(ty)),
            };
        }
        let located = self.unevaluated(|s| s.place(e))?;
        if located.array.is_none() && located.pointee.is_none() {
            return Ok(DeclaredType::plain(ty));
        }
        let located = self.place(e)?;
        match located.array {
            Some(dims) => {
                let element = self.types.pointee(self.exprs.ty(located.expr)).unwrap_or(self.common.char);
                Ok(DeclaredType { array: Some(dims), ..DeclaredType::plain(element) })
            }
            None => Ok(DeclaredType { pointee: located.pointee, ..DeclaredType::plain(ty) }),
        }
    }
}
