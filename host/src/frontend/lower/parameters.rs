//! The parameters of function definitions, in the new style and in that of K&R.

use super::ast_query;
use super::declarators::{declared_name, function_declarator};
use super::scopes::{DeclaredType, Symbol};
use super::{Lowered, Lowerer};
use lang_c::ast::{self, DerivedDeclarator as Derived};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::{FunctionId, IntKind, Storage, Type};

impl Lowerer<'_> {
    pub fn parameters(&mut self, id: FunctionId, definition: &Node<ast::FunctionDefinition>) -> Lowered<()> {
        let declarator = function_declarator(&definition.node.declarator);
        match declarator.map(|d| &d.node) {
            Some(Derived::Function(function)) => {
                let lengths_that_write = |parameter: &&Node<ast::ParameterDeclaration>| {
                    parameter.node.declarator.as_ref().is_some_and(ast_query::length_may_write)
                };
                if function.node.parameters.iter().filter(lengths_that_write).count() > 1 {
                    return self.unsupported("lengths with side effects in several parameters", definition.span);
                }
                for parameter in &function.node.parameters {
                    let declared = self.parameter_type(&parameter.node, false)?;
                    if declared.ty == self.common.void {
                        continue;
                    }
                    let name = parameter.node.declarator.as_ref().and_then(declared_name).unwrap_or("__unnamed");
                    self.add_parameter(id, name, declared, parameter.span);
                    self.note_written_parameter(&parameter.node);
                }
                Ok(())
            }
            Some(Derived::KRFunction(names)) => self.old_style_parameters(id, names, &definition.node.declarations),
            // `typedef void f(int); f g { … }` is not C; a function type through a typedef has no body.
            _ => self.unsupported("this form of function definition", definition.span),
        }
    }

    fn add_parameter(&mut self, id: FunctionId, name: &str, declared: DeclaredType, span: AstSpan) {
        let variable = self.new_variable(name, declared.ty, Storage::Parameter, Some(id), span);
        self.functions[id.index()].parameters.push(variable);
        let symbol = Symbol::Variable { id: variable, array: None, pointee: declared.pointee };
        self.scopes.declare(name, symbol);
    }

    /// `int f(a, b) char a; { … }`
    fn old_style_parameters(
        &mut self,
        id: FunctionId,
        names: &[Node<ast::Identifier>],
        declarations: &[Node<ast::Declaration>],
    ) -> Lowered<()> {
        for name in names {
            let text = name.node.name.as_str();
            let mut declared = DeclaredType::plain(self.common.int);
            for declaration in declarations {
                for declarator in &declaration.node.declarators {
                    if declared_name(&declarator.node.declarator) == Some(text) {
                        if ast_query::length_may_write(&declarator.node.declarator) {
                            return self.unsupported("length with side effects in an old-style parameter", name.span);
                        }
                        let parameter = ast::ParameterDeclaration {
                            specifiers: declaration.node.specifiers.clone(),
                            declarator: Some(declarator.node.declarator.clone()),
                            extensions: Vec::new(),
                        };
                        declared = self.parameter_type(&parameter, false)?;
                    }
                }
            }
            if matches!(self.types.get(declared.ty), Type::Int(IntKind::Bool)) {
                // gcc takes it from the argument, which was promoted to `int`, without a conversion.
                return self.unsupported("old-style parameter of type _Bool", name.span);
            }
            self.add_parameter(id, text, declared, name.span);
        }
        Ok(())
    }
}
