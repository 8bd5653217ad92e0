//! C expressions that are not part of the program, such as predicates and invariants, over the program's own variables.
//! They are lowered like the program's expressions, but must have no side effects.

use super::linkage::Linkage;
use super::places::Value;
use super::scopes::{Scopes, Symbol, Tag};
use super::{Common, Fail, Lowered, Lowerer};
use crate::frontend::text::SourceText;
use lang_c::ast::{self, BinaryOperator, Expression};
use lang_c::span::{Node, Span as AstSpan};
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::ParsedExpression;

/// Why an expression is refused, and where in its text.
pub(in crate::frontend) struct Refusal {
    pub message: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
}

/// Types an expression with the names that are visible at a place.
pub(in crate::frontend) fn lower_expression(
    expression: &Node<Expression>,
    source: &SourceText,
    program: &Program,
    seen_from: Viewpoint,
) -> Result<ParsedExpression, Refusal> {
    let mut lowerer = over(program, source);
    lowerer.declare_names(expression, program, seen_from);
    let lowered = lowerer.scalar(expression).and_then(|root| lowerer.check(root, program, expression.span));
    let root = lowered.map_err(|failure| match failure {
        Fail::Unsupported { what, span } => Refusal { message: what, line: Some(span.line), column: Some(span.column) },
        Fail::Invalid(problem) => {
            Refusal { message: problem.message.clone(), line: problem.line, column: problem.column }
        }
    })?;
    let types = (program.types.len()..lowerer.types.len()).map(|id| lowerer.types.get(TypeId::new(id)).clone());
    let nodes = (program.exprs.len()..lowerer.exprs.len()).map(|id| lowerer.exprs.get(ExprId::new(id)));
    Ok(ParsedExpression { types: types.collect(), nodes: nodes.collect(), root })
}

/// The program's own names are linked already.
static NO_LINKAGE: LazyLock<Linkage> = LazyLock::new(Linkage::default);

/// A lowering that goes on where the program's ended.
fn over<'a>(program: &'a Program, source: &'a SourceText) -> Lowerer<'a> {
    let mut types = program.types.clone();
    let common = Common::new(&mut types);
    let with_body = program.functions.iter().filter(|function| function.body.is_some());
    Lowerer {
        source,
        name: "expression",
        types,
        common,
        exprs: program.exprs.clone(),
        depths: Default::default(),
        variables: program.variables.clone(),
        functions: program.functions.clone(),
        drafts: program.functions.iter().map(|_| None).collect(),
        noreturn: Default::default(),
        broken_promises: Default::default(),
        alignments: super::alignment::DeclaredAlignments::default(),
        designated_elements: 0,
        decisions: Vec::new(),
        unsupported: Vec::new(),
        scopes: Scopes::new(),
        defined: with_body.map(|function| function.name.as_str()).collect(),
        linkage: &NO_LINKAGE,
        null_functions: Default::default(),
        null_variables: Default::default(),
        model_file: None,
        internal: Default::default(),
        current: None,
        within: None,
        strings: FxHashMap::default(),
        shares_literals: false,
        defined_globals: Default::default(),
        transparent_unions: Default::default(),
        narrow_types: Default::default(),
        label_addresses: Default::default(),
        flexible: FxHashMap::default(),
        nested: Default::default(),
        inline_only: Default::default(),
        nonlocal: Default::default(),
        variable_structs: Default::default(),
        in_prototype: false,
        parted: Default::default(),
        written: Default::default(),
        variadic: super::variadic::Variadic::new(Default::default()),
        composite_names: FxHashMap::default(),
        defining: Vec::new(),
        one_expression: true,
    }
}

/// All names that an expression uses.
#[derive(Default)]
struct UsedNames(BTreeSet<String>);

impl<'ast> Visit<'ast> for UsedNames {
    fn visit_identifier(&mut self, identifier: &'ast ast::Identifier, span: &'ast AstSpan) {
        self.0.insert(identifier.name.clone());
        visit::visit_identifier(self, identifier, span);
    }
}

impl Lowerer<'_> {
    fn declare_names(&mut self, expression: &Node<Expression>, program: &Program, seen_from: Viewpoint) {
        let mut used = UsedNames::default();
        used.visit_expression(&expression.node, &expression.span);
        for name in used.0 {
            let symbol = match program.meaning(&name, seen_from) {
                Meaning::Variable(id) => Symbol::Variable { id, array: None, pointee: None },
                Meaning::Function(id) => Symbol::Function(id),
                Meaning::Ambiguous => {
                    Symbol::Unsupported(format!("several variables that could be meant are named `{name}`"))
                }
                Meaning::Unknown => continue,
            };
            self.scopes.declare(&name, symbol);
        }
        for (index, composite) in program.types.composites.iter().enumerate() {
            self.scopes.declare_tag(&composite.name, Tag::Composite(CompositeId::new(index)));
        }
    }

    /// The expression may need nothing that the program does not have: no new struct, no string, no address of a variable
    /// that the program itself never takes.
    fn check(&self, root: ExprId, program: &Program, span: AstSpan) -> Lowered<ExprId> {
        if self.variables.len() > program.variables.len() || self.functions.len() > program.functions.len() {
            return self.unsupported("a string, or another object that the program does not have", span);
        }
        if self.types.composites.len() > program.types.composites.len() {
            return self.unsupported("a struct or union that the program does not have", span);
        }
        for id in program.exprs.len()..self.exprs.len() {
            let ExprKind::AddressOf(place) = self.exprs.kind(ExprId::new(id)) else { continue };
            if let ExprKind::Var(variable) = self.exprs.kind(place)
                && !program.variable(variable).address_taken
                && self.types.is_scalar(program.variable(variable).ty)
            {
                let name = &program.variable(variable).name;
                return self.unsupported(format!("the address of `{name}`, which the program never takes"), span);
            }
        }
        Ok(root)
    }

    /// `a && b` and `a || b`.
    pub fn logical(&mut self, b: &Node<ast::BinaryOperatorExpression>) -> Lowered<Value> {
        let (lhs, rhs) = (self.scalar(&b.node.lhs)?, self.scalar(&b.node.rhs)?);
        let kind = match b.node.operator.node {
            BinaryOperator::LogicalAnd => ExprKind::And { lhs, rhs },
            _ => ExprKind::Or { lhs, rhs },
        };
        let int = self.common.int;
        Ok(self.exprs.intern(kind, int).into())
    }

    /// `c ? a : b`, and `c ?: b`.
    pub fn choice(&mut self, c: &ast::ConditionalExpression, elvis: bool, span: AstSpan) -> Lowered<Value> {
        let condition = self.scalar(&c.condition)?;
        let then = if elvis { condition } else { self.value(&c.then_expression)?.expr };
        let otherwise = self.value(&c.else_expression)?.expr;
        let Some(ty) = self.common_type(then, otherwise).filter(|ty| self.types.is_scalar(*ty)) else {
            return self.unsupported("a choice between values that are not numbers or pointers", span);
        };
        let then = self.convert(then, ty, span)?;
        let otherwise = self.convert(otherwise, ty, span)?;
        Ok(self.exprs.intern(ExprKind::Conditional { condition, then, otherwise }, ty).into())
    }
}
