//! Names in scope: ordinary identifiers and tags, innermost scope last.

use super::written::Written;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tandem_plugin_api::program::*;

/// Element counts of a variable-length array, outermost first; the values never change.
pub(super) type Dims = Rc<[ExprId]>;

/// A declared type. Variable-length arrays have no type of their own in a `Program`: an object of such a type is a
/// pointer to its first innermost element, and its shape is kept beside it here.
#[derive(Clone, Debug)]
pub(super) struct DeclaredType {
    pub ty: TypeId,
    /// The object is a variable-length array of this shape, and `ty` is its innermost element type.
    pub array: Option<Dims>,
    /// The object is a pointer to variable-length arrays of this shape.
    pub pointee: Option<Dims>,
    /// `__attribute__((aligned(n)))` on the typedef that names the type; matters for members.
    pub align: Option<u64>,
}

impl DeclaredType {
    pub fn plain(ty: TypeId) -> Self {
        DeclaredType { ty, array: None, pointee: None, align: None }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Typedef(DeclaredType),
    Variable {
        id: VarId,
        array: Option<Dims>,
        pointee: Option<Dims>,
    },
    Function(FunctionId),
    Constant {
        value: i128,
        ty: TypeId,
    },
    /// Declared with an unsupported construct, which every use reports.
    Unsupported(String),
}

#[derive(Clone, Debug)]
pub(super) enum Tag {
    Composite(CompositeId),
    Enum(TypeId),
    /// Defined with an unsupported construct, which every use reports.
    Unsupported(Rc<str>),
}

#[derive(Default)]
struct Scope {
    symbols: FxHashMap<String, Symbol>,
    tags: FxHashMap<String, Tag>,
    /// The written types of some symbols; `None` where such a type is not known.
    written: FxHashMap<String, Option<Written>>,
}

pub(super) struct Scopes {
    stack: Vec<Scope>,
}

impl Scopes {
    pub fn new() -> Self {
        Scopes { stack: vec![Scope::default()] }
    }

    pub fn enter(&mut self) {
        self.stack.push(Scope::default());
    }

    pub fn leave(&mut self) {
        debug_assert!(self.stack.len() > 1);
        self.stack.pop();
    }

    pub fn at_file_scope(&self) -> bool {
        self.stack.len() == 1
    }

    pub fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.stack.iter().rev().find_map(|scope| scope.symbols.get(name))
    }

    /// The symbol that the innermost scope itself declares.
    pub fn lookup_here(&self, name: &str) -> Option<&Symbol> {
        self.stack.last().and_then(|scope| scope.symbols.get(name))
    }

    /// The symbol that the file scope gives this name.
    pub fn lookup_file(&self, name: &str) -> Option<&Symbol> {
        self.stack[0].symbols.get(name)
    }

    pub fn declare(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.stack.last_mut() {
            scope.symbols.insert(name.to_owned(), symbol);
        }
    }

    /// For a symbol that the innermost scope declares; a function's declaration stands for it at file scope, too.
    pub fn declare_written(&mut self, name: &str, written: Option<Written>) {
        if let Some(scope) = self.stack.last_mut() {
            scope.written.insert(name.to_owned(), written);
        }
    }

    /// `None` if no written type was noted for the symbol of this name.
    pub fn lookup_written(&self, name: &str) -> Option<Option<Written>> {
        let scope = self.stack.iter().rev().find(|scope| scope.symbols.contains_key(name))?;
        Some(scope.written.get(name).cloned().flatten())
    }

    pub fn declare_in_file(&mut self, name: &str, symbol: Symbol) {
        self.stack[0].symbols.insert(name.to_owned(), symbol);
    }

    /// A linked name has one meaning in all scopes; if the file scope uses the name for something else, that stays.
    pub fn declare_linked(&mut self, name: &str, symbol: Symbol) {
        if !matches!(self.lookup_file(name), Some(Symbol::Constant { .. } | Symbol::Typedef(_))) {
            self.declare_in_file(name, symbol);
        }
    }

    pub fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.stack.iter().rev().find_map(|scope| scope.tags.get(name).cloned())
    }

    /// The tag as the innermost scope itself declares it.
    pub fn lookup_tag_here(&self, name: &str) -> Option<Tag> {
        self.stack.last().and_then(|scope| scope.tags.get(name).cloned())
    }

    pub fn declare_tag(&mut self, name: &str, tag: Tag) {
        if let Some(scope) = self.stack.last_mut() {
            scope.tags.insert(name.to_owned(), tag);
        }
    }
}
