//! Declarations at file scope and in blocks, and function definitions.

use super::ast_query::addressed_names;
use super::attributes::{attribute_name, attributes, is_known};
use super::declarators::declared_name;
use super::draft::{Draft, DraftOp};
use super::scopes::{DeclaredType, Dims, Symbol};
use super::type_specifiers::Specifiers;
use super::{Fail, Lowered, Lowerer};
use crate::frontend::complex_helpers;
use lang_c::ast::{self, StorageClassSpecifier as Class};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

impl<'a> Lowerer<'a> {
    pub fn declaration(&mut self, declaration: &Node<ast::Declaration>) -> Lowered<()> {
        self.forward_tag(&declaration.node);
        let specifiers = Specifiers::of_declaration(&declaration.node.specifiers);
        let base = match self.base_type(&specifiers, declaration) {
            Ok(base) => base,
            Err(Fail::Unsupported { what, span }) => {
                for declarator in &declaration.node.declarators {
                    self.poison(&declarator.node.declarator, &what);
                }
                // A mere declaration does nothing; an initialiser in a block would have been executed, and an attribute
                // such as `cleanup` may run something.
                let executes = declaration.node.declarators.iter().any(|d| d.node.initializer.is_some())
                    || !specifiers.attributes.iter().all(|attribute| is_known(attribute));
                if self.current.is_some() && executes {
                    return Err(Fail::Unsupported { what, span });
                }
                return Ok(());
            }
            Err(other) => return Err(other),
        };
        for (at, declarator) in declaration.node.declarators.iter().enumerate() {
            match self.init_declarator(&specifiers, base.clone(), declarator) {
                Err(Fail::Unsupported { what, span }) => {
                    self.poison(&declarator.node.declarator, &what);
                    if self.current.is_some() {
                        // Declarators behind it are not declared any more.
                        for later in &declaration.node.declarators[at + 1..] {
                            self.poison(&later.node.declarator, &what);
                        }
                        return Err(Fail::Unsupported { what, span });
                    }
                }
                other => other?,
            }
        }
        Ok(())
    }

    /// `struct s;` alone declares the tag in this scope, and hides one of an outer scope (C11 6.7.2.3, 7).
    fn forward_tag(&mut self, declaration: &ast::Declaration) {
        let mut specifiers = declaration.specifiers.iter().map(|specifier| &specifier.node);
        let mut plain = specifiers.by_ref().filter(|s| !matches!(s, ast::DeclarationSpecifier::Extension(_)));
        let (Some(ast::DeclarationSpecifier::TypeSpecifier(specifier)), None) = (plain.next(), plain.next()) else {
            return;
        };
        if let ast::TypeSpecifier::Struct(of) = &specifier.node
            && let ast::StructType { identifier: Some(tag), declarations: None, kind } = &of.node
            && declaration.declarators.is_empty()
            && self.scopes.lookup_tag_here(&tag.node.name).is_none()
        {
            self.new_composite(Some(&tag.node.name), kind.node == ast::StructKind::Union);
        }
    }

    fn base_type(
        &mut self,
        specifiers: &Specifiers<'_>,
        declaration: &Node<ast::Declaration>,
    ) -> Lowered<DeclaredType> {
        if specifiers.is_auto_type()
            && let [declarator] = declaration.node.declarators.as_slice()
            && let Some(Node { node: ast::Initializer::Expression(e), .. }) = &declarator.node.initializer
        {
            self.check_operand_type(e)?;
            let ty = self.unevaluated(|s| {
                let value = s.value(e)?.expr;
                Ok(s.exprs.ty(value))
            })?;
            return Ok(DeclaredType::plain(ty));
        }
        self.specified_type(specifiers, declaration.span)
    }

    /// An attribute that is unsupported stays so after later declarations without it.
    fn check_poison(&self, name: &str, span: AstSpan) -> Lowered<()> {
        match self.scopes.lookup_file(name) {
            Some(Symbol::Unsupported(why)) if why.starts_with("attribute `") => self.unsupported(why.clone(), span),
            _ => Ok(()),
        }
    }

    /// Every use of the declared name is unsupported.
    fn poison(&mut self, declarator: &Node<ast::Declarator>, why: &str) {
        if let Some(name) = declared_name(declarator) {
            self.scopes.declare(name, Symbol::Unsupported(why.to_owned()));
        }
    }

