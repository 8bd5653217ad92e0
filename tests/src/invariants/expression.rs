//! Reads the claims of an analysis: comparisons of a variable's parts with constants, joined by `&&`.

use tandem_plugin_api::program::*;

/// The conjuncts of a claim as expressions of the program, with their texts.
pub fn conjuncts(program: &mut Program, function: FunctionId, claim: &str) -> Result<Vec<(ExprId, String)>, String> {
    // The one constant that C writes as an expression.
    let claim = claim.replace("(-9223372036854775807LL - 1)", "-9223372036854775808LL");
    let texts: Vec<&str> = claim.trim_start_matches('(').trim_end_matches(')').split(" && ").collect();
    texts.into_iter().map(|text| Ok((comparison(program, function, text)?, text.to_string()))).collect()
}

fn comparison(program: &mut Program, function: FunctionId, text: &str) -> Result<ExprId, String> {
    let words: Vec<&str> = text.split(' ').collect();
    let [left, symbol, right] = words[..] else { return Err(format!("no comparison: {text}")) };
    let op = match symbol {
        "<=" => BinaryOp::Le,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        _ => return Err(format!("unknown operator: {text}")),
    };
    let int = program.types.int(IntKind::Int);
    let sides = if constant(left).is_some() { [(right, false), (left, true)] } else { [(left, false), (right, true)] };
    let place = place(program, function, sides[0].0)?;
    let value = constant(sides[1].0).ok_or(format!("no constant: {text}"))?;
    let (place, ty) = match program.types.get(program.exprs.ty(place)) {
        Type::Pointer(_) => (place, program.exprs.ty(place)),
        _ => {
            let shape = program.types.word_shape(program.exprs.ty(place));
            let kind = if shape == Some((64, false)) { IntKind::ULongLong } else { IntKind::LongLong };
            let wide = program.types.int(kind);
            (program.exprs.intern(ExprKind::Cast(place), wide), wide)
        }
    };
    let value = program.exprs.intern(ExprKind::Int(value), ty);
    let (lhs, rhs) = if constant(left).is_some() { (value, place) } else { (place, value) };
    Ok(program.exprs.intern(ExprKind::Binary { op, lhs, rhs }, int))
}

fn constant(text: &str) -> Option<i128> {
    text.trim_end_matches(['U', 'L']).parse().ok()
}

/// `name`, `name.field`, `name[3].field`, …
fn place(program: &mut Program, function: FunctionId, text: &str) -> Result<ExprId, String> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let visible = |v: &&Variable| v.function.is_none_or(|owner| owner == function) && v.name == name;
    if program.variables.iter().filter(visible).count() != 1 {
        return Err(format!("the name `{name}` is not that of one variable"));
    }
    let index = program.variables.iter().position(|v| visible(&v)).unwrap_or_default();
    let ty = program.variables[index].ty;
    let mut place = program.exprs.intern(ExprKind::Var(VarId::new(index)), ty);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (index, after) = after.split_once(']').ok_or(format!("no `]`: {text}"))?;
            let element = program.types.element(program.exprs.ty(place)).ok_or(format!("no array: {text}"))?;
            let long = program.types.int(IntKind::Long);
            let index = index.parse().map_err(|_| format!("no index: {text}"))?;
            let index = program.exprs.intern(ExprKind::Int(index), long);
            place = program.exprs.intern(ExprKind::Index { base: place, index }, element);
            rest = after;
        } else {
            let after = &rest[1..];
            let end = after.find(['.', '[']).unwrap_or(after.len());
            place = member(program, place, &after[..end]).ok_or(format!("no member: {text}"))?;
            rest = &after[end..];
        }
    }
    Ok(place)
}

/// A member by its name, also inside of members without one.
fn member(program: &mut Program, base: ExprId, name: &str) -> Option<ExprId> {
    let Type::Composite(id) = *program.types.get(program.exprs.ty(base)) else { return None };
    let fields = program.types.composite(id).fields.clone();
    for (index, field) in fields.into_iter().enumerate() {
        let part = ExprKind::Field { base, field: index as u32 };
        if field.name == name {
            return Some(program.exprs.intern(part, field.ty));
        }
        if field.name.is_empty() && field.bits.is_none() {
            let part = program.exprs.intern(part, field.ty);
            if let Some(found) = member(program, part, name) {
                return Some(found);
            }
        }
    }
    None
}
