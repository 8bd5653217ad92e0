//! Reads a C expression over the names of a program that was read before: predicates, invariants, conditions of artifacts.

use super::lower::{Refusal, lower_expression};
use super::{parse, text};
use crate::diagnostic::Diagnostic;
use lang_c::ast::{self, Expression, ExternalDeclaration, Statement};
use lang_c::span::Node;
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::{Program, Viewpoint};
use tandem_plugin_api::service::{ParsedExpression, Scope};

/// Longer texts are refused: typing recurses.
const MAX_BYTES: usize = 1 << 20;

/// What stands before and after the expression in the text that lang-c reads. The expression has lines of its own, so that a
/// comment in it ends where it does.
const BEFORE: &str = "void expression(void) { (void)(\n";
const AFTER: &str = "\n); }\n";

/// An expression of number or pointer type, without side effects.
pub fn parse_expression(program: &Program, text: &str, scope: Scope) -> Result<ParsedExpression> {
    let seen_from = viewpoint(program, scope)?;
    if text.len() > MAX_BYTES {
        return Err(PluginError::bad_input(format!("an expression of {} bytes; the limit is {MAX_BYTES}", text.len())));
    }
    if text.trim().is_empty() {
        return Err(PluginError::bad_input("an empty expression"));
    }
    let read = parse::with_large_stack(|| read(program, text, seen_from));
    read.map_err(|refusal| refused(text, &refusal))
}

fn viewpoint(program: &Program, scope: Scope) -> Result<Viewpoint> {
    match scope {
        Scope::Global => Ok(Viewpoint::global()),
        Scope::Function(id) if id.index() < program.functions.len() => Ok(Viewpoint::in_function(id)),
        Scope::Location(id) if id.index() < program.locations.len() => Ok(Viewpoint::at(program, id)),
        Scope::Function(_) => Err(PluginError::bad_input("the program has no such function")),
        Scope::Location(_) => Err(PluginError::bad_input("the program has no such location")),
    }
}

fn read(program: &Program, text: &str, seen_from: Viewpoint) -> std::result::Result<ParsedExpression, Refusal> {
    let syntax = |problem: Diagnostic| Refusal { message: problem.message, line: problem.line, column: problem.column };
    let source = text::prepare(&format!("{BEFORE}{text}{AFTER}"), "expression").map_err(syntax)?;
    let unit = parse::parse(&source).map_err(syntax)?;
    match only_expression(&unit) {
        Some(expression) => lower_expression(expression, &source, program, seen_from),
        None => Err(Refusal { message: "this is not one expression".into(), line: None, column: None }),
    }
}

/// The expression in the parentheses, unless the text closes them itself.
fn only_expression(unit: &ast::TranslationUnit) -> Option<&Node<Expression>> {
    let ExternalDeclaration::FunctionDefinition(function) = &unit.0.last()?.node else { return None };
    let Statement::Compound(items) = &function.node.statement.node else { return None };
    let [Node { node: ast::BlockItem::Statement(statement), .. }] = items.as_slice() else { return None };
    let Statement::Expression(Some(whole)) = &statement.node else { return None };
    match &whole.node {
        Expression::Cast(cast) => Some(&cast.node.expression),
        _ => None,
    }
}