    fn init_declarator(
        &mut self,
        specifiers: &Specifiers<'_>,
        base: DeclaredType,
        declarator: &Node<ast::InitDeclarator>,
    ) -> Lowered<()> {
        let Some(name) = declared_name(&declarator.node.declarator) else { return Ok(()) };
        let declared = self.declared_type(base, &declarator.node.declarator)?;
        let of_type = declared.align;
        let outcome = self.declare_one(specifiers, declared, name, declarator);
        let aligned = self.note_alignment(specifiers, of_type, name, &declarator.node.declarator);
        self.note_written(specifiers, &declarator.node.declarator);
        outcome.and(aligned)
    }

    /// A name with its type.
    fn declare_one(
        &mut self,
        specifiers: &Specifiers<'_>,
        mut declared: DeclaredType,
        name: &str,
        declarator: &Node<ast::InitDeclarator>,
    ) -> Lowered<()> {
        if specifiers.is(Class::Typedef) {
            self.typedef_attributes(&declared, &declarator.node.declarator);
            let own = self.own_alignment(specifiers, Some(&declarator.node.declarator));
            declared.align = own.or(declared.align);
            self.alignments.in_types |=
                declared.align.is_some_and(|align| align != self.natural_alignment(declared.ty));
            self.scopes.declare(name, Symbol::Typedef(declared));
            return Ok(());
        }
        if matches!(self.types.get(declared.ty), Type::Function { .. }) && declared.array.is_none() {
            if specifiers.is(Class::Auto) && self.current.is_some() {
                self.declare_nested(name, declared.ty, declarator.span);
                return Ok(());
            }
            self.check_poison(name, declarator.span)?;
            self.check_other_name(name, declared.ty, declarator.span)?;
            let function = self.declare_function(name, declared.ty, declarator.span);
            let list = specifiers.attributes.iter().copied();
            let own = attributes(&declarator.node.declarator.node.extensions);
            if specifiers.noreturn || list.chain(own).any(|a| attribute_name(a) == "noreturn") {
                self.noreturn.insert(function);
            }
            return Ok(());
        }
        let initializer = declarator.node.initializer.as_ref();
        let span = declarator.span;
        self.check_register(specifiers, &declarator.node.declarator)?;
        if self.scopes.at_file_scope() {
            let id = self.global(name, declared.ty, specifiers.is(Class::Extern) && initializer.is_none(), span)?;
            initializer.map_or(Ok(()), |init| self.initialize_global(id, init))
        } else if specifiers.is(Class::Extern) {
            let id = match self.scopes.lookup_file(name) {
                Some(Symbol::Variable { id, .. }) => {
                    let id = *id;
                    // `extern int a[];` may get its length here.
                    if matches!(self.types.get(self.variables[id.index()].ty), Type::IncompleteArray { .. }) {
                        self.retype_variable(id, declared.ty);
                    }
                    id
                }
                _ => {
                    let id = self.global(name, declared.ty, true, span)?;
                    self.scopes.declare_linked(name, Symbol::Variable { id, array: None, pointee: None });
                    id
                }
            };
            self.scopes.declare(name, Symbol::Variable { id, array: None, pointee: None });
            Ok(())
        } else if specifiers.is(Class::Static) {
            let function = self.current.as_ref().map(|d| d.function);
            let id = self.new_variable(name, declared.ty, Storage::Global, function, span);
            self.defined_globals.insert(id);
            self.scopes.declare(name, Symbol::Variable { id, array: None, pointee: None });
            initializer.map_or(Ok(()), |init| self.initialize_global(id, init))
        } else {
            self.local(name, declared, initializer, span)
        }
    }

    /// A condition that we cannot evaluate is left to the compiler.
    pub fn static_assertion(&mut self, assertion: &Node<ast::StaticAssert>) -> Lowered<()> {
        match self.constant_value(&assertion.node.expression) {
            Ok(Some(0)) => self.invalid("this static assertion fails", assertion.span),
            _ => Ok(()),
        }
    }

    fn typedef_attributes(&mut self, declared: &DeclaredType, declarator: &Node<ast::Declarator>) {
        if let Type::Composite(id) = *self.types.get(declared.ty)
            && attributes(&declarator.node.extensions).any(|a| attribute_name(a) == "transparent_union")
        {
            self.transparent_unions.insert(id);
        }
    }

    pub fn new_variable(
        &mut self,
        name: &str,
        ty: TypeId,
        storage: Storage,
        function: Option<FunctionId>,
        span: AstSpan,
    ) -> VarId {
        let span = self.span(span);
        self.add_variable(Variable {
            name: name.to_owned(),
            unique_name: String::new(),
            ty,
            storage,
            function,
            span,
            address_taken: false,
            align: None,
            initializer: Vec::new(),
        })
    }

