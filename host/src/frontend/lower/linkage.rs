//! What names of file scope are linked to: another name (`alias`, `weakref`, assembler names), nothing at all (a weak
//! symbol without a definition is null). Also the functions that run before and after `main`.

use super::attributes::{attribute_name, attribute_texts, attributes};
use super::declarators::{declared_name, function_declarator};
use super::scopes::Symbol;
use super::type_specifiers::Specifiers;
use super::{Lowered, Lowerer};
use crate::frontend::known::{runs, words};
use lang_c::ast::{self, DerivedDeclarator as Derived, StorageClassSpecifier as Class};
use lang_c::span::{Node, Span as AstSpan};
use lang_c::visit::{self, Visit};
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::library::is_library_name;
use tandem_plugin_api::program::*;

/// A longer chain of aliases is a cycle.
const LONGEST_CHAIN: usize = 16;
/// gcc's priority for constructors without one: after all others.
const LAST: u32 = 65_536;

#[derive(Default)]
pub(super) struct Linkage {
    /// Names that stand for another name.
    renamed: FxHashMap<String, String>,
    /// Weak names without a definition.
    missing: FxHashSet<String>,
    defined: FxHashSet<String>,
    /// In the order in which they run.
    pub constructors: Vec<String>,
    pub destructors: Vec<String>,
    /// A construct that runs before or after `main` and is not supported.
    pub unclear: Option<String>,
}

impl Linkage {
    pub fn of(unit: &ast::TranslationUnit, pragmas: &[String]) -> Self {
        let mut found = Found::default();
        found.visit_translation_unit(unit);
        for pragma in pragmas {
            match words(pragma).as_slice() {
                ["weak", name] => drop(found.weak.insert((*name).to_owned())),
                ["weak", name, target] => found.others.push(((*name).to_owned(), (*target).to_owned())),
                ["redefine_extname", name, label] => found.labels.push(((*name).to_owned(), (*label).to_owned())),
                _ => {}
            }
        }
        found.resolve()
    }

    /// Removes aliases that lead back to themselves, and makes the program unsupported: gcc refuses to build it.
    fn break_circles(&mut self) {
        let mut circles = Vec::new();
        // By name: where the walk began that reached it first.
        let mut walked: FxHashMap<&str, &str> = FxHashMap::default();
        for start in self.renamed.keys() {
            let mut at = start.as_str();
            while let Some(next) = self.renamed.get(at).filter(|_| !walked.contains_key(at)) {
                walked.insert(at, start);
                at = next;
            }
            if walked.get(at) == Some(&start.as_str()) {
                // All names of the cycle, so that it does not matter where the walk began.
                let mut member = at;
                while let Some(next) = self.renamed.get(member) {
                    circles.push(next.clone());
                    member = next;
                    if member == at {
                        break;
                    }
                }
            }
        }
        circles.sort_unstable();
        for name in &circles {
            self.renamed.remove(name);
        }
        if let Some(name) = circles.first() {
            self.unclear = Some(format!("attribute `alias`: `{name}` is another name for itself"));
        }
    }

    /// The name that `name` is another name for.
    pub fn target<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        let mut target = name;
        for _ in 0..LONGEST_CHAIN {
            match self.renamed.get(target) {
                Some(next) if next != name => target = next,
                _ => break,
            }
        }
        (target != name).then_some(target)
    }

    /// Whether the file defines a function or variable of this name.
    pub fn defines(&self, name: &str) -> bool {
        self.defined.contains(self.target(name).unwrap_or(name))
    }

    /// Whether the name is a weak symbol without a definition.
    pub fn is_missing(&self, name: &str) -> bool {
        self.missing.contains(self.target(name).unwrap_or(name))
    }

    /// The names that stand for a function or variable that the file defines.
    pub fn other_names(&self) -> impl Iterator<Item = &str> {
        self.renamed.keys().map(String::as_str).filter(|name| self.defines(name))
    }
}

