//! Bounds as C expressions over names of the source at a location.

use crate::interval::{Interval, Shape};
use crate::layout::{Cell, Kind};
use crate::machine::Machine;
use crate::value::{Cells, Value};
use std::collections::BTreeSet;
use tandem_plugin_api::program::{ExprKind, FunctionId, Op, Program, Storage, Type, TypeId, VarId, Variable};

impl Machine {
    /// The bounds of the variables that a function names, as conjuncts.
    pub fn conjuncts(&self, state: &Cells, function: FunctionId, variables: &BTreeSet<VarId>) -> Vec<String> {
        let mut texts = Vec::new();
        for &variable in variables {
            if !is_nameable(&self.program, function, variable) {
                continue;
            }
            state.for_each(&self.layout.of_variable(variable), &mut |number, value| {
                let cell = self.layout.cell(number);
                let name = self.name(cell);
                texts.extend(name.and_then(|name| conjunct(&name, cell.kind, value)));
            });
        }
        texts
    }

    /// The source's name of a cell; `None` for those that stand for several elements.
    fn name(&self, cell: &Cell) -> Option<String> {
        if cell.is_summary() {
            return None;
        }
        let variable = self.program.variable(cell.variable);
        let mut name = variable.name.clone();
        let (mut ty, mut start): (TypeId, i64) = (variable.ty, cell.start);
        loop {
            match self.program.types.get(ty) {
                Type::Array { element, .. } => {
                    let size = i64::try_from(self.program.types.size_of(*element)?).ok()? * 8;
                    name.push_str(&format!("[{}]", start / size));
                    (ty, start) = (*element, start % size);
                }
                Type::Composite(id) => {
                    let composite = self.program.types.composite(*id);
                    let field = composite.fields.iter().find(|field| {
                        let first = field.offset as i64 * 8 + field.bits.map_or(0, |bits| bits.start.into());
                        let width = match field.bits {
                            Some(bits) => Some(bits.width.into()),
                            None => self.program.types.size_of(field.ty).map(|bytes| bytes as i64 * 8),
                        };
                        // Members of a union overlap: the type and place of the cell do not identify the member.
                        !composite.is_union && width.is_some_and(|width| first <= start && start < first + width)
                    })?;
                    if !field.name.is_empty() {
                        name.push_str(&format!(".{}", field.name));
                    }
                    start -= field.offset as i64 * 8 + field.bits.map_or(0, |bits| bits.start.into());
                    ty = field.ty;
                }
                _ => return (start == 0).then_some(name),
            }
        }
    }
}

/// Whether a name in the function's text stands for just this variable.
fn is_nameable(program: &Program, function: FunctionId, id: VarId) -> bool {
    let variable = program.variable(id);
    let by_storage = !matches!(variable.storage, Storage::Temporary | Storage::Result | Storage::StringLiteral);
    let visible = |v: &Variable| v.function.is_none_or(|owner| owner == function);
    let by_name = || program.variables.iter().filter(|v| v.name == variable.name && visible(v)).count() == 1;
    by_storage && !variable.name.is_empty() && visible(variable) && by_name()
}

/// For each function, the variables that its edges mention.
pub fn mentioned(program: &Program) -> Vec<BTreeSet<VarId>> {
    let mut sets = vec![BTreeSet::new(); program.functions.len()];
    for edge in &program.edges {
        let set = &mut sets[program.location(edge.from).function.index()];
        let mut roots = Vec::new();
        match &edge.op {
            Op::Assume { condition, .. } => roots.push(*condition),
            Op::Assign { target, value } => roots.extend([*target, *value]),
            Op::Input { target: Some(target), .. } | Op::Havoc { target } => roots.push(*target),
            Op::Return(Some(value)) => roots.push(*value),
            Op::Call(site) | Op::External(site) => {
                let call = program.call_site(*site);
                roots.extend(call.arguments.iter().copied().chain(call.result));
            }
            _ => {}
        }
        for root in roots {
            program.exprs.walk(root, &mut |expr| {
                if let ExprKind::Var(variable) = program.exprs.kind(expr) {
                    set.insert(variable);
                }
            });
        }
    }
    sets
}

fn conjunct(name: &str, kind: Kind, value: &Value) -> Option<String> {
    match (kind, value) {
        (Kind::Int(shape), Value::Int(interval)) => Some(bounds(name, *interval, shape)),
        (Kind::Pointer, Value::Pointer(pointer)) => {
            pointer.truth().map(|valid| format!("{name} {} 0", if valid { "!=" } else { "==" }))
        }
        _ => None,
    }
}

fn bounds(name: &str, interval: Interval, shape: Shape) -> String {
    let Interval { lo, hi } = interval;
    if lo == hi {
        return format!("{name} == {}", literal(lo));
    }
    match (lo > shape.min(), hi < shape.max()) {
        (true, true) => format!("{} <= {name} && {name} <= {}", literal(lo), literal(hi)),
        (true, false) => format!("{} <= {name}", literal(lo)),
        (_, _) => format!("{name} <= {}", literal(hi)),
    }
}

/// A constant as C writes it, of a type that holds it.
fn literal(value: i128) -> String {
    if i32::try_from(value).is_ok_and(|value| value > i32::MIN) {
        value.to_string()
    } else if value == i128::from(i64::MIN) {
        "(-9223372036854775807LL - 1)".to_string()
    } else if i64::try_from(value).is_ok() {
        format!("{value}LL")
    } else {
        format!("{value}ULL")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_written_as_c() {
        let int = Shape { bits: 32, signed: true };
        let long = Shape { bits: 64, signed: true };
        let unsigned = Shape { bits: 64, signed: false };
        assert_eq!(bounds("x", Interval { lo: 0, hi: 10 }, int), "0 <= x && x <= 10");
        assert_eq!(bounds("x", Interval { lo: int.min(), hi: 10 }, int), "x <= 10");
        assert_eq!(bounds("x", Interval { lo: -7, hi: int.max() }, int), "-7 <= x");
        assert_eq!(bounds("x", Interval::point(int.min()), int), "x == -2147483648LL");
        assert_eq!(bounds("x", Interval::point(long.min()), long), "x == (-9223372036854775807LL - 1)");
        assert_eq!(bounds("x", Interval::point(unsigned.max()), unsigned), "x == 18446744073709551615ULL");
    }
}