fn refused(text: &str, refusal: &Refusal) -> PluginError {
    const SHOWN: usize = 80;
    let mut shown: String = text.trim().chars().take(SHOWN).collect();
    if shown.len() < text.trim().len() {
        shown.push('…');
    }
    // The first line of what was parsed is not the caller's.
    let place = match (refusal.line.and_then(|line| line.checked_sub(1)), refusal.column) {
        (Some(line @ 1..), Some(column)) => format!(", line {line}, column {column}"),
        _ => String::new(),
    };
    PluginError::bad_input(format!("the expression `{shown}`{place}: {}", refusal.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::error::ErrorKind;
    use tandem_plugin_api::program::{DataModel, ExprId, Exprs, Types};

    const PROGRAM: &str = "struct pair { int a; unsigned b; struct pair *next; };
        int g; unsigned char c; struct pair s; int array[4]; double d; int taken; int *pointer = &taken;
        int f(int x) { return x; }
        int main(void) {
          int x = 1;
          { int y = 2; x = y; }
          { long y = 3; x = y > 2; }
          for (int i = 0; i < 3; i++) x = f(x);
          for (int i = 0; i < 3; i++) x += i;
          return x;
        }";

    fn program() -> Program {
        load_text(PROGRAM, "p.c", DataModel::Ilp32).unwrap()
    }

    fn read_back(text: &str) -> String {
        let program = program();
        let main = Scope::Function(program.main);
        match parse_expression(&program, text, main) {
            Err(error) => {
                assert_eq!(error.kind, ErrorKind::BadInput);
                error.message
            }
            Ok(parsed) => {
                let mut extended = program.clone();
                add(&mut extended.types, &mut extended.exprs, &parsed);
                extended.expr_to_c(parsed.root)
            }
        }
    }

    fn add(types: &mut Types, exprs: &mut Exprs, parsed: &ParsedExpression) {
        for ty in &parsed.types {
            types.intern(ty.clone());
        }
        for node in &parsed.nodes {
            assert!(exprs.intern(node.kind, node.ty) >= ExprId(0));
        }
    }

    #[test]
    fn expressions_are_read() {
        for text in [
            "x == 0",
            "x > 1 && g < 2 || !c",
            "g ? x : 3",
            "s.a + 1 == array[x]",
            "s.next->b > 3",
            "(unsigned char)(c + 1) == 0",
            "*pointer == 5",
            "pointer == &taken",
            "d < 0.5",
            "((struct pair *)pointer)->a != 0",
        ] {
            assert_eq!(read_back(text), text);
        }
        assert_eq!(read_back("x /* a comment */ == // another\n 0"), "x == 0");
        assert_eq!(read_back("(x, 1)"), "1", "nothing is lost that has no effect");
        assert_eq!(read_back("sizeof(x) == 4"), "1");
        assert_eq!(read_back("y__2 > 2"), "y > 2");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let cases = [
            ("x = 1", "more than compute"),
            ("x++", "more than compute"),
            ("f(x) == 1", "more than compute"),
            ("unknown(x)", "more than compute"),
            ("z == 1", "column 1: `z` is not declared"),
            ("x == z", "line 1, column 6: `z` is not declared"),
            ("x +", "line 2, column 1: expected an expression"),
            ("y == 1", "several variables"),
            ("x); (y", "not one expression"),
            ("x) + (1", "not one expression"),
            ("", "an empty expression"),
            ("s", "expected a number"),
            ("&x == 0", "never takes"),
            ("(struct other *)0 == 0", "struct or union"),
            ("\"text\" == 0", "does not have"),
            ("({ int z = 1; z; })", "more than compute"),
            ("x == 1; }", ""),
            ("#define x", ""),
            ("x == \0", ""),
        ];
        for (text, message) in cases {
            let answer = read_back(text);
            assert!(answer.contains(message) && answer.contains(' '), "{text}: {answer}");
        }
    }

    #[test]
    fn what_is_declared_later_is_not_meant() {
        let program = program();
        let head = program
            .loops
            .iter()
            .map(|l| l.head)
            .min_by_key(|head| program.location(*head).leaving.first().map(|edge| program.edge(*edge).span.line));
        assert!(parse_expression(&program, "i == 0", Scope::Location(head.unwrap())).is_ok());
        assert!(parse_expression(&program, "i == 0", Scope::Function(program.main)).is_err());
        assert!(parse_expression(&program, "g == 0", Scope::Global).is_ok());
        assert!(parse_expression(&program, "x == 0", Scope::Global).is_err());
    }
}