    /// A variable of file scope; a repeated declaration is the same variable, whose type may become complete.
    pub fn global(&mut self, name: &str, ty: TypeId, is_extern: bool, span: AstSpan) -> Lowered<VarId> {
        self.check_poison(name, span)?;
        if let Some(target) = self.linkage.target(name) {
            return self.other_variable(name, target, ty, span);
        }
        let id = match self.scopes.lookup_file(name) {
            Some(Symbol::Variable { id, .. }) => {
                let id = *id;
                let old = self.variables[id.index()].ty;
                if matches!(self.types.get(old), Type::IncompleteArray { .. }) {
                    self.retype_variable(id, ty);
                }
                id
            }
            Some(Symbol::Function(_)) => {
                return self.invalid(format!("`{name}` is declared as a function and as a variable"), span);
            }
            _ => self.new_variable(name, ty, Storage::Global, None, span),
        };
        if !is_extern {
            self.defined_globals.insert(id);
        }
        if self.linkage.is_missing(name) {
            self.null_variables.insert(id);
        }
        self.scopes.declare(name, Symbol::Variable { id, array: None, pointee: None });
        Ok(id)
    }

    /// Completes the type of an array whose length an initialiser or a later declaration gives.
    pub fn retype_variable(&mut self, id: VarId, ty: TypeId) {
        self.variables[id.index()].ty = ty;
    }

    fn local(
        &mut self,
        name: &str,
        declared: DeclaredType,
        initializer: Option<&Node<ast::Initializer>>,
        span: AstSpan,
    ) -> Lowered<()> {
        let function = self.draft(span)?.function;
        if let Some(dims) = declared.array {
            if initializer.is_some() {
                return self.unsupported("initialiser of an object of variable length", span);
            }
            return self.variable_length_array(name, declared.ty, dims, span);
        }
        let id = self.new_variable(name, declared.ty, Storage::Local, Some(function), span);
        self.draft(span)?.locals.push(id);
        // In scope from here on, its own initialiser included.
        self.scopes.declare(name, Symbol::Variable { id, array: None, pointee: declared.pointee });
        match initializer {
            Some(initializer) => self.initialize_local(id, initializer, span),
            None if self.types.size_of(declared.ty).is_none() => {
                self.invalid(format!("`{name}` has an incomplete type"), span)
            }
            None => self.emit(Op::Declare(id), span),
        }
    }

    /// `T a[n]`: a pointer to memory of the frame, as much as the lengths say now.
    fn variable_length_array(&mut self, name: &str, element: TypeId, dims: Dims, span: AstSpan) -> Lowered<()> {
        let function = self.draft(span)?.function;
        let pointer = self.types.pointer_to(element);
        let id = self.new_variable(name, pointer, Storage::Local, Some(function), span);
        self.draft(span)?.locals.push(id);
        let bytes = self.dims_size(element, &dims);
        self.begin_array(span)?;
        let (void_pointer, size) = (self.common.void_pointer, self.common.size);
        let alloca = self.library_function("__builtin_alloca", void_pointer, &[size], span);
        let raw = self.temporary(void_pointer, span)?;
        let raw = self.variable_expr(raw);
        self.emit_draft(
            DraftOp::Call { callee: Callee::Function(alloca), arguments: vec![bytes], result: Some(raw) },
            span,
        )?;
        let value = self.cast(raw, pointer);
        let place = self.variable_expr(id);
        self.assign(place, value, span)?;
        self.scopes.declare(name, Symbol::Variable { id, array: Some(dims), pointee: None });
        Ok(())
    }

    /// The bytes in a variable-length array.
    pub fn dims_size(&mut self, element: TypeId, dims: &[ExprId]) -> ExprId {
        let size = self.common.size;
        let element_size = self.types.size_of(element).unwrap_or(1);
        let mut bytes = self.int_constant(element_size.into(), size);
        for &count in dims {
            bytes = self.binary(BinaryOp::Mul, count, bytes);
        }
        bytes
    }

    /// Declares a function at file scope; later declarations may give it a prototype.
    pub fn declare_function(&mut self, name: &str, ty: TypeId, span: AstSpan) -> FunctionId {
        if let Some(target) = self.linkage.target(name) {
            return self.other_function(name, target, ty, span);
        }
        if let Some(Symbol::Function(id)) = self.scopes.lookup_file(name) {
            let id = *id;
            let old_prototyped = self.prototyped(self.functions[id.index()].ty);
            if !old_prototyped || self.prototyped(ty) && self.functions[id.index()].body.is_none() {
                self.functions[id.index()].ty = ty;
            }
            if !self.scopes.at_file_scope() {
                self.scopes.declare(name, Symbol::Function(id));
            }
            return id;
        }
        let id = FunctionId::new(self.functions.len());
        let span = self.span(span);
        self.functions.push(Function { span, ..Function::declared(name, ty) });
        self.drafts.push(None);
        if super::builtins::never_returns(name) && !self.defined.contains(name) {
            self.noreturn.insert(id);
        }
        if self.linkage.is_missing(name) {
            self.null_functions.insert(id);
        }
        self.scopes.declare_linked(name, Symbol::Function(id));
        if !self.scopes.at_file_scope() {
            self.scopes.declare(name, Symbol::Function(id));
        }
        id
    }

