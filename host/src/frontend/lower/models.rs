//! Functions of the C library that call back, or whose result is a struct, written in C: a program that uses one and does
//! not define it gets its text, so that everything behind the front end sees an ordinary function.

use super::scopes::Symbol;
use super::{Fail, Lowerer, ast_query};
use crate::diagnostic::Diagnostic;
use crate::frontend::parse;
use crate::frontend::text::{SourceText, prepare};
use lang_c::ast::{self, Expression};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashSet;
use tandem_plugin_api::program::{FileId, SourceFile};

/// Functions, and the texts that define them. Except for these functions, the texts use no names that a program could
/// use.
const TEXTS: &[(&str, &str)] = &[
    ("atexit", include_str!("../library/atexit.c")),
    ("bsearch", include_str!("../library/bsearch.c")),
    ("div", include_str!("../library/div.c")),
    ("imaxdiv", include_str!("../library/imaxdiv.c")),
    ("ldiv", include_str!("../library/ldiv.c")),
    ("lfind", include_str!("../library/lfind.c")),
    ("lldiv", include_str!("../library/lldiv.c")),
    ("lsearch", include_str!("../library/lsearch.c")),
    ("qsort", include_str!("../library/qsort.c")),
];

/// A text that is lowered after the program's own.
pub(super) struct Model {
    name: &'static str,
    source: SourceText,
    unit: ast::TranslationUnit,
}

/// The models that a program needs.
pub(super) fn needed(unit: &ast::TranslationUnit, text: &str) -> Result<Vec<Model>, Diagnostic> {
    let mut wanted: Vec<_> = TEXTS.iter().filter(|(name, _)| text.contains(name)).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut called = Called::default();
    called.visit_translation_unit(unit);
    let defined = ast_query::defined_functions(unit);
    wanted.retain(|(name, _)| called.0.contains(*name) && !defined.contains(name));
    let mut models = Vec::new();
    for (name, text) in wanted {
        let source = prepare(text, &file_name(name))?;
        let unit = parse::parse(&source)?;
        models.push(Model { name, source, unit });
    }
    Ok(models)
}

fn file_name(name: &str) -> String {
    format!("<{name} of the C library>")
}

/// The names that are called.
#[derive(Default)]
struct Called(FxHashSet<String>);

impl<'ast> Visit<'ast> for Called {
    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, span: &'ast Span) {
        if let Expression::Identifier(id) = &call.callee.node {
            self.0.insert(id.node.name.clone());
        }
        visit::visit_call_expression(self, call, span);
    }
}

impl Model {
    pub fn defined(&self) -> FxHashSet<&str> {
        ast_query::defined_functions(&self.unit)
    }

    pub fn file(&self) -> SourceFile {
        SourceFile { name: file_name(self.name) }
    }
}

impl<'a> Lowerer<'a> {
    /// Lowers the text of a model, whose file has this index. Where the program declares the function in another way than
    /// the library does, entering it is unsupported.
    pub fn model(&mut self, model: &'a Model, file: usize) {
        // A variable of this name was called.
        if !matches!(self.scopes.lookup_file(model.name), Some(Symbol::Function(_))) {
            return;
        }
        let own = std::mem::replace(&mut self.source, &model.source);
        self.model_file = Some(FileId::new(file));
        for declaration in &model.unit.0 {
            if let Err(failure) = self.external_declaration(declaration) {
                let what = match failure {
                    Fail::Unsupported { what, .. } => what,
                    Fail::Invalid(problem) => problem.message.clone(),
                };
                self.declined_model(model.name, &what, declaration.span);
            }
        }
        self.source = own;
        self.model_file = None;
    }

    fn declined_model(&mut self, name: &str, what: &str, span: Span) {
        let what = format!("`{name}`, declared in another way than the C library declares it ({what})");
        let void = self.common.void;
        let id = self.library_function(name, void, &[], span);
        if self.drafts[id.index()].is_none() {
            self.unsupported_body(id, what, self.span(span));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TEXTS;
    use std::collections::BTreeSet;
    use tandem_plugin_api::library::{LibraryFunction, Models};

    #[test]
    fn the_table_claims_what_has_a_text() {
        let implemented: BTreeSet<&str> = TEXTS.iter().map(|(name, _)| *name).collect();
        let claimed = LibraryFunction::all().filter(|function| function.has(Models::C_TEXT)).map(LibraryFunction::name);
        assert_eq!(implemented, claimed.collect());
    }
}
