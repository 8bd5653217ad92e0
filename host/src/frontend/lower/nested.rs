//! Functions inside functions (a GNU extension): each becomes a function of its own. The variables of the functions
//! around it that it uses are reached through global pointers, which `nested_chain` sets.

use super::ast_query::label_names;
use super::attributes::{attribute_name, attributes};
use super::declarators::declared_name;
use super::draft::DraftOp;
use super::scopes::Symbol;
use super::type_specifiers::Specifiers;
use super::{Lowered, Lowerer};
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::*;

/// The functions inside functions, and the variables that they use.
#[derive(Default)]
pub(super) struct Nested {
    /// The name in the source, and the function around it.
    pub functions: FxHashMap<FunctionId, (String, FunctionId)>,
    /// Variables that functions inside use, with the pointers to them, by the function that the variables belong to.
    pub captured: Vec<(FunctionId, Vec<(VarId, VarId)>)>,
}

/// Whether this is the declaration that the definition of a function inside a function begins with.
pub(super) fn begins_definition(item: &Node<ast::BlockItem>) -> bool {
    let ast::BlockItem::Declaration(declaration) = &item.node else { return false };
    let [declarator] = declaration.node.declarators.as_slice() else { return false };
    attributes(&declarator.node.declarator.node.extensions).any(is_mark)
}

fn is_mark(attribute: &ast::Attribute) -> bool {
    attribute_name(attribute) == crate::frontend::text::NESTED_ATTRIBUTE.trim_matches('_')
}

/// The definition of a function that the items begin with, put together again, and how many items it takes.
pub(super) fn definition(items: &[Node<ast::BlockItem>]) -> Option<(Node<ast::FunctionDefinition>, usize)> {
    let [first, body, ..] = items else { return None };
    let (ast::BlockItem::Declaration(declaration), ast::BlockItem::Statement(statement)) = (&first.node, &body.node)
    else {
        return None;
    };
    if !begins_definition(first) {
        return None;
    }
    let mut declarator = declaration.node.declarators.first()?.node.declarator.clone();
    declarator.node.extensions.retain(|e| !matches!(&e.node, ast::Extension::Attribute(a) if is_mark(a)));
    let definition = ast::FunctionDefinition {
        specifiers: declaration.node.specifiers.clone(),
        declarator,
        declarations: Vec::new(),
        statement: statement.clone(),
    };
    Some((Node::new(definition, AstSpan::span(first.span.start, body.span.end)), 2))
}

