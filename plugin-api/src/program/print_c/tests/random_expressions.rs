//! Random typed expressions, printed and evaluated by gcc: value and type must be what the model says. This is what
//! shows that no cast is left out that matters.

use super::build::{Build, compile_and_run};
use crate::program::print_c::{Names, Printer};
use crate::program::*;
use std::fmt::Write;

const INTS: [IntKind; 12] = [
    IntKind::Bool,
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
const FLOATS: [FloatKind; 4] = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128];

struct Random {
    build: Build,
    state: u64,
    /// Variables with their values.
    variables: Vec<(ExprId, Constant)>,
}

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) as usize % limit
    }

    fn some_type(&mut self) -> TypeId {
        match self.below(8) {
            0 => {
                let kind = FLOATS[self.below(4)];
                self.build.float_type(kind)
            }
            1..=4 => self.build.int_type(IntKind::Int),
            _ => {
                let kind = INTS[self.below(12)];
                self.build.int_type(kind)
            }
        }
    }

    fn int_value(&mut self, ty: TypeId) -> i128 {
        let types = &self.build.program.types;
        let (bits, signed) = types.word_shape(ty).expect("an integer");
        let smallest = if signed { -(1i128 << (bits - 1)) } else { 0 };
        let largest = if signed { (1i128 << (bits - 1)) - 1 } else { (1i128 << bits) - 1 };
        let value = match self.below(6) {
            0 => smallest,
            1 => largest,
            2 => smallest + self.below(3) as i128,
            3 => largest - self.below(300) as i128,
            _ => self.below(20) as i128 - 5,
        };
        value.clamp(smallest, largest)
    }

    fn leaf(&mut self, ty: TypeId) -> (ExprId, Constant) {
        if let Type::Float(kind) = *self.build.program.types.get(ty) {
            let text = ["0.0", "1.5", "-2.25", "1e10", "0.1", "-7.0"][self.below(6)];
            let magnitude = constant::parse_float(text.trim_start_matches('-'), kind).expect("a number");
            let value = Constant::Float(magnitude);
            let types = &self.build.program.types;
            let value = match text.starts_with('-') {
                true => types.unary_constant(UnaryOp::Negate, value, ty).expect("negates"),
                false => value,
            };
            let Constant::Float(bits) = value else { panic!() };
            let constant = self.build.expr(ExprKind::Float(bits), ty);
            return self.constant_or_variable(constant, value, ty);
        }
        let value = self.int_value(ty);
        let constant = self.build.expr(ExprKind::Int(value), ty);
        self.constant_or_variable(constant, Constant::Int(value), ty)
    }

    fn constant_or_variable(&mut self, constant: ExprId, value: Constant, ty: TypeId) -> (ExprId, Constant) {
        if self.below(3) == 0 {
            return (constant, value);
        }
        let name = format!("v{}", self.variables.len());
        let variable = self.build.variable(&name, ty, Storage::Global);
        self.build.initial(variable, constant);
        self.variables.push((variable, value));
        (variable, value)
    }

    fn cast(&mut self, (expr, value): (ExprId, Constant), to: TypeId) -> Option<(ExprId, Constant)> {
        let from = self.build.program.exprs.ty(expr);
        if from == to {
            return Some((expr, value));
        }
        let converted = self.build.program.types.convert_constant(value, from, to)?;
        Some((self.build.cast(expr, to), converted))
    }

    /// An expression with its value; `None` where C leaves the value undefined.
    fn expression(&mut self, depth: usize) -> Option<(ExprId, Constant)> {
        let ty = self.some_type();
        if depth == 0 {
            return Some(self.leaf(ty));
        }
        match self.below(8) {
            0 => {
                let inner = self.expression(depth - 1)?;
                self.cast(inner, ty)
            }
            1 => self.unary(depth, ty),
            2 => self.shift(depth, ty),
            3 => self.choice(depth, ty),
            _ => self.binary(depth, ty),
        }
    }

    fn unary(&mut self, depth: usize, ty: TypeId) -> Option<(ExprId, Constant)> {
        let inner = self.expression(depth - 1)?;
        let inner = self.cast(inner, ty)?;
        let op = match self.below(3) {
            0 => UnaryOp::LogicalNot,
            1 if self.build.program.types.is_integer(ty) => UnaryOp::BitNot,
            _ => UnaryOp::Negate,
        };
        if self.is_bool(ty) {
            return Some(inner);
        }
        let value = self.build.program.types.unary_constant(op, inner.1, ty)?;
        Some((self.build.unary(op, inner.0), value))
    }

    fn is_bool(&self, ty: TypeId) -> bool {
        *self.build.program.types.get(ty) == Type::Int(IntKind::Bool)
    }

    fn binary(&mut self, depth: usize, ty: TypeId) -> Option<(ExprId, Constant)> {
        use BinaryOp::*;
        let (lhs, rhs) = (self.expression(depth - 1)?, self.expression(depth - 1)?);
        let (lhs, rhs) = (self.cast(lhs, ty)?, self.cast(rhs, ty)?);
        let ops = [Add, Sub, Mul, Lt, Le, Gt, Ge, Eq, Ne, Div, Rem, BitAnd, BitOr, BitXor];
        let is_float = self.build.program.types.is_float(ty);
        let op = ops[self.below(if is_float { 10 } else { 14 })];
        // Arithmetic on _Bool has no wrapping that C could show.
        if self.is_bool(ty) && !op.is_comparison() {
            return None;
        }
        let value = self.build.program.types.binary_constant(op, ty, lhs.1, rhs.1)?;
        Some((self.build.binary(op, lhs.0, rhs.0), value))
    }

    fn shift(&mut self, depth: usize, ty: TypeId) -> Option<(ExprId, Constant)> {
        let (bits, _) = self.build.program.types.word_shape(ty)?;
        if self.is_bool(ty) {
            return None;
        }
        let lhs = self.expression(depth - 1)?;
        let lhs = self.cast(lhs, ty)?;
        let amount = self.below(bits as usize) as i128;
        let rhs = self.build.int(amount, INTS[self.state as usize % 11 + 1]);
        let op = if self.below(2) == 0 { BinaryOp::Shl } else { BinaryOp::Shr };
        let value = self.build.program.types.binary_constant(op, ty, lhs.1, Constant::Int(amount))?;
        Some((self.build.binary(op, lhs.0, rhs), value))
    }

    fn choice(&mut self, depth: usize, ty: TypeId) -> Option<(ExprId, Constant)> {
        let condition = self.expression(depth - 1)?;
        let (then, otherwise) = (self.expression(depth - 1)?, self.expression(depth - 1)?);
        let (then, otherwise) = (self.cast(then, ty)?, self.cast(otherwise, ty)?);
        let holds = condition.1.is_truthy(self.build.program.exprs.ty(condition.0), &self.build.program.types);
        let value = if holds { then.1 } else { otherwise.1 };
        let kind = ExprKind::Conditional { condition: condition.0, then: then.0, otherwise: otherwise.0 };
        Some((self.build.expr(kind, ty), value))
    }
}