/// The declarations about linkage, in their order.
#[derive(Default)]
struct Found {
    weak: FxHashSet<String>,
    /// By `alias` and `weakref`.
    others: Vec<(String, String)>,
    /// By assembler names.
    labels: Vec<(String, String)>,
    /// Functions with a body, and whether they have parameters.
    functions: Vec<(String, bool)>,
    variables: FxHashSet<String>,
    /// Names of types of functions, and functions that are declared.
    function_types: FxHashSet<String>,
    declared: FxHashSet<String>,
    constructors: FxHashMap<String, u32>,
    destructors: FxHashMap<String, u32>,
    unclear: Option<String>,
    in_function: bool,
}

impl Found {
    fn resolve(self) -> Linkage {
        let mut defined = self.variables;
        defined.extend(self.functions.iter().map(|(name, _)| name.clone()));
        let mut linkage = Linkage { defined, unclear: self.unclear, ..Linkage::default() };
        for (name, label) in self.labels.into_iter().filter(|(name, label)| name != label) {
            // Other files know a definition with a label by the label.
            match linkage.defined.contains(&name) {
                true if linkage.defined.contains(&label) => {}
                true => drop(linkage.renamed.insert(label, name)),
                false => drop(linkage.renamed.insert(name, label)),
            }
        }
        linkage.renamed.extend(self.others);
        linkage.break_circles();
        let is_given = |name: &str| is_library_name(name) || name.starts_with("__VERIFIER_") || name == "reach_error";
        let weak = self.weak.iter().map(|name| linkage.target(name).unwrap_or(name));
        linkage.missing =
            weak.filter(|name| !linkage.defined.contains(*name) && !is_given(name)).map(str::to_owned).collect();
        linkage.constructors = in_order(&self.functions, &self.constructors);
        linkage.destructors = in_order(&self.functions, &self.destructors);
        linkage.destructors.reverse();
        for (name, _) in self.functions.iter().filter(|(_, has_parameters)| *has_parameters) {
            if linkage.constructors.contains(name) || linkage.destructors.contains(name) {
                linkage.unclear = Some(format!("constructor or destructor `{name}` with parameters"));
            }
        }
        linkage
    }

    fn declarator(&mut self, specifiers: &Specifiers<'_>, declarator: &ast::Declarator, name: &str) {
        let own = attributes(&declarator.extensions);
        for attribute in specifiers.attributes.iter().copied().chain(own) {
            self.attribute(attribute, name);
        }
        for extension in &declarator.extensions {
            if let ast::Extension::AsmLabel(label) = &extension.node {
                let label = label.node.iter().map(|piece| piece.trim_matches('"')).collect();
                self.labels.push((name.to_owned(), label));
            }
        }
    }

    fn attribute(&mut self, attribute: &ast::Attribute, name: &str) {
        let texts = attribute_texts(attribute);
        match attribute_name(attribute) {
            "weak" => drop(self.weak.insert(name.to_owned())),
            kind @ ("alias" | "weakref") => {
                if let Some(target) = texts.first() {
                    self.others.push((name.to_owned(), target.clone()));
                    if kind == "weakref" {
                        self.weak.insert(target.clone());
                    }
                }
            }
            kind @ ("constructor" | "destructor") => {
                let priority = match (attribute.arguments.len(), texts.first().map(|text| text.parse())) {
                    (0, _) => LAST,
                    (1, Some(Ok(priority))) => priority,
                    _ => {
                        self.unclear = Some(format!("attribute `{kind}` with a priority that is not a number"));
                        return;
                    }
                };
                let functions = if kind == "constructor" { &mut self.constructors } else { &mut self.destructors };
                functions.insert(name.to_owned(), priority);
            }
            "section" => {
                if let Some(section) = texts.into_iter().find(|text| runs(text)) {
                    self.unclear = Some(format!("section `{section}`, whose contents run before or after `main`"));
                }
            }
            _ => {}
        }
    }
}

