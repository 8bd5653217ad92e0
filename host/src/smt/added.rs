//! Expressions that plugins use beside the program's own. A plugin numbers its own from the end of the program's; here
//! the expressions of all plugins are numbered in the order in which they come.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::{Expr, ExprId, ExprKind, LocationId, Program, Type, TypeId};
use tandem_plugin_api::service::{ParsedExpression, Scope};

/// See the module.
pub struct Added {
    /// The program without added expressions.
    original: Arc<Program>,
    /// The expressions that the plugin's numbers beyond the original's stand for.
    own: Numbers,
    texts: FxHashMap<(String, LocationId), ExprId>,
}

/// The expressions of the extended program that numbers from the end of the original program on stand for.
#[derive(Default)]
struct Numbers {
    types: Vec<TypeId>,
    exprs: Vec<ExprId>,
}

impl Added {
    pub fn new(original: Arc<Program>) -> Self {
        Added { original, own: Numbers::default(), texts: FxHashMap::default() }
    }

    /// The expression that a plugin means by a number.
    pub fn own(&self, id: ExprId) -> Result<ExprId> {
        let known = self.own.expr(&self.original, id);
        known.ok_or_else(|| PluginError::bad_input(format!("the program has no expression {}", id.index())))
    }

    /// Takes expressions that continue the plugin's own numbers.
    pub fn extend(&mut self, program: &mut Arc<Program>, types: Vec<Type>, nodes: Vec<Expr>) -> Result<()> {
        self.own.add(&self.original, Arc::make_mut(program), types, nodes)
    }

    /// An expression that stands on its own.
    pub fn parsed(&self, program: &mut Arc<Program>, parsed: ParsedExpression) -> Result<ExprId> {
        let mut numbers = Numbers::default();
        numbers.add(&self.original, Arc::make_mut(program), parsed.types, parsed.nodes)?;
        let root = numbers.expr(&self.original, parsed.root);
        root.ok_or_else(|| PluginError::bad_input("an expression whose root is not among its parts"))
    }

    pub fn text(&mut self, program: &mut Arc<Program>, text: String, at: LocationId) -> Result<ExprId> {
        let key = (text, at);
        if let Some(known) = self.texts.get(&key) {
            return Ok(*known);
        }
        let parsed = crate::frontend::parse_expression(&self.original, &key.0, Scope::Location(at))?;
        let expr = self.parsed(program, parsed)?;
        self.texts.insert(key, expr);
        Ok(expr)
    }

    /// An expression in the form in which a plugin can read it.
    pub fn export(&self, program: &Program, root: ExprId) -> ParsedExpression {
        let mut export = Export {
            original: &self.original,
            program,
            types: Vec::new(),
            nodes: Vec::new(),
            known: FxHashMap::default(),
            known_types: FxHashMap::default(),
        };
        let root = export.expr(root);
        ParsedExpression { types: export.types, nodes: export.nodes, root }
    }
}

impl Numbers {
    fn expr(&self, original: &Program, id: ExprId) -> Option<ExprId> {
        match id.index().checked_sub(original.exprs.len()) {
            None => Some(id),
            Some(beyond) => self.exprs.get(beyond).copied(),
        }
    }

    fn ty(&self, original: &Program, id: TypeId) -> Option<TypeId> {
        match id.index().checked_sub(original.types.len()) {
            None => Some(id),
            Some(beyond) => self.types.get(beyond).copied(),
        }
    }

    fn add(&mut self, original: &Program, program: &mut Program, types: Vec<Type>, nodes: Vec<Expr>) -> Result<()> {
        let unknown = || PluginError::bad_input("an expression that does not continue the program's own");
        for ty in types {
            let ty = ty.map(&mut |id| self.ty(original, id)).ok_or_else(unknown)?;
            if matches!(ty, Type::Composite(id) if id.index() >= program.types.composites.len()) {
                return Err(unknown());
            }
            self.types.push(program.types.intern(ty));
        }
        for node in nodes {
            let ty = self.ty(original, node.ty).ok_or_else(unknown)?;
            let kind = node.kind.map(&mut |id| self.expr(original, id)).ok_or_else(unknown)?;
            if !names_are_known(&kind, program) {
                return Err(unknown());
            }
            self.exprs.push(program.exprs.intern(kind, ty));
        }
        Ok(())
    }
}

fn names_are_known(kind: &ExprKind, program: &Program) -> bool {
    match *kind {
        ExprKind::Var(id) => id.index() < program.variables.len(),
        ExprKind::FunctionAddress(id) => id.index() < program.functions.len(),
        ExprKind::Field { base, field } => match program.types.get(program.exprs.ty(base)) {
            Type::Composite(id) => (field as usize) < program.types.composite(*id).fields.len(),
            _ => false,
        },
        _ => true,
    }
}

/// Collects the parts of an expression that the original program does not have.
struct Export<'p> {
    original: &'p Program,
    program: &'p Program,
    types: Vec<Type>,
    nodes: Vec<Expr>,
    known: FxHashMap<ExprId, ExprId>,
    known_types: FxHashMap<TypeId, TypeId>,
}

impl Export<'_> {
    fn ty(&mut self, id: TypeId) -> TypeId {
        if id.index() < self.original.types.len() {
            return id;
        }
        if let Some(known) = self.known_types.get(&id) {
            return *known;
        }
        let ty = self.program.types.get(id).clone();
        let mapped = ty.map(&mut |part| Some(self.ty(part))).unwrap_or(ty);
        let number = TypeId::new(self.original.types.len() + self.types.len());
        self.types.push(mapped);
        self.known_types.insert(id, number);
        number
    }

    fn expr(&mut self, id: ExprId) -> ExprId {
        if id.index() < self.original.exprs.len() {
            return id;
        }
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let Expr { kind, ty } = self.program.exprs.get(id);
        let ty = self.ty(ty);
        let kind = kind.map(&mut |part| Some(self.expr(part))).unwrap_or(kind);
        let number = ExprId::new(self.original.exprs.len() + self.nodes.len());
        self.nodes.push(Expr { kind, ty });
        self.known.insert(id, number);
        number
    }
}