/// A program that checks each expression's value, its type where the exact one is asked for, and its value after an
/// assignment.
fn checking_program(random: &mut Random, count: usize) -> String {
    let mut checks = String::new();
    let mut made = 0;
    while made < count {
        let depth = 1 + made % 5;
        let Some((expr, value)) = random.expression(depth) else { continue };
        let program = &random.build.program;
        let ty = program.exprs.ty(expr);
        let expected = match value {
            Constant::Int(v) => {
                format!("({}){}ULL", program.type_to_c(ty), v as u64)
            }
            Constant::Float(bits) => match program.types.get(ty) {
                Type::Float(kind) => float::to_c(bits, *kind),
                _ => continue,
            },
        };
        if expected.contains("nan") {
            continue;
        }
        let mut printer = Printer::new(program, Names::Unique);
        let (any, exact) = (printer.any_type(expr).text, printer.exact(expr).text);
        let (assigned, condition) = (printer.assigned(expr).text, printer.negated_condition(expr));
        let name = program.type_to_c(ty);
        let truth = i32::from(!value.is_truthy(ty, &program.types));
        let _ = writeln!(checks, "  if (({any}) != {expected}) return fail({made}, 1);");
        let _ = writeln!(checks, "  {{ {name} a = {assigned}; if (a != {expected}) return fail({made}, 2); }}");
        let _ = writeln!(
            checks,
            "  _Static_assert(__builtin_types_compatible_p(__typeof__({exact}), {name}), \"type {made}\");"
        );
        let _ = writeln!(checks, "  if ((({condition}) ? 1 : 0) != {truth}) return fail({made}, 3);");
        made += 1;
    }
    let mut text = String::from("int printf(const char *, ...);\n");
    let program = &random.build.program;
    for &(variable, _) in &random.variables {
        let ExprKind::Var(id) = program.exprs.kind(variable) else { continue };
        let mut printer = Printer::new(program, Names::Unique);
        let declaration = printer.declaration(program.variable(id).ty, &program.variable(id).unique_name);
        let initializer = printer.initializer(id).expect("a constant");
        let _ = writeln!(text, "{declaration}{initializer};");
    }
    text.push_str("static int fail(int n, int how) { printf(\"expression %d, check %d\\n\", n, how); return 1; }\n");
    let _ = write!(text, "int main(void) {{\n{checks}  return 0;\n}}\n");
    text
}

#[test]
fn gcc_computes_what_the_model_says() {
    for (model, seed) in [(DataModel::Ilp32, 0x1234_5678_9abc), (DataModel::Lp64, 0x9e37_79b9_7f4a)] {
        let mut random = Random { build: Build::new(model), state: seed, variables: Vec::new() };
        let text = checking_program(&mut random, 1500);
        if let Some((status, printed)) = compile_and_run(model, "random", &text) {
            let line = printed.trim().to_string();
            assert_eq!(status, 0, "{}: {line}; {}", model.name(), offending(&text, &line));
        }
    }
}

/// The line of the check that failed.
fn offending(text: &str, line: &str) -> String {
    let wanted = line.replace("expression ", "fail(").replace(" check", "");
    text.lines().find(|l| l.contains(&format!("{wanted})"))).unwrap_or("").to_string()
}