impl Found {
    /// Whether it declares a function: by its own parentheses, or by a type that a `typedef` or `typeof` names.
    fn declares_function(&self, specifiers: &Specifiers<'_>, declarator: &Node<ast::Declarator>) -> bool {
        let is_plain = declarator.node.derived.is_empty()
            && matches!(declarator.node.kind.node, ast::DeclaratorKind::Identifier(_));
        function_declarator(declarator).is_some() || is_plain && self.name_function_type(&specifiers.types)
    }

    fn name_function_type(&self, types: &[&Node<ast::TypeSpecifier>]) -> bool {
        types.iter().any(|ty| match &ty.node {
            ast::TypeSpecifier::TypedefName(name) => self.function_types.contains(&name.node.name),
            ast::TypeSpecifier::TypeOf(Node { node: ast::TypeOf::Type(name), .. }) => match &name.node.declarator {
                Some(declarator) => function_declarator(declarator).is_some(),
                None => self.name_function_type(&Specifiers::of_qualifiers(&name.node.specifiers).types),
            },
            ast::TypeSpecifier::TypeOf(Node { node: ast::TypeOf::Expression(e), .. }) => match &e.node {
                ast::Expression::Identifier(id) => self.declared.contains(&id.node.name),
                _ => false,
            },
            _ => false,
        })
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_declaration(&mut self, declaration: &'ast ast::Declaration, span: &'ast AstSpan) {
        let specifiers = Specifiers::of_declaration(&declaration.specifiers);
        for Node { node: item, .. } in &declaration.declarators {
            let Some(name) = declared_name(&item.declarator) else { continue };
            let is_function = self.declares_function(&specifiers, &item.declarator);
            if is_function {
                let names = if specifiers.is(Class::Typedef) { &mut self.function_types } else { &mut self.declared };
                names.insert(name.to_owned());
            }
            let is_extern = specifiers.is(Class::Extern);
            let is_linked = !specifiers.is(Class::Typedef) && !specifiers.is(Class::Register);
            if is_linked && (!self.in_function || is_extern || is_function) {
                self.declarator(&specifiers, &item.declarator.node, name);
            }
            if is_linked && !self.in_function && !is_function && (!is_extern || item.initializer.is_some()) {
                self.variables.insert(name.to_owned());
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_function_definition(&mut self, definition: &'ast ast::FunctionDefinition, span: &'ast AstSpan) {
        let specifiers = Specifiers::of_declaration(&definition.specifiers);
        if let Some(name) = declared_name(&definition.declarator).filter(|_| !self.in_function) {
            self.declarator(&specifiers, &definition.declarator.node, name);
            self.declared.insert(name.to_owned());
            let parameters = match function_declarator(&definition.declarator).map(|declarator| &declarator.node) {
                Some(Derived::Function(function)) => function.node.parameters.as_slice(),
                _ => &[],
            };
            let is_void = |parameter: &ast::ParameterDeclaration| parameter.declarator.is_none();
            let has_parameters = !parameters.is_empty() && !matches!(parameters, [only] if is_void(&only.node));
            self.functions.push((name.to_owned(), has_parameters));
        }
        let outer = std::mem::replace(&mut self.in_function, true);
        visit::visit_function_definition(self, definition, span);
        self.in_function = outer;
    }

    // Declarations stand in blocks, and expressions have none but in blocks of their own, where nothing is linked.
    fn visit_expression(&mut self, _: &'ast ast::Expression, _: &'ast AstSpan) {}
}

/// The functions with a priority, lower ones first, else in the order of their definitions.
fn in_order(functions: &[(String, bool)], priorities: &FxHashMap<String, u32>) -> Vec<String> {
    let with_priority = functions.iter().filter_map(|(name, _)| Some((*priorities.get(name)?, name)));
    let mut list: Vec<(u32, &String)> = with_priority.collect();
    list.sort_by_key(|(priority, _)| *priority);
    list.into_iter().map(|(_, name)| name.clone()).collect()
}

impl Lowerer<'_> {
    /// Another name for a function is that function, whose type it must have.
    pub fn check_other_name(&self, name: &str, ty: TypeId, span: AstSpan) -> Lowered<()> {
        let Some(target) = self.linkage.target(name) else { return Ok(()) };
        let prototyped = |ty: TypeId| matches!(self.types.get(ty), Type::Function { prototyped: true, .. });
        match self.scopes.lookup_file(target) {
            Some(Symbol::Function(id)) => {
                let own = self.functions[id.index()].ty;
                if own == ty || !prototyped(own) || !prototyped(ty) {
                    return Ok(());
                }
                self.unsupported(format!("`{name}` and `{target}`, one function with two types"), span)
            }
            None => Ok(()),
            _ => self.unsupported(format!("`{name}`, another name for `{target}`, which is not a function"), span),
        }
    }

    pub fn other_function(&mut self, name: &str, target: &str, ty: TypeId, span: AstSpan) -> FunctionId {
        let id = match self.scopes.lookup_file(target) {
            Some(Symbol::Function(id)) => *id,
            _ => self.declare_function(target, ty, span),
        };
        self.scopes.declare_in_file(name, Symbol::Function(id));
        self.scopes.declare(name, Symbol::Function(id));
        id
    }

    pub fn other_variable(&mut self, name: &str, target: &str, ty: TypeId, span: AstSpan) -> Lowered<VarId> {
        let id = match self.scopes.lookup_file(target) {
            Some(Symbol::Variable { id, .. }) => *id,
            None if !self.linkage.defines(target) => self.global(target, ty, true, span)?,
            _ => {
                return self
                    .unsupported(format!("`{name}`, another name for `{target}`, before its declaration"), span);
            }
        };
        let own = self.variables[id.index()].ty;
        let is_open = matches!(self.types.get(ty), Type::IncompleteArray { element } if self.types.element(own) == Some(*element));
        if own != ty && !is_open {
            return self.unsupported(format!("`{name}` and `{target}`, one variable with two types"), span);
        }
        self.scopes.declare(name, Symbol::Variable { id, array: None, pointee: None });
        Ok(id)
    }

    /// `register int r asm("eax")` is the register, which other code changes. And the linker makes symbols of its own.
    pub fn check_register(&self, specifiers: &Specifiers<'_>, declarator: &Node<ast::Declarator>) -> Lowered<()> {
        let has_label = declarator.node.extensions.iter().any(|e| matches!(e.node, ast::Extension::AsmLabel(_)));
        let is_local = !self.scopes.at_file_scope() && !specifiers.is(Class::Extern) && !specifiers.is(Class::Static);
        if has_label && (is_local || specifiers.is(Class::Register)) {
            return self.unsupported("variable that is a register", declarator.span);
        }
        match declared_name(declarator) {
            Some(name) if specifiers.is(Class::Extern) && is_made_by_linker(name) && !self.linkage.defines(name) => {
                self.unsupported(format!("`{name}`, which the linker makes"), declarator.span)
            }
            _ => Ok(()),
        }
    }

    /// The address of a function: null for a weak one without a definition.
    pub fn linked_address(&mut self, id: FunctionId) -> ExprId {
        let address = self.function_address(id);
        if !self.null_functions.contains(&id) {
            return address;
        }
        let ty = self.exprs.ty(address);
        self.int_constant(0, ty)
    }

    /// The place of a variable: at null for a weak one without a definition.
    pub fn linked_place(&mut self, id: VarId) -> ExprId {
        if !self.null_variables.contains(&id) {
            return self.named_variable(id);
        }
        let pointer = self.types.pointer_to(self.variables[id.index()].ty);
        let null = self.int_constant(0, pointer);
        self.deref(null)
    }
}

/// Bounds of sections and of the program itself.
fn is_made_by_linker(name: &str) -> bool {
    name.starts_with("__start_")
        || name.starts_with("__stop_")
        || matches!(name, "_end" | "_etext" | "_edata" | "__bss_start" | "__executable_start" | "__etext")
}
