//! Functions that promise to have no effects (`const`, `pure`), and break the promise. gcc leaves out calls whose value
//! is not used, also without optimisation. So calls of such functions are unsupported.

use super::ast_query::{internal_functions, is_assignment};
use super::attributes::{attribute_name, attributes};
use super::declarators::declared_name;
use lang_c::ast::{self, Expression, UnaryOperator};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashSet;
use tandem_plugin_api::library::LibraryFunction;

/// The names of the functions that promise it and may have effects, and of pointers to functions with the promise.
pub(super) fn broken_promises(unit: &ast::TranslationUnit) -> FxHashSet<String> {
    // A function that the program defines under such a name of the C library makes this promise, too; a `static` one has nothing to
    // do with the library's.
    let internal = internal_functions(unit);
    let of_library = LibraryFunction::all().filter(|known| known.gcc().promises).map(LibraryFunction::name);
    let of_library = of_library.filter(|name| !internal.contains(name));
    let mut promised: FxHashSet<String> = of_library.map(str::to_owned).collect();
    let mut pointers = FxHashSet::default();
    for declaration in &unit.0 {
        match &declaration.node {
            ast::ExternalDeclaration::FunctionDefinition(f) => {
                let by_specifiers = promises(&f.node.specifiers);
                let by_declarator = attributes(&f.node.declarator.node.extensions).any(is_promise);
                promised.extend(
                    declared_name(&f.node.declarator).filter(|_| by_specifiers || by_declarator).map(str::to_owned),
                );
            }
            ast::ExternalDeclaration::Declaration(d) => {
                let by_specifiers = promises(&d.node.specifiers);
                for item in &d.node.declarators {
                    let declarator = &item.node.declarator;
                    if by_specifiers || attributes(&declarator.node.extensions).any(is_promise) {
                        let is_pointer = matches!(declarator.node.kind.node, ast::DeclaratorKind::Declarator(_));
                        let names = if is_pointer { &mut pointers } else { &mut promised };
                        names.extend(declared_name(declarator).map(str::to_owned));
                    }
                }
            }
            ast::ExternalDeclaration::StaticAssert(_) => {}
        }
    }
    let defined = unit.0.iter().filter_map(|declaration| match &declaration.node {
        ast::ExternalDeclaration::FunctionDefinition(f) => Some(f),
        _ => None,
    });
    let broken = defined.filter_map(|f| declared_name(&f.node.declarator).map(|name| (name, f)));
    let broken = broken.filter(|(name, f)| promised.contains(*name) && has_effects(f));
    let broken: FxHashSet<String> = broken.map(|(name, _)| name.to_owned()).collect();
    &broken | &pointers
}

fn promises(specifiers: &[Node<ast::DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|specifier| match &specifier.node {
        ast::DeclarationSpecifier::Extension(extensions) => attributes(extensions).any(is_promise),
        _ => false,
    })
}

fn is_promise(attribute: &ast::Attribute) -> bool {
    matches!(attribute_name(attribute), "const" | "pure")
}

/// Whether the body may do more than compute a value: it writes to something other than its own variables, or calls something.
fn has_effects(definition: &Node<ast::FunctionDefinition>) -> bool {
    let (declarator, body) = (&definition.node.declarator, &definition.node.statement);
    let mut effects = Effects::default();
    effects.visit_declarator(&declarator.node, &declarator.span);
    effects.visit_statement(&body.node, &body.span);
    effects.found || effects.written.iter().any(|name| !effects.own.contains(name))
}

#[derive(Default)]
struct Effects {
    found: bool,
    /// Variables and parameters that the function declares.
    own: FxHashSet<String>,
    written: FxHashSet<String>,
}

impl Effects {
    fn write(&mut self, place: &Node<Expression>) {
        match &place.node {
            Expression::Identifier(name) => drop(self.written.insert(name.node.name.clone())),
            _ => self.found = true,
        }
    }
}

impl<'ast> Visit<'ast> for Effects {
    fn visit_declarator(&mut self, declarator: &'ast ast::Declarator, span: &'ast Span) {
        if let ast::DeclaratorKind::Identifier(name) = &declarator.kind.node {
            self.own.insert(name.node.name.clone());
        }
        visit::visit_declarator(self, declarator, span);
    }

    fn visit_storage_class_specifier(&mut self, class: &'ast ast::StorageClassSpecifier, _: &'ast Span) {
        self.found |= matches!(class, ast::StorageClassSpecifier::Extern | ast::StorageClassSpecifier::Static);
    }

    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, span: &'ast Span) {
        let computes = |name: &str| {
            name.strip_prefix("__builtin_").is_some_and(|rest| rest.starts_with("expect") || rest.starts_with("bswap"))
        };
        self.found |= !matches!(&call.callee.node, Expression::Identifier(name) if computes(&name.node.name));
        visit::visit_call_expression(self, call, span);
    }

    fn visit_asm_statement(&mut self, _: &'ast ast::AsmStatement, _: &'ast Span) {
        self.found = true;
    }

    fn visit_type_qualifier(&mut self, qualifier: &'ast ast::TypeQualifier, _: &'ast Span) {
        self.found |= *qualifier == ast::TypeQualifier::Volatile;
    }

    fn visit_unary_operator_expression(&mut self, e: &'ast ast::UnaryOperatorExpression, span: &'ast Span) {
        use UnaryOperator::*;
        if matches!(e.operator.node, PostIncrement | PostDecrement | PreIncrement | PreDecrement) {
            self.write(&e.operand);
        }
        visit::visit_unary_operator_expression(self, e, span);
    }

    fn visit_binary_operator_expression(&mut self, e: &'ast ast::BinaryOperatorExpression, span: &'ast Span) {
        if is_assignment(&e.operator.node) {
            self.write(&e.lhs);
        }
        visit::visit_binary_operator_expression(self, e, span);
    }
}
