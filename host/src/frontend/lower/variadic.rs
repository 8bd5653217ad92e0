//! Variadic arguments. A caller stores them in a struct of its own and leaves the struct's address in a global variable;
//! a variadic function takes the address from there when it begins, and `va_arg` reads through it, from slot to slot.

use super::ast_query::VariadicDefinitions;
use super::layout::{Member, Shape, place_members};
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::*;

/// The variadic functions of the file, as far as lowering needs to know them.
pub(super) struct Variadic {
    definitions: VariadicDefinitions,
    /// Where callers leave the address of the arguments.
    area: Option<VarId>,
    /// The struct that gcc's `va_list` is an array of, on LP64.
    list: Option<TypeId>,
    /// Structs of arguments by the arguments' types.
    layouts: FxHashMap<Vec<TypeId>, TypeId>,
}

impl Variadic {
    pub fn new(definitions: VariadicDefinitions) -> Self {
        Variadic { definitions, area: None, list: None, layouts: FxHashMap::default() }
    }

    /// Whether the function of this name uses its variadic arguments.
    pub fn is_read_by(&self, function: &str) -> bool {
        self.definitions.contains_key(function)
    }
}

impl Lowerer<'_> {
    /// `__builtin_va_list`: an array of one struct on LP64, as in gcc, and a pointer on ILP32.
    pub fn va_list_type(&mut self) -> TypeId {
        let pointer = self.types.pointer_to(self.common.char);
        if self.types.model == DataModel::Ilp32 {
            return pointer;
        }
        let list = match self.variadic.list {
            Some(list) => list,
            None => {
                // As large as gcc's; only the first member is used here.
                let rest = self.types.intern(Type::Array { element: pointer, length: 2 });
                let list = self.struct_of(&[pointer, rest]);
                *self.variadic.list.insert(list)
            }
        };
        self.types.intern(Type::Array { element: list, length: 1 })
    }

    fn struct_of(&mut self, types: &[TypeId]) -> TypeId {
        let id = self.new_composite(None, false);
        let members = types.iter().enumerate().map(|(index, &ty)| Member {
            name: format!("a{index}"),
            ty,
            bit_width: None,
            type_align: None,
            align: None,
            packed: false,
        });
        let mut composite = self.types.composite(id).clone();
        place_members(&self.types, &mut composite, members.collect(), Shape::default());
        self.types.composites[id.index()] = composite;
        self.types.intern(Type::Composite(id))
    }

    /// Arguments stand at multiples of this. All alignments of LP64 divide it, so that no address needs rounding.
    fn slot(&self) -> u64 {
        match self.types.model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 16,
        }
    }

    /// The bytes from an argument of this type to the next one.
    fn slot_size(&self, ty: TypeId, span: AstSpan) -> Lowered<u64> {
        match self.types.size_of(ty) {
            Some(size) if self.types.align_of(ty) <= self.slot() => Ok(size.next_multiple_of(self.slot())),
            Some(_) => self.unsupported("variadic argument of a type with a large alignment", span),
            None => self.invalid("a variadic argument of an incomplete type", span),
        }
    }

    fn rest_of_slot(&self, ty: TypeId, span: AstSpan) -> Lowered<u64> {
        Ok(self.slot_size(ty, span)? - self.types.size_of(ty).unwrap_or(0))
    }

    fn arguments_area(&mut self) -> ExprId {
        let id = match self.variadic.area {
            Some(id) => id,
            None => {
                let ty = self.types.pointer_to(self.common.char);
                let id = self.new_variable("__tandem_va_area", ty, Storage::Global, None, AstSpan::none());
                self.defined_globals.insert(id);
                *self.variadic.area.insert(id)
            }
        };
        self.variable_expr(id)
    }

    /// Just before a call: stores the arguments behind the parameters, if the callee may look at them.
    pub fn pass_variadic(
        &mut self,
        callee: Callee,
        signature: TypeId,
        arguments: &[ExprId],
        span: AstSpan,
    ) -> Lowered<()> {
        let named = match (callee, self.types.get(signature)) {
            (Callee::Function(id), _) => {
                let name = self.functions[id.index()].name.as_str();
                self.variadic.definitions.get(name).copied()
            }
            (Callee::Pointer(_), Type::Function { variadic: true, parameters, .. }) => {
                (!self.variadic.definitions.is_empty()).then_some(parameters.len())
            }
            _ => None,
        };
        let Some(named) = named else { return Ok(()) };
        let given = arguments.get(named..).unwrap_or_default();
        let area = self.arguments_area();
        let pointer = self.exprs.ty(area);
        let address = if given.is_empty() { self.int_constant(0, pointer) } else { self.stored(given, span)? };
        let address = self.cast(address, pointer);
        self.assign(area, address, span)
    }

    /// The address of a new struct with these values.
    fn stored(&mut self, values: &[ExprId], span: AstSpan) -> Lowered<ExprId> {
        let types: Vec<TypeId> = values.iter().map(|&value| self.exprs.ty(value)).collect();
        let layout = match self.variadic.layouts.get(&types) {
            Some(&layout) => layout,
            None => {
                let layout = self.arguments_struct(&types, span)?;
                self.variadic.layouts.insert(types, layout);
                layout
            }
        };
        let Type::Composite(id) = *self.types.get(layout) else {
            return self.unsupported("variadic arguments of these types", span);
        };
        let variable = self.temporary(layout, span)?;
        self.emit(Op::Declare(variable), span)?;
        let place = self.variable_expr(variable);
        let mut index = 0;
        for &value in values {
            let member = self.field(place, id, index);
            self.assign(member, value, span)?;
            index += if self.rest_of_slot(self.exprs.ty(value), span)? > 0 { 2 } else { 1 };
        }
        Ok(self.address_of(place))
    }

    /// A struct with an argument in each slot; what is left of the slot is a member of its own.
    fn arguments_struct(&mut self, types: &[TypeId], span: AstSpan) -> Lowered<TypeId> {
        let mut members = Vec::new();
        for &ty in types {
            members.push(ty);
            let length = self.rest_of_slot(ty, span)?;
            if length > 0 {
                members.push(self.types.intern(Type::Array { element: self.common.char, length }));
            }
        }
        Ok(self.struct_of(&members))
    }

    /// At the entry of a variadic function: keeps the address before another call replaces it.
    pub fn take_variadic(&mut self, name: &str, span: AstSpan) -> Lowered<()> {
        if !self.variadic.definitions.contains_key(name) {
            return Ok(());
        }
        let area = self.arguments_area();
        let pointer = self.exprs.ty(area);
        let own = self.temporary(pointer, span)?;
        self.draft(span)?.variadic = Some(own);
        let place = self.variable_expr(own);
        self.emit(Op::Assign { target: place, value: area }, span)
    }

    /// The place inside a `va_list` that has the address of the next argument.
    fn next_argument(&mut self, list: &Node<Expression>) -> Lowered<ExprId> {
        if self.types.model == DataModel::Ilp32 {
            return Ok(self.place(list)?.expr);
        }
        let list_value = self.value(list)?.expr;
        let wanted = self.va_list_type();
        let is_list = self.types.pointee(self.exprs.ty(list_value)) == self.types.element(wanted);
        let (Some(Type::Composite(id)), true) = (self.variadic.list.map(|ty| self.types.get(ty).clone()), is_list)
        else {
            return self.invalid("this is not a `va_list`", list.span);
        };
        let place = self.deref(list_value);
        Ok(self.field(place, id, 0))
    }

    pub fn va_start(&mut self, list: &Node<Expression>, span: AstSpan) -> Lowered<()> {
        let Some(own) = self.draft(span)?.variadic else {
            return self.unsupported("va_start in a function that is not variadic", span);
        };
        let place = self.next_argument(list)?;
        let value = self.variable_expr(own);
        self.emit(Op::Assign { target: place, value }, span)
    }

    pub fn va_copy(&mut self, to: &Node<Expression>, from: &Node<Expression>, span: AstSpan) -> Lowered<()> {
        let from = self.next_argument(from)?;
        let value = self.save(from, span)?;
        let place = self.next_argument(to)?;
        self.emit(Op::Assign { target: place, value }, span)
    }

    /// `va_arg` with a type that no argument has after its promotion: gcc evaluates the list, and then traps.
    fn impossible_argument(&mut self, ty: TypeId, list: &Node<Expression>, span: AstSpan) -> Lowered<ExprId> {
        if !self.types.is_scalar(ty) {
            return self.unsupported("va_arg with a type that no argument can have after its promotion", span);
        }
        self.next_argument(list)?;
        let void = self.common.void;
        let trap = self.library_function("__builtin_trap", void, &[], span);
        self.emit_call(Callee::Function(trap), Vec::new(), void, false, span)?;
        let int = self.common.int;
        let nothing = self.int_constant(0, int);
        Ok(self.cast(nothing, ty))
    }

    /// Functions inside functions are not among the definitions of the file.
    pub fn note_variadic(&mut self, name: &str, ty: TypeId) {
        if let Type::Function { variadic: true, parameters, .. } = self.types.get(ty) {
            self.variadic.definitions.insert(name.to_owned(), parameters.len());
        }
    }

    /// `va_arg(list, T)`
    pub fn va_arg(&mut self, of: &ast::VaArgExpression, span: AstSpan) -> Lowered<ExprId> {
        let declared = self.type_name(&of.type_name)?;
        let ty = declared.ty;
        if declared.array.is_some() || self.types.element(ty).is_some() {
            return self.unsupported("va_arg with an array type", span);
        }
        let promoted = match *self.types.get(ty) {
            Type::Int(kind) => kind.rank() < IntKind::Int.rank(),
            Type::Float(kind) => kind == FloatKind::Float,
            Type::Void | Type::Function { .. } => true,
            _ => false,
        };
        if promoted {
            return self.impossible_argument(ty, &of.va_list, span);
        }
        let room = self.slot_size(ty, span)?;
        let next = self.next_argument(&of.va_list)?;
        let next = self.stabilize(next, span)?;
        let here = self.save(next, span)?;
        let room = self.size_constant(room);
        let behind = self.pointer_add(here, room);
        self.emit(Op::Assign { target: next, value: behind }, span)?;
        let pointer = self.types.pointer_to(ty);
        let address = self.cast(here, pointer);
        Ok(self.deref(address))
    }
}
