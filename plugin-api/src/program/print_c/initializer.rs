//! Initial values of globals as C initialisers: the model's list of (place, value) becomes a tree of braces.

use super::super::{Composite, ExprId, ExprKind, Initial, IntKind, Program, Type, TypeId, VarId};
use super::Printer;
use super::constant::string;
use std::collections::BTreeMap;

/// Initial values below a place; what is absent is zero.
#[derive(Debug)]
enum Values {
    Scalar(ExprId),
    Parts(BTreeMap<u64, Values>),
}

/// One step from an object into it: a member or an element.
struct Step {
    part: u64,
    into_union: bool,
}

impl Printer<'_> {
    /// ` = …`, or nothing where all is zero. `Err` names a place that no initialiser can express.
    pub(super) fn initializer(&mut self, variable: VarId) -> Result<String, String> {
        let variable = self.program.variable(variable);
        let mut root = Values::Parts(BTreeMap::new());
        for initial in &variable.initializer {
            let Some(path) = path_to(self.program, initial.place) else {
                return Err(self.any_type(initial.place).text);
            };
            insert(self.program, &mut root, &path, initial);
        }
        Ok(match &root {
            Values::Parts(parts) if parts.is_empty() => String::new(),
            values => format!(" = {}", self.initial_values(values, variable.ty)),
        })
    }

    fn initial_values(&mut self, values: &Values, ty: TypeId) -> String {
        match values {
            Values::Scalar(value) => match self.program.exprs.kind(*value) {
                ExprKind::Var(literal) if self.program.types.is_aggregate(ty) => {
                    let bytes = bytes_of_string(self.program, literal).unwrap_or_default();
                    string(&bytes)
                }
                _ => self.assigned(*value).text,
            },
            Values::Parts(parts) => match self.program.types.get(ty) {
                Type::Array { element, .. } | Type::IncompleteArray { element } => {
                    match character_bytes(self.program, *element, parts) {
                        Some(bytes) => string(&bytes),
                        None => self.elements(parts, *element),
                    }
                }
                Type::Composite(id) => self.members(parts, self.program.types.composite(*id)),
                _ => "0".into(),
            },
        }
    }

    fn elements(&mut self, parts: &BTreeMap<u64, Values>, element: TypeId) -> String {
        let mut next = 0;
        let mut list = Vec::with_capacity(parts.len());
        for (&index, values) in parts {
            let text = self.initial_values(values, element);
            list.push(if index == next { text } else { format!("[{index}] = {text}") });
            next = index + 1;
        }
        if list.is_empty() { "{0}".into() } else { format!("{{{}}}", list.join(", ")) }
    }

    fn members(&mut self, parts: &BTreeMap<u64, Values>, composite: &Composite) -> String {
        let mut list = Vec::with_capacity(parts.len());
        for (&index, values) in parts {
            let Some(field) = composite.fields.get(index as usize) else { continue };
            let name = self.field_name(composite, index as usize);
            list.push(format!(".{name} = {}", self.initial_values(values, field.ty)));
        }
        if list.is_empty() { "{}".into() } else { format!("{{{}}}", list.join(", ")) }
    }
}

/// The contents of a string literal without the final zero, where it is one of single bytes.
pub(super) fn bytes_of_string(program: &Program, id: VarId) -> Option<Vec<u8>> {
    let variable = program.variable(id);
    let Type::Array { element, .. } = *program.types.get(variable.ty) else { return None };
    let mut root = Values::Parts(BTreeMap::new());
    for initial in &variable.initializer {
        insert(program, &mut root, &path_to(program, initial.place)?, initial);
    }
    match root {
        Values::Parts(parts) => character_bytes(program, element, &parts),
        Values::Scalar(_) => None,
    }
}

/// The elements as bytes, up to the last that is not zero; `None` if they are not characters.
fn character_bytes(program: &Program, element: TypeId, parts: &BTreeMap<u64, Values>) -> Option<Vec<u8>> {
    if !matches!(program.types.get(element), Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)) {
        return None;
    }
    let mut bytes = Vec::new();
    for (&index, values) in parts {
        let Values::Scalar(value) = values else { return None };
        let byte = program.exprs.as_int(*value)? as u8;
        // A few characters far into a large buffer are better written as designated elements.
        if index as usize > bytes.len() + 64 {
            return None;
        }
        bytes.resize(index as usize, 0);
        bytes.push(byte);
    }
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    Some(bytes)
}

/// The steps from the variable to a constant place inside it.
fn path_to(program: &Program, place: ExprId) -> Option<Vec<Step>> {
    let mut path = Vec::new();
    let mut at = place;
    loop {
        match program.exprs.kind(at) {
            ExprKind::Var(_) => break,
            ExprKind::Field { base, field } => {
                let into_union = match program.types.get(program.exprs.ty(base)) {
                    Type::Composite(id) => program.types.composite(*id).is_union,
                    _ => return None,
                };
                path.push(Step { part: field.into(), into_union });
                at = base;
            }
            ExprKind::Index { base, index } => {
                let part = u64::try_from(program.exprs.as_int(index)?).ok()?;
                path.push(Step { part, into_union: false });
                at = base;
            }
            _ => return None,
        }
    }
    path.reverse();
    Some(path)
}

fn insert(program: &Program, root: &mut Values, path: &[Step], initial: &Initial) {
    let mut at = root;
    for step in path {
        if matches!(at, Values::Scalar(_)) {
            *at = Values::Parts(BTreeMap::new());
        }
        let Values::Parts(parts) = at else { return };
        if step.into_union {
            // A union holds the member that was initialised last.
            parts.retain(|&part, _| part == step.part);
        }
        at = parts.entry(step.part).or_insert_with(|| Values::Parts(BTreeMap::new()));
    }
    *at = match program.exprs.kind(initial.value) {
        ExprKind::Zeroed => Values::Parts(BTreeMap::new()),
        _ => Values::Scalar(initial.value),
    };
}