    fn prototyped(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Function { prototyped: true, .. })
    }

    /// A function that lowering itself calls, declared where the program does not.
    pub fn library_function(&mut self, name: &str, result: TypeId, parameters: &[TypeId], span: AstSpan) -> FunctionId {
        if let Some(Symbol::Function(id)) = self.scopes.lookup_file(name) {
            return *id;
        }
        let ty = Type::Function { result, parameters: parameters.to_vec(), variadic: false, prototyped: true };
        let ty = self.types.intern(ty);
        self.declare_function(name, ty, span)
    }

    pub fn function_definition(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Lowered<()> {
        let node = &definition.node;
        let Some(name) = declared_name(&node.declarator) else {
            return self.invalid("a function without a name", definition.span);
        };
        if name.starts_with("__builtin_") {
            return self.invalid(format!("`{name}` is defined, but gcc keeps this name for itself"), definition.span);
        }
        if complex_helpers::is_helper(name) {
            self.parted.helpers.insert(name, definition);
            return Ok(());
        }
        let specifiers = Specifiers::of_declaration(&node.specifiers);
        let poison = self.check_poison(name, definition.span);
        let base = poison.and_then(|()| self.specified_type(&specifiers, definition.span));
        let declared = match base.and_then(|base| self.declared_type(base, &node.declarator)) {
            Err(Fail::Unsupported { what, span }) => {
                self.unsupported_definition(definition, what, span);
                return Ok(());
            }
            other => other?,
        };
        let Type::Function { result, .. } = *self.types.get(declared.ty) else {
            return self.invalid(format!("`{name}` has a body, but is not a function"), definition.span);
        };
        let id = self.declare_function(name, declared.ty, node.declarator.span);
        self.note_written(&specifiers, &node.declarator);
        self.functions[id.index()].ty = declared.ty;
        self.functions[id.index()].span = self.span(node.declarator.span);
        if self.drafts[id.index()].is_some() {
            // A body of GNU's `extern inline` is for inlining only; without optimisation gcc calls the other one.
            if specifiers.is(Class::Extern) {
                return Ok(());
            }
            if !self.inline_only.contains(&id) {
                return self.invalid(format!("`{name}` is defined twice"), definition.span);
            }
            self.drafts[id.index()] = None;
            self.functions[id.index()].parameters.clear();
        }
        if specifiers.is(Class::Extern) {
            self.inline_only.insert(id);
        } else {
            self.inline_only.remove(&id);
        }
        self.define(id, result, definition)
    }

    /// Defines a function of the prelude where it is first needed.
    pub fn helper_function(&mut self, definition: &Node<ast::FunctionDefinition>) -> Lowered<FunctionId> {
        let node = &definition.node;
        let name = declared_name(&node.declarator).unwrap_or_default();
        if let Some(Symbol::Function(id)) = self.scopes.lookup_file(name) {
            return Ok(*id);
        }
        let specifiers = Specifiers::of_declaration(&node.specifiers);
        let base = self.specified_type(&specifiers, definition.span)?;
        let declared = self.declared_type(base, &node.declarator)?;
        let Type::Function { result, .. } = *self.types.get(declared.ty) else {
            return self.invalid(format!("`{name}` has a body, but is not a function"), definition.span);
        };
        let id = self.declare_function(name, declared.ty, definition.span);
        self.label_addresses.enter(Default::default());
        let outcome = self.define(id, result, definition);
        self.label_addresses.leave();
        // The branches are not the program's.
        for edge in self.drafts[id.index()].iter_mut().flat_map(|draft| &mut draft.edges) {
            edge.settles = None;
        }
        outcome.map(|()| id)
    }

    /// Lowers the body of a function.
    pub fn define(
        &mut self,
        id: FunctionId,
        result: TypeId,
        definition: &Node<ast::FunctionDefinition>,
    ) -> Lowered<()> {
        let mut draft = Draft::new(id, result);
        draft.addressed = addressed_names(&definition.node.statement);
        let enclosing = (self.current.replace(draft), self.within.replace(id));
        self.scopes.enter();
        let outcome = self.function_body(id, definition);
        self.scopes.leave();
        let draft = std::mem::replace(&mut self.current, enclosing.0);
        self.within = enclosing.1;
        self.drafts[id.index()] = draft;
        match outcome {
            Err(Fail::Unsupported { what, span }) => {
                // Calls of the function still find the result that it declares.
                self.add_result(id, result, definition.span);
                self.unsupported_body(id, what, span);
                Ok(())
            }
            other => other,
        }
    }

    fn add_result(&mut self, id: FunctionId, ty: TypeId, span: AstSpan) {
        if ty != self.common.void && self.functions[id.index()].result.is_none() {
            let result = self.new_variable("__tandem_result", ty, Storage::Result, Some(id), span);
            self.functions[id.index()].result = Some(result);
        }
    }

    /// A function whose head cannot be represented: entering it, or naming it from here on, is unsupported.
    fn unsupported_definition(&mut self, definition: &Node<ast::FunctionDefinition>, what: String, span: Span) {
        let Some(name) = declared_name(&definition.node.declarator) else { return };
        let declared = match self.scopes.lookup_file(name) {
            Some(Symbol::Function(id)) => Some(*id),
            _ if name == "main" => {
                let result = self.common.int;
                let ty = Type::Function { result, parameters: Vec::new(), variadic: false, prototyped: false };
                let ty = self.types.intern(ty);
                Some(self.declare_function(name, ty, definition.node.declarator.span))
            }
            _ => None,
        };
        match declared {
            Some(id) => self.unsupported_body(id, what, span),
            None => self.poison(&definition.node.declarator, &what),
        }
    }

    fn function_body(&mut self, id: FunctionId, definition: &Node<ast::FunctionDefinition>) -> Lowered<()> {
        self.parameters(id, definition)?;
        let name = self.functions[id.index()].name.clone();
        let specifiers = Specifiers::of_declaration(&definition.node.specifiers);
        self.note_alignment(&specifiers, None, &name, &definition.node.declarator)?;
        self.take_variadic(&name, definition.span)?;
        let result_type = self.draft(definition.span)?.result_type;
        if self.functions[id.index()].name == "main" {
            if result_type != self.common.void && !self.types.is_integer(result_type) {
                return self.invalid("`main` does not return an integer", definition.node.declarator.span);
            }
            self.begin_main(definition.span)?;
        }
        self.add_result(id, result_type, definition.span);
        self.draft(definition.span)?.result = self.functions[id.index()].result;
        self.statement(&definition.node.statement)?;
        self.close_computed_gotos(definition.span)?;
        self.close_labels(definition.span)?;
        self.check_labels(definition.span)?;
        self.end_of_body(id, definition.span)
    }

    /// Falling off the end returns; from `main`, with 0.
    fn end_of_body(&mut self, id: FunctionId, span: AstSpan) -> Lowered<()> {
        let is_main = self.functions[id.index()].name == "main";
        let result_type = self.draft(span)?.result_type;
        let value = (is_main && self.types.is_integer(result_type)).then(|| self.int_constant(0, result_type));
        let close = AstSpan { start: span.end.saturating_sub(1), end: span.end };
        self.emit_return(value, close)
    }

    pub fn emit_return(&mut self, value: Option<ExprId>, span: AstSpan) -> Lowered<()> {
        let value = self.before_return(value, span)?;
        self.check_noreturn(span)?;
        let at = self.span(span);
        let draft = self.draft(span)?;
        let (from, exit) = (draft.at, draft.exit);
        draft.add(from, super::draft::Target { place: exit, settles: None }, DraftOp::Plain(Op::Return(value)), at);
        draft.at = draft.place();
        Ok(())
    }

    /// A function that is declared not to return does not: what its callers would do then is open.
    fn check_noreturn(&mut self, span: AstSpan) -> Lowered<()> {
        let function = self.draft(span)?.function;
        if !self.noreturn.contains(&function) {
            return Ok(());
        }
        let name = self.source_name(function);
        let what = format!("return from `{name}`, which is declared not to return");
        self.emit_unsupported(what, self.span(span), span)
    }

    /// The whole body could not be lowered: entering it is unsupported.
    pub fn unsupported_body(&mut self, id: FunctionId, what: String, span: Span) {
        let unsupported = UnsupportedId::new(self.unsupported.len());
        self.unsupported.push(Unsupported { what, span });
        let result_type = self.common.void;
        let mut draft = Draft::new(id, result_type);
        let (from, to) = (draft.at, draft.exit);
        let op = DraftOp::Plain(Op::Unsupported(unsupported));
        draft.add(from, super::draft::Target { place: to, settles: None }, op, span);
        self.drafts[id.index()] = Some(draft);
    }
}
