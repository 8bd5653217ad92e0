//! Typing and lowering: the syntax tree of lang-c becomes a typed `Program`.
//! Declarations are read in order; each function becomes a draft, and `assemble` joins the drafts into one automaton.

mod aggregate_init;
mod alignment;
mod allocation;
mod arithmetic;
mod around_main;
mod array_lifetimes;
mod asm_text;
mod assemble;
mod ast_query;
mod atomics;
mod attributes;
mod bit_builtins;
mod builtins;
mod calls;
mod complex;
mod complex_exact;
mod conditions;
mod constant_p;
mod declarations;
mod declarators;
mod depth;
mod draft;
mod enumerations;
mod expressions;
mod finish;
mod float_builtins;
mod folded;
mod implicit;
mod initial_values;
mod inline_asm;
mod label_addresses;
mod layout;
mod linkage;
mod literals;
mod mmx;
mod models;
mod narrow;
mod nested;
mod nested_chain;
mod nonlocal_jumps;
mod object_size;
mod open_order;
mod operators;
mod overflow_builtins;
mod padding;
mod parameters;
mod parts;
mod places;
mod predicate;
mod promises;
mod scopes;
mod statements;
mod type_specifiers;
mod unwinding;
mod variable_structs;
mod variadic;
mod vectors;
mod written;

use super::text::SourceText;
use crate::diagnostic::Diagnostic;
use draft::Draft;
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::{FxHashMap, FxHashSet};
use scopes::Scopes;
use tandem_plugin_api::program::*;

/// Why something was not lowered.
#[derive(Debug)]
enum Fail {
    /// C that we cannot represent: recorded at its place, the rest of the program goes on.
    Unsupported { what: String, span: Span },
    /// Not C: the whole file is refused.
    Invalid(Box<Diagnostic>),
}

type Lowered<T> = Result<T, Fail>;

/// Types that lowering needs all the time.
struct Common {
    void: TypeId,
    char: TypeId,
    int: TypeId,
    size: TypeId,
    ptrdiff: TypeId,
    double: TypeId,
    void_pointer: TypeId,
}

impl Common {
    fn new(types: &mut Types) -> Self {
        let void = types.intern(Type::Void);
        let (size, ptrdiff) = match types.model {
            DataModel::Ilp32 => (IntKind::UInt, IntKind::Int),
            DataModel::Lp64 => (IntKind::ULong, IntKind::Long),
        };
        Common {
            void,
            char: types.int(IntKind::Char),
            int: types.int(IntKind::Int),
            size: types.int(size),
            ptrdiff: types.int(ptrdiff),
            double: types.intern(Type::Float(FloatKind::Double)),
            void_pointer: types.pointer_to(void),
        }
    }
}

/// The state of one lowering run.
struct Lowerer<'a> {
    source: &'a SourceText,
    name: &'a str,
    types: Types,
    common: Common,
    exprs: Exprs,
    depths: depth::Depths,
    variables: Vec<Variable>,
    functions: Vec<Function>,
    /// By function; `None` for those without a body.
    drafts: Vec<Option<Draft>>,
    /// Functions that never return, by their declaration or by the C library's documentation.
    noreturn: FxHashSet<FunctionId>,
    /// Functions whose calls gcc may leave out though they do something.
    broken_promises: FxHashSet<String>,
    alignments: alignment::DeclaredAlignments,
    /// Elements that designators have named so far.
    designated_elements: u64,
    decisions: Vec<Decision>,
    unsupported: Vec<Unsupported>,
    scopes: Scopes,
    /// Names of all functions that have a body somewhere in the file, or in the model of a library function.
    defined: FxHashSet<&'a str>,
    linkage: &'a linkage::Linkage,
    /// Weak symbols without a definition.
    null_functions: FxHashSet<FunctionId>,
    null_variables: FxHashSet<VarId>,
    /// The model of a library function is being lowered; its text is this file.
    model_file: Option<FileId>,
    /// Functions with a body that no other file sees.
    internal: FxHashSet<&'a str>,
    /// The function being lowered; `None` at file scope, where expressions must be constant.
    current: Option<Draft>,
    /// The function around what is read, also where it must be constant (`case sizeof __func__:`).
    within: Option<FunctionId>,
    /// String literals by their contents and where they stand.
    strings: FxHashMap<(TypeId, Vec<u32>, usize), VarId>,
    /// Whether equal literals are one variable, since the program does not compare their addresses.
    shares_literals: bool,
    /// Globals with a definition, tentative ones included; the others are `extern`.
    defined_globals: FxHashSet<VarId>,
    transparent_unions: FxHashSet<CompositeId>,
    narrow_types: narrow::NarrowTypes,
    label_addresses: label_addresses::LabelAddresses,
    /// Variables with more memory than their types have, and these types.
    flexible: FxHashMap<VarId, TypeId>,
    nested: nested::Nested,
    /// Functions that so far are defined with `extern`: another body may follow.
    inline_only: FxHashSet<FunctionId>,
    nonlocal: nonlocal_jumps::NonlocalJumps,
    variable_structs: variable_structs::VariableStructs,
    parted: parts::Parted<'a>,
    written: written::WrittenTypes,
    variadic: variadic::Variadic,
    /// How many composites have each name, so that their names can be made unique.
    composite_names: FxHashMap<String, u32>,
    /// Structs and unions whose members are being read.
    defining: Vec<CompositeId>,
    /// The lowered code must stay one expression: nothing can be executed, and `&&`, `||` and `?:` are operators.
    one_expression: bool,
    /// The parameter of a mere prototype is read: lengths of arrays are not evaluated.
    in_prototype: bool,
}

