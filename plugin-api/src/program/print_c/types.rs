//! Types as C declarations, and definitions of structs and unions that gcc lays out as the program model says.
//! C writes a declaration around its name, so the text grows from the name outwards.

use super::super::{Composite, CompositeId, Field, Type, TypeId, Variable};
use super::{Names, Printer};
use std::fmt::Write;

impl Printer<'_> {
    /// A variable's declaration under the name that is unique in the program.
    pub(super) fn variable_declaration(&mut self, variable: &Variable) -> String {
        let declaration = self.declaration(variable.ty, &variable.unique_name);
        match variable.align {
            Some(align) => format!("{declaration} __attribute__((aligned({align})))"),
            None => declaration,
        }
    }

    /// `ty` declared for `name`, which may itself be a declarator such as `*p` or `f(int a)`.
    pub(super) fn declaration(&mut self, ty: TypeId, name: &str) -> String {
        let mut declarator = name.to_string();
        let mut at = ty;
        loop {
            let base = match self.program.types.get(at) {
                Type::Void => "void".to_string(),
                Type::Int(kind) => kind.c_name().to_string(),
                Type::Float(kind) => kind.c_name().to_string(),
                Type::Composite(id) => self.tag(*id),
                Type::Pointer(target) => {
                    declarator = match self.program.types.get(*target) {
                        Type::Array { .. } | Type::IncompleteArray { .. } | Type::Function { .. } => {
                            format!("(*{declarator})")
                        }
                        _ => format!("*{declarator}"),
                    };
                    at = *target;
                    continue;
                }
                Type::Array { element, length } => {
                    let _ = write!(declarator, "[{length}]");
                    at = *element;
                    continue;
                }
                Type::IncompleteArray { element } => {
                    declarator.push_str("[]");
                    at = *element;
                    continue;
                }
                Type::Function { result, .. } => {
                    declarator += &self.parameter_types(at);
                    at = *result;
                    continue;
                }
            };
            return if declarator.is_empty() { base } else { format!("{base} {declarator}") };
        }
    }

    /// `(int, char *, ...)` of a function type.
    fn parameter_types(&mut self, ty: TypeId) -> String {
        let program = self.program;
        let Type::Function { parameters, variadic, prototyped, .. } = program.types.get(ty) else {
            return "()".into();
        };
        if !prototyped {
            return "()".into();
        }
        let list: Vec<String> = parameters.iter().map(|&p| self.declaration(p, "")).collect();
        parameter_list(list, *variadic)
    }

    fn tag(&mut self, id: CompositeId) -> String {
        self.used.tags.insert(id);
        let composite = self.program.types.composite(id);
        format!("{} {}", keyword(composite), composite.name)
    }

    /// The member's name. In printed programs anonymous members get one, which changes nothing in the layout.
    pub(super) fn field_name(&self, composite: &Composite, index: usize) -> String {
        match composite.fields.get(index) {
            Some(field) if !field.name.is_empty() => field.name.clone(),
            _ if self.names == Names::Source => String::new(),
            _ => {
                let mut name = format!("anonymous_{index}");
                while composite.fields.iter().any(|f| f.name == name) {
                    name.push('_');
                }
                name
            }
        }
    }

    /// Marks what must be complete where an object of this type is declared, read, or stepped over.
    pub(super) fn need_complete(&mut self, ty: TypeId) {
        match self.program.types.get(ty) {
            Type::Composite(id) => {
                self.used.composites.insert(*id);
                self.used.tags.insert(*id);
            }
            Type::Array { element, .. } | Type::IncompleteArray { element } => self.need_complete(*element),
            _ => {}
        }
    }

    /// The definition of a struct or union, with attributes where the plain one would be laid out differently.
    pub(super) fn composite_definition(&mut self, id: CompositeId, asserts: bool) -> String {
        let composite = self.program.types.composite(id);
        let mut out = format!("{} {} {{\n", keyword(composite), composite.name);
        for (index, field) in composite.fields.iter().enumerate() {
            let _ = writeln!(out, "  {};", self.member(composite, index, field));
        }
        out.push('}');
        if composite.packed {
            out.push_str(" __attribute__((packed))");
        }
        if composite.align > self.natural_align(composite) {
            let _ = write!(out, " __attribute__((aligned({})))", composite.align);
        }
        out.push_str(";\n");
        if asserts {
            self.layout_asserts(composite, &mut out);
        }
        out
    }

    fn member(&mut self, composite: &Composite, index: usize, field: &Field) -> String {
        let mut out = if let Some(bits) = field.bits {
            let name = if field.name.is_empty() { String::new() } else { field.name.clone() };
            format!("{} : {}", self.declaration(field.ty, &name), bits.width)
        } else {
            let name = self.field_name(composite, index);
            match self.program.types.get(field.ty) {
                // gcc wants named members before a flexible one, and none in unions.
                Type::IncompleteArray { element } if composite.is_union || composite.fields.len() == 1 => {
                    self.declaration(*element, &format!("{name}[0]"))
                }
                _ => self.declaration(field.ty, &name),
            }
        };
        let natural = self.program.types.align_of(field.ty);
        let whole = field.bits.is_none() && !composite.packed;
        let unaligned = whole && natural > 1 && !field.offset.is_multiple_of(natural);
        // `#pragma pack` lowers what members are aligned to.
        let lowered = whole && field.explicit_align.is_none() && natural > composite.align;
        match field.explicit_align {
            Some(align) if unaligned => {
                let _ = write!(out, " __attribute__((packed, aligned({align})))");
            }
            Some(align) => {
                let _ = write!(out, " __attribute__((aligned({align})))");
            }
            None if lowered => {
                let _ = write!(out, " __attribute__((packed, aligned({})))", composite.align);
            }
            None if unaligned => out.push_str(" __attribute__((packed))"),
            None => {}
        }
        out
    }

    /// The alignment that gcc gives to the definition without an attribute on the whole.
    fn natural_align(&self, composite: &Composite) -> u64 {
        let of_field = |field: &Field| match field.explicit_align {
            Some(align) if composite.packed => align,
            Some(align) => align.max(self.program.types.align_of(field.ty)),
            None if composite.packed => 1,
            // An unnamed bit-field does not raise the alignment on x86.
            None if field.bits.is_some() && field.name.is_empty() => 1,
            None => self.program.types.align_of(field.ty),
        };
        composite.fields.iter().map(of_field).max().unwrap_or(1)
    }

    fn layout_asserts(&self, composite: &Composite, out: &mut String) {
        let name = format!("{} {}", keyword(composite), composite.name);
        let _ = writeln!(out, "_Static_assert(sizeof({name}) == {}, \"size of {name}\");", composite.size);
        let _ = writeln!(out, "_Static_assert(_Alignof({name}) == {}, \"alignment of {name}\");", composite.align);
        for (index, field) in composite.fields.iter().enumerate() {
            if field.bits.is_some() {
                continue;
            }
            let member = self.field_name(composite, index);
            let _ = writeln!(
                out,
                "_Static_assert(__builtin_offsetof({name}, {member}) == {}, \"offset of {name}.{member}\");",
                field.offset
            );
        }
    }
}

pub(super) fn keyword(composite: &Composite) -> &'static str {
    if composite.is_union { "union" } else { "struct" }
}

/// A parameter list in parentheses.
pub(super) fn parameter_list(mut parameters: Vec<String>, variadic: bool) -> String {
    match (parameters.is_empty(), variadic) {
        (true, false) => "(void)".into(),
        // GNU C11 wants a named parameter before `...`.
        (true, true) => "()".into(),
        (false, _) => {
            if variadic {
                parameters.push("...".into());
            }
            format!("({})", parameters.join(", "))
        }
    }
}