impl Lowerer<'_> {
    pub fn is_nested(&self, function: FunctionId) -> bool {
        self.nested.functions.contains_key(&function)
    }

    /// The name that the program's text gives a function.
    pub fn source_name(&self, function: FunctionId) -> &str {
        match self.nested.functions.get(&function) {
            Some((name, _)) => name,
            None => &self.functions[function.index()].name,
        }
    }

    /// `auto int f(int);` in a block, or the definition itself.
    pub fn declare_nested(&mut self, name: &str, ty: TypeId, span: AstSpan) -> Option<FunctionId> {
        if let Some(Symbol::Function(id)) = self.scopes.lookup_here(name)
            && self.is_nested(*id)
        {
            return Some(*id);
        }
        let enclosing = self.current.as_ref()?.function;
        let id = FunctionId::new(self.functions.len());
        let unique = format!("__tandem_nested_{}_{name}", self.nested.functions.len() + 1);
        let span = self.span(span);
        self.functions.push(Function { span, ..Function::declared(&unique, ty) });
        self.drafts.push(None);
        self.note_variadic(&unique, ty);
        self.nested.functions.insert(id, (name.to_owned(), enclosing));
        self.scopes.declare(name, Symbol::Function(id));
        Some(id)
    }

    pub fn nested_definition(&mut self, definition: &Node<ast::FunctionDefinition>) -> Lowered<()> {
        let node = &definition.node;
        let Some(name) = declared_name(&node.declarator) else {
            return self.invalid("a function without a name", definition.span);
        };
        let specifiers = Specifiers::of_declaration(&node.specifiers);
        let base = self.specified_type(&specifiers, definition.span)?;
        let declared = self.declared_type(base, &node.declarator)?;
        let Type::Function { result, .. } = *self.types.get(declared.ty) else {
            return self.invalid(format!("`{name}` has a body, but is not a function"), definition.span);
        };
        let is_scratch = self.draft(definition.span)?.is_scratch;
        let Some(id) = self.declare_nested(name, declared.ty, node.declarator.span) else { return Ok(()) };
        self.functions[id.index()].ty = declared.ty;
        if is_scratch {
            let what = "function inside an expression that is not evaluated".to_owned();
            self.unsupported_body(id, what, self.span(definition.span));
            return Ok(());
        }
        if self.drafts[id.index()].is_some() {
            return self.invalid(format!("`{name}` is defined twice"), definition.span);
        }
        self.label_addresses.enter(label_names(&node.statement));
        let outcome = self.define(id, result, definition);
        self.label_addresses.leave();
        self.reach_captured(id);
        outcome
    }

    /// Replaces the variables of enclosing functions in the body of `function` by what pointers to them point to.
    fn reach_captured(&mut self, function: FunctionId) {
        let Some(mut draft) = self.drafts[function.index()].take() else { return };
        let mut done = FxHashMap::default();
        let mut replace = |expr: &mut ExprId| *expr = self.through_pointers(*expr, function, &mut done);
        for edge in &mut draft.edges {
            match &mut edge.op {
                DraftOp::Plain(op) => op_places(op).into_iter().for_each(&mut replace),
                DraftOp::Call { callee, arguments, result } => {
                    arguments.iter_mut().chain(result).for_each(&mut replace);
                    if let Callee::Pointer(pointer) = callee {
                        replace(pointer);
                    }
                }
            }
        }
        self.drafts[function.index()] = Some(draft);
    }

    /// The expression with all captured variables replaced. Without recursion, since expressions may be deep.
    fn through_pointers(&mut self, root: ExprId, function: FunctionId, done: &mut FxHashMap<ExprId, ExprId>) -> ExprId {
        let mut work = vec![root];
        while let Some(&id) = work.last() {
            let waiting = work.len();
            work.extend(self.exprs.operands(id).filter(|operand| !done.contains_key(operand)));
            if work.len() > waiting {
                continue;
            }
            work.pop();
            let replaced = self.replaced(id, function, done);
            done.insert(id, replaced);
        }
        done.get(&root).copied().unwrap_or(root)
    }

    /// One expression whose operands are replaced already.
    fn replaced(&mut self, id: ExprId, function: FunctionId, done: &FxHashMap<ExprId, ExprId>) -> ExprId {
        let ty = self.exprs.ty(id);
        match self.exprs.kind(id) {
            ExprKind::Var(variable) if self.is_captured(variable, function) => {
                let pointer = self.pointer_to_captured(variable);
                let pointer = self.variable_expr(pointer);
                self.exprs.intern(ExprKind::Deref(pointer), ty)
            }
            kind => match kind.map(&mut |operand| done.get(&operand).copied()) {
                Some(ExprKind::AddressOf(place)) => match self.exprs.kind(place) {
                    ExprKind::Deref(pointer) if self.exprs.ty(pointer) == ty => pointer,
                    _ => self.exprs.intern(ExprKind::AddressOf(place), ty),
                },
                Some(kind) => self.exprs.intern(kind, ty),
                None => id,
            },
        }
    }

    fn is_captured(&self, variable: VarId, function: FunctionId) -> bool {
        let variable = &self.variables[variable.index()];
        let is_static = matches!(variable.storage, Storage::Global | Storage::Extern);
        !is_static && variable.function.is_some_and(|owner| owner != function)
    }

    /// The global variable that points to a captured one.
    fn pointer_to_captured(&mut self, variable: VarId) -> VarId {
        let Variable { name, ty, function, span, .. } = self.variables[variable.index()].clone();
        let owner = function.unwrap_or(FunctionId(0));
        let at = match self.nested.captured.iter().position(|(function, _)| *function == owner) {
            Some(at) => at,
            None => {
                self.nested.captured.push((owner, Vec::new()));
                self.nested.captured.len() - 1
            }
        };
        if let Some(&(_, pointer)) = self.nested.captured[at].1.iter().find(|(known, _)| *known == variable) {
            return pointer;
        }
        // Lengths of variable-length arrays are temporaries; those have no address.
        if self.variables[variable.index()].storage == Storage::Temporary {
            self.variables[variable.index()].storage = Storage::Local;
        }
        let ty = self.types.pointer_to(ty);
        let pointer = self.add_variable(Variable {
            name: format!("__tandem_chain_{}_{name}", self.functions[owner.index()].name),
            unique_name: String::new(),
            ty,
            storage: Storage::Global,
            function: None,
            span,
            address_taken: false,
            align: None,
            initializer: Vec::new(),
        });
        self.defined_globals.insert(pointer);
        self.nested.captured[at].1.push((variable, pointer));
        pointer
    }
}

/// The expressions of an operation, to be replaced.
fn op_places(op: &mut Op) -> Vec<&mut ExprId> {
    match op {
        Op::Assume { condition, .. } => vec![condition],
        Op::Assign { target, value } => vec![target, value],
        Op::Input { target, .. } => target.iter_mut().collect(),
        Op::Havoc { target } => vec![target],
        Op::Return(value) => value.iter_mut().collect(),
        Op::Skip | Op::Declare(_) | Op::Call(_) | Op::Resume(_) | Op::External(_) | Op::Unsupported(_) => Vec::new(),
    }
}