pub(super) use predicate::{Refusal, lower_expression};

/// Lowers a whole file.
pub(super) fn lower(
    unit: &ast::TranslationUnit,
    source: &SourceText,
    name: &str,
    model: DataModel,
) -> Result<Program, Diagnostic> {
    let mut types = Types::new(model);
    let common = Common::new(&mut types);
    let linkage = linkage::Linkage::of(unit, &source.linkage);
    let models = models::needed(unit, &source.text)?;
    let mut defined = ast_query::defined_functions(unit);
    defined.extend(linkage.other_names());
    defined.extend(models.iter().flat_map(|model| model.defined()));
    let mut lowerer = Lowerer {
        source,
        name,
        types,
        common,
        exprs: Exprs::default(),
        depths: depth::Depths::default(),
        variables: Vec::new(),
        functions: Vec::new(),
        drafts: Vec::new(),
        noreturn: FxHashSet::default(),
        broken_promises: promises::broken_promises(unit),
        alignments: alignment::DeclaredAlignments::default(),
        designated_elements: 0,
        decisions: Vec::new(),
        unsupported: Vec::new(),
        scopes: Scopes::new(),
        defined,
        linkage: &linkage,
        null_functions: FxHashSet::default(),
        null_variables: FxHashSet::default(),
        model_file: None,
        internal: ast_query::internal_functions(unit),
        current: None,
        within: None,
        strings: FxHashMap::default(),
        shares_literals: false,
        defined_globals: FxHashSet::default(),
        transparent_unions: FxHashSet::default(),
        narrow_types: Default::default(),
        label_addresses: Default::default(),
        flexible: FxHashMap::default(),
        nested: Default::default(),
        inline_only: FxHashSet::default(),
        nonlocal: Default::default(),
        variable_structs: Default::default(),
        parted: Default::default(),
        written: written::WrittenTypes::new(&source.text),
        variadic: variadic::Variadic::new(ast_query::variadic_definitions(unit, &source.text)),
        composite_names: FxHashMap::default(),
        defining: Vec::new(),
        one_expression: false,
        in_prototype: false,
    };
    for declaration in &unit.0 {
        match lowerer.external_declaration(declaration) {
            Ok(()) => {}
            // Uses of the declared name are reported at their places; a declaration alone does nothing.
            Err(Fail::Unsupported { .. }) => {}
            Err(Fail::Invalid(diagnostic)) => return Err(*diagnostic),
        }
    }
    let mut files = source.map.files().to_vec();
    for model in &models {
        lowerer.model(model, files.len());
        files.push(model.file());
    }
    assemble::assemble(lowerer, files)
}

impl<'a> Lowerer<'a> {
    fn external_declaration(&mut self, declaration: &'a Node<ast::ExternalDeclaration>) -> Lowered<()> {
        match &declaration.node {
            ast::ExternalDeclaration::Declaration(d) => self.declaration(d),
            ast::ExternalDeclaration::StaticAssert(assertion) => self.static_assertion(assertion),
            ast::ExternalDeclaration::FunctionDefinition(f) => self.function_definition(f),
        }
    }

    fn span(&self, span: AstSpan) -> Span {
        let at = self.source.map.span(span.start, span.end);
        match self.model_file {
            Some(file) => Span { file, ..at },
            None => at,
        }
    }

    fn unsupported<T>(&self, what: impl Into<String>, span: AstSpan) -> Lowered<T> {
        Err(Fail::Unsupported { what: what.into(), span: self.span(span) })
    }

    fn invalid<T>(&self, message: impl Into<String>, span: AstSpan) -> Lowered<T> {
        let at = self.span(span);
        let file = self.source.map.files().get(at.file.index()).map_or(self.name, |f| f.name.as_str());
        Err(Fail::Invalid(Box::new(
            Diagnostic::new(message)
                .in_file(file)
                .at(at.line, at.column)
                .help("make sure that `gcc -fsyntax-only` accepts the file"),
        )))
    }
}
