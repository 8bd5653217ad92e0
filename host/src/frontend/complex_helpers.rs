//! C functions for products and quotients of complex numbers, put before the text of programs that have such numbers.
//! They compute as gcc's library does (`__muldc3`, `__divdc3` and relatives); for ILP32 that is in `long double`.

use tandem_plugin_api::program::{BinaryOp, DataModel, FloatKind, IntKind, Type};

/// In a helper, a call of this stands for cases that the helper does not compute.
pub const NOT_A_NUMBER: &str = "__tandem_complex_not_a_number";

const INTEGERS: [IntKind; 11] = [
    IntKind::Char,
    IntKind::SChar,
    IntKind::UChar,
    IntKind::Short,
    IntKind::UShort,
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::LongLong,
    IntKind::ULongLong,
];

pub fn is_helper(name: &str) -> bool {
    name.starts_with("__tandem_complex_")
}

/// The function that does `op` on complex numbers with parts of this type.
pub fn name(op: BinaryOp, part: &Type, model: DataModel) -> Option<String> {
    let verb = match op {
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        _ => return None,
    };
    let wide = if model == DataModel::Ilp32 { "_wide" } else { "" };
    Some(match part {
        Type::Float(FloatKind::Float) if op == BinaryOp::Mul => function_name(verb, "float"),
        Type::Float(FloatKind::Float) => function_name(verb, &format!("float{wide}")),
        Type::Float(FloatKind::Double) => function_name(verb, &format!("double{wide}")),
        Type::Float(FloatKind::LongDouble) => function_name(verb, "long double"),
        Type::Int(kind) if INTEGERS.contains(kind) => function_name(verb, kind.c_name()),
        _ => return None,
    })
}

fn function_name(verb: &str, part: &str) -> String {
    format!("__tandem_complex_{verb}_{}", part.replace(' ', "_"))
}

/// All functions. Those that a program does not use are not lowered.
pub fn text() -> String {
    let mut text = String::new();
    for (part, work, name) in [
        ("float", "float", "float"),
        ("double", "double", "double"),
        ("double", "long double", "double_wide"),
        ("long double", "long double", "long double"),
    ] {
        text += &product(part, work, &function_name("mul", name));
    }
    for (work, name) in [("double", "float"), ("long double", "float_wide")] {
        text += &short_quotient(work, &function_name("div", name));
    }
    for (part, work, name) in [
        ("double", "double", "double"),
        ("double", "long double", "double_wide"),
        ("long double", "long double", "long double"),
    ] {
        text += &quotient(part, work, &function_name("div", name));
    }
    for kind in INTEGERS {
        text += &integer_quotient(kind.c_name(), &function_name("div", kind.c_name()));
    }
    text
}

/// The end of a function, once both parts are computed. Where both are NaN, gcc looks for infinite operands.
fn result() -> String {
    format!("if (x != x && y != y) {NOT_A_NUMBER}(); return __builtin_complex(x, y); }} ")
}

fn head(part: &str, name: &str) -> String {
    let parameters = ["a", "b", "c", "d"].map(|name| format!("{part} {name}")).join(", ");
    format!("static _Complex {part} {name}({parameters}) {{ ")
}

fn product(part: &str, work: &str, name: &str) -> String {
    format!(
        "{} {part} ac = ({work}) a * c, bd = ({work}) b * d, ad = ({work}) a * d, bc = ({work}) b * c; \
         {part} x = ({work}) ac - bd, y = ({work}) ad + bc; {}",
        head(part, name),
        result()
    )
}

/// The quotient of `float`s is computed in a type whose range and precision suffice.
fn short_quotient(work: &str, name: &str) -> String {
    format!(
        "{} {work} p = a, q = b, r = c, s = d; {work} t = r * r + s * s; \
         float x = (p * r + q * s) / t, y = (q * r - p * s) / t; {}",
        head("float", name),
        result()
    )
}

/// Smith's method as Baudin and Smith made it robust; `large` is half of the largest number, `small` the smallest
/// normal one, `scale` is 1 divided by the distance from 1 to the next number, and `middle` is `large / scale`.
fn quotient(part: &str, work: &str, name: &str) -> String {
    let (large, small, unit, scale, middle) = match part {
        "double" => ("0x1.fffffffffffffp+1022", "0x1p-1022", "0x1p-52", "0x1p+52", "0x1.fffffffffffffp+970"),
        _ => ("0x1.fffffffffffffffep+16382L", "0x1p-16382L", "0x1p-63L", "0x1p+63L", "0x1.fffffffffffffffep+16319L"),
    };
    let abs = |value: &str| format!("({value} < 0 ? -{value} : {value})");
    let (abs_p, abs_q, abs_u) = (abs("p"), abs("q"), abs("u"));
    let (abs_r, abs_s) = (abs("r"), abs("s"));
    let scaled = |by: &str| format!("{{ p = p {by}; q = q {by}; r = r {by}; s = s {by}; }}");
    let (halves, scaled) = (scaled("/ 2"), scaled(&format!("* {scale}")));
    // `m` is the absolute value of the larger part of the divisor.
    let prepare = |m: &str| {
        format!(
            "if ({m} >= {large}) {halves} \
             if ({m} < {unit}) {scaled} \
             else if (({abs_p} < {small} && {abs_q} < {middle} && {m} < {middle}) \
             || ({abs_q} < {small} && {abs_p} < {middle} && {m} < {middle})) {scaled} "
        )
    };
    format!(
        "{} {work} p = a, q = b, r = c, s = d, t, u, v, w; \
         if ({abs_r} < {abs_s}) {{ {} u = r / s; t = r * u + s; \
         if ({abs_u} > {small}) {{ v = (p * u + q) / t; w = (q * u - p) / t; }} \
         else {{ v = (r * (p / s) + q) / t; w = (r * (q / s) - p) / t; }} }} \
         else {{ {} u = s / r; t = s * u + r; \
         if ({abs_u} > {small}) {{ v = (q * u + p) / t; w = (q - p * u) / t; }} \
         else {{ v = (p + s * (q / r)) / t; w = (q - s * (p / r)) / t; }} }} \
         {part} x = v, y = w; {}",
        head(part, name),
        prepare(&abs_s),
        prepare(&abs_r),
        result()
    )
}

/// gcc uses Smith's method for integers, too, so that the quotient is rounded in a way of its own.
fn integer_quotient(part: &str, name: &str) -> String {
    format!(
        "{} {part} m = c < 0 ? -c : c, n = d < 0 ? -d : d, u, t, x, y; _Complex {part} z; \
         if (m < n) {{ u = c / d; t = c * u; t = t + d; x = a * u; x = x + b; y = b * u; y = y - a; }} \
         else {{ u = d / c; t = d * u; t = t + c; x = b * u; x = x + a; y = a * u; y = b - y; }} \
         x = x / t; y = y / t; *&!z = x; *&~z = y; return z; }} ",
        head(part, name)
    )
}
