//! Initialisers (C11 6.7.9): nested lists, elided braces, designators, GNU ranges, strings, arrays of unknown length.

use super::ast_query::{initializer_may_write, is_string};
use super::initial_values::{Chosen, Executed, Sink};
use super::scopes::Symbol;
use super::{Fail, Lowered, Lowerer};
use lang_c::ast::{self, Designator, Expression, Initializer};
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::FxHashSet;
use tandem_plugin_api::program::*;

/// Each element that a designator names takes some 100 bytes of memory.
const MOST_DESIGNATED: u64 = 4 << 20;

/// How the list of an aggregate begins.
#[derive(Clone, Copy)]
enum Opening<'b> {
    /// With its own braces.
    Braces,
    /// Inside another list; these designators of the first item are still to be followed.
    Elided(&'b [Node<Designator>]),
}

type Item = Node<ast::InitializerListItem>;

impl Lowerer<'_> {
    pub fn initialize_global(&mut self, id: VarId, initializer: &Node<Initializer>) -> Lowered<()> {
        self.complete_length(id, initializer)?;
        self.complete_flexible(id, initializer)?;
        let place = self.variable_expr(id);
        let mut sink = Sink::Record { initials: Vec::new(), touched: FxHashSet::default(), chosen: Chosen::default() };
        // Nothing is executed at file scope; inside a function, a `static` is set up before the run as well.
        let saved = self.current.take();
        let outcome = self.initialize(place, initializer, &mut sink);
        self.current = saved;
        if let Err(Fail::Unsupported { what, .. }) = &outcome {
            let name = self.variables[id.index()].name.clone();
            self.scopes.declare(&name, Symbol::Unsupported(what.clone()));
        }
        outcome?;
        if let Sink::Record { initials, .. } = sink {
            self.variables[id.index()].initializer = initials;
        }
        Ok(())
    }

    pub fn initialize_local(&mut self, id: VarId, initializer: &Node<Initializer>, span: AstSpan) -> Lowered<()> {
        self.complete_length(id, initializer)?;
        let place = self.variable_expr(id);
        self.initialize_place(place, initializer, span)
    }

    /// Executes an initialiser; members that it does not mention become zero.
    fn initialize_place(&mut self, place: ExprId, initializer: &Node<Initializer>, span: AstSpan) -> Lowered<()> {
        let ty = self.exprs.ty(place);
        let whole = matches!(&initializer.node, Initializer::Expression(e) if !is_string(e));
        let cleared = self.takes_list(ty) && !whole;
        if cleared {
            let zero = self.exprs.intern(ExprKind::Zeroed, ty);
            self.assign(place, zero, span)?;
        }
        let start = self.draft(span)?.edges.len();
        let mut sink = Sink::Execute(Executed::new(place, start));
        self.initialize(place, initializer, &mut sink)?;
        if let Sink::Execute(done) = &sink
            && cleared
            && self.has_padding(ty)
            && self.is_complete(place, done)
        {
            self.keep_padding(start - 1, span)?;
        }
        match sink {
            // C leaves the order open (C11 6.7.9p23), and gcc takes that of the members.
            Sink::Execute(done) if done.is_disordered && !self.only_initializes(place, start) => self.unsupported(
                "initialiser with side effects whose designators are not in the order of the members",
                span,
            ),
            _ => Ok(()),
        }
    }

    /// `(T){ … }`: a variable of its own.
    pub fn compound_literal(&mut self, literal: &Node<ast::CompoundLiteral>) -> Lowered<ExprId> {
        let declared = self.type_name(&literal.node.type_name)?;
        let function = self.current.as_ref().map(|d| d.function);
        let storage = if function.is_some() { Storage::Local } else { Storage::Global };
        let id = self.new_variable("__tandem_literal", declared.ty, storage, function, literal.span);
        // The list is cloned once to have the same shape as a declaration's initialiser.
        let initializer = Node::new(Initializer::List(literal.node.initializer_list.clone()), literal.span);
        match self.current.as_mut() {
            Some(draft) => {
                draft.locals.push(id);
                self.initialize_local(id, &initializer, literal.span)?;
            }
            None => {
                self.defined_globals.insert(id);
                self.initialize_global(id, &initializer)?;
            }
        }
        Ok(self.variable_expr(id))
    }

    /// Gives `T a[] = …` its length.
    fn complete_length(&mut self, id: VarId, initializer: &Node<Initializer>) -> Lowered<()> {
        let ty = self.variables[id.index()].ty;
        let Type::IncompleteArray { element } = *self.types.get(ty) else { return Ok(()) };
        let root = self.variable_expr(id);
        let mut sink = Sink::Measure { root, length: 0 };
        self.unevaluated(|s| s.initialize(root, initializer, &mut sink))?;
        if let Sink::Measure { length, .. } = sink {
            let length = length.max(self.literal_length(initializer));
            let ty = self.types.intern(Type::Array { element, length });
            self.retype_variable(id, ty);
        }
        Ok(())
    }

    /// The length of a compound literal that initialises an array; zero if there is no such literal, or if its length
    /// is open as well.
    fn literal_length(&mut self, initializer: &Node<Initializer>) -> u64 {
        let Initializer::Expression(e) = &initializer.node else { return 0 };
        let Expression::CompoundLiteral(literal) = &e.node else { return 0 };
        match self.unevaluated(|s| s.type_name(&literal.node.type_name)) {
            Ok(declared) => match *self.types.get(declared.ty) {
                Type::Array { length, .. } => length,
                _ => 0,
            },
            Err(_) => 0,
        }
    }

    /// A struct whose flexible member has an initialiser takes more memory than its type says: the variable gets a type of
    /// its own, in which the member is as long as its initialiser, and the program sees it by the type that it names.
    fn complete_flexible(&mut self, id: VarId, initializer: &Node<Initializer>) -> Lowered<()> {
        let ty = self.variables[id.index()].ty;
        let Type::Composite(of) = *self.types.get(ty) else { return Ok(()) };
        let Some((last, field)) = self.types.composite(of).fields.iter().enumerate().next_back() else { return Ok(()) };
        let Type::IncompleteArray { element } = *self.types.get(field.ty) else { return Ok(()) };
        let place = self.variable_expr(id);
        let root = self.field(place, of, last);
        let mut sink = Sink::Measure { root, length: 0 };
        self.unevaluated(|s| s.initialize(place, initializer, &mut sink))?;
        let Sink::Measure { length: length @ 1.., .. } = sink else { return Ok(()) };
        let longer = self.longer_composite(of, last, element, length);
        self.retype_variable(id, longer);
        self.flexible.insert(id, ty);
        Ok(())
    }

    /// The same struct with an array of this length as its last member.
    fn longer_composite(&mut self, of: CompositeId, last: usize, element: TypeId, length: u64) -> TypeId {
        let mut composite = self.types.composite(of).clone();
        let array = self.types.intern(Type::Array { element, length });
        let end = composite.fields[last].offset + self.types.size_of(array).unwrap_or(0);
        composite.fields[last].ty = array;
        composite.size = composite.size.max(end.next_multiple_of(composite.align));
        let base = composite.name.clone();
        let id = self.new_composite(None, composite.is_union);
        composite.name = format!("{base}__{}", self.types.composite(id).name);
        self.types.composites[id.index()] = composite;
        self.types.intern(Type::Composite(id))
    }

    /// The place of a named variable.
    pub fn named_variable(&mut self, id: VarId) -> ExprId {
        let place = self.variable_expr(id);
        let Some(&ty) = self.flexible.get(&id) else { return place };
        let address = self.address_of(place);
        let pointer = self.types.pointer_to(ty);
        let address = self.cast(address, pointer);
        self.deref(address)
    }

    fn initialize(&mut self, place: ExprId, initializer: &Node<Initializer>, sink: &mut Sink) -> Lowered<()> {
        match &initializer.node {
            Initializer::Expression(e) => self.initialize_by_expression(place, e, sink),
            Initializer::List(items) => self.initialize_by_list(place, items, initializer.span, sink),
        }
    }

    fn initialize_by_list(&mut self, place: ExprId, items: &[Item], span: AstSpan, sink: &mut Sink) -> Lowered<()> {
        let ty = self.exprs.ty(place);
        let items = if is_empty(items) { &[] } else { items };
        if let [single] = items {
            let plain = single.node.designation.is_empty();
            if let (true, Initializer::Expression(e)) = (plain, &single.node.initializer.node)
                && (!self.takes_list(ty) || (is_string(e) && self.is_character_array(ty)))
            {
                return self.initialize_by_expression(place, e, sink);
            }
        }
        if !self.takes_list(ty) {
            return match items.first() {
                None => {
                    let zero = self.zero(ty, span)?;
                    self.sink(place, zero, span, sink)
                }
                Some(first) => self.initialize(place, &first.node.initializer, sink),
            };
        }
        let mut position = 0;
        self.aggregate(place, items, &mut position, Opening::Braces, sink)
    }

    fn zero(&mut self, ty: TypeId, span: AstSpan) -> Lowered<ExprId> {
        match *self.types.get(ty) {
            Type::Int(_) | Type::Pointer(_) => Ok(self.int_constant(0, ty)),
            Type::Float(_) => Ok(self.exprs.intern(ExprKind::Float(0), ty)),
            _ if self.numeric(ty).is_some() => Ok(self.exprs.intern(ExprKind::Zeroed, ty)),
            _ => self.unsupported("initialiser for this type", span),
        }
    }

    fn initialize_by_expression(
        &mut self,
        place: ExprId,
        expression: &Node<Expression>,
        sink: &mut Sink,
    ) -> Lowered<()> {
        let ty = self.exprs.ty(place);
        if let (Expression::StringLiteral(pieces), true) = (&expression.node, self.is_character_array(ty)) {
            return self.initialize_by_string(place, &pieces.node, expression.span, sink);
        }
        if let (Expression::CompoundLiteral(literal), true) = (&expression.node, self.types.is_aggregate(ty)) {
            // `struct s x = (struct s){ … }` at file scope, and arrays in GNU C: as if the list stood there.
            if matches!(sink, Sink::Record { .. }) || self.types.element(ty).is_some() {
                let items = &literal.node.initializer_list;
                return self.initialize_by_list(place, items, expression.span, sink);
            }
        }
        let value = self.value(expression)?.expr;
        let value = self.convert(value, ty, expression.span)?;
        self.sink(place, value, expression.span, sink)
    }

    fn initialize_by_string(
        &mut self,
        place: ExprId,
        pieces: &[String],
        span: AstSpan,
        sink: &mut Sink,
    ) -> Lowered<()> {
        let (mut units, _) = self.string_units(pieces, span)?;
        let ty = self.exprs.ty(place);
        let element = self.types.element(ty).unwrap_or(self.common.char);
        if let Type::Array { length, .. } = *self.types.get(ty) {
            units.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        }
        if let Sink::Measure { root, length } = sink {
            if *root == place {
                *length = units.len() as u64;
            }
            return Ok(());
        }
        if let Sink::Execute(done) = sink
            && done.root != place
        {
            done.strings.insert(place);
            let zero = self.exprs.intern(ExprKind::Zeroed, ty);
            self.assign(place, zero, span)?;
        }
        for initial in self.string_initials(place, &units, element) {
            self.sink(initial.place, initial.value, span, sink)?;
        }
        Ok(())
    }

    /// Fills the members or elements of `place` from `items[*position..]`. Without braces of its own it stops when it
    /// is full or at a designator, which belongs to the enclosing list.
    fn aggregate(
        &mut self,
        place: ExprId,
        items: &[Item],
        position: &mut usize,
        opening: Opening<'_>,
        sink: &mut Sink,
    ) -> Lowered<()> {
        let braced = matches!(opening, Opening::Braces);
        let mut designators = match opening {
            Opening::Braces => None,
            Opening::Elided(path) => Some(path),
        };
        let mut next = 0u64;
        while let Some(item) = items.get(*position) {
            let path = match designators.take() {
                Some(path) => path,
                None if braced || item.node.designation.is_empty() => item.node.designation.as_slice(),
                None => return Ok(()),
            };
            if let Some((first, rest)) = path.split_first() {
                next = self.designated(place, first, rest, items, position, sink)?;
                continue;
            }
            let Some(member) = self.member_at(place, &mut next) else {
                if !braced {
                    return Ok(());
                }
                // More items than members: gcc warns and ignores them.
                if initializer_may_write(&item.node.initializer.node) {
                    return self.unsupported("initialiser with side effects for which there is no member", item.span);
                }
                *position += 1;
                continue;
            };
            self.note_element(place, next, sink);
            if self.is_union(place) {
                self.choose_member(place, next, item.span, sink)?;
            }
            self.subobject(member, items, position, sink)?;
            next = if self.is_union(place) { u64::MAX } else { next + 1 };
        }
        Ok(())
    }

    /// One member from the next item, which may be a list, a value, or the first of several for an elided brace.
    fn subobject(&mut self, member: ExprId, items: &[Item], position: &mut usize, sink: &mut Sink) -> Lowered<()> {
        let initializer = &items[*position].node.initializer;
        let ty = self.exprs.ty(member);
        if let Initializer::Expression(e) = &initializer.node {
            let elided =
                self.takes_list(ty) && !(is_string(e) && self.is_character_array(ty)) && !self.has_type(e, ty)?;
            if elided {
                return self.aggregate(member, items, position, Opening::Elided(&[]), sink);
            }
        }
        *position += 1;
        if self.takes_list(ty) {
            self.replace(member, initializer.span, sink)?;
        }
        self.initialize(member, initializer, sink)
    }

    /// Whether an expression initialises the whole of a struct or union by itself.
    fn has_type(&mut self, e: &Node<Expression>, ty: TypeId) -> Lowered<bool> {
        if !matches!(self.types.get(ty), Type::Composite(_)) {
            return Ok(matches!(e.node, Expression::CompoundLiteral(_)));
        }
        if matches!(e.node, Expression::Constant(_) | Expression::StringLiteral(_)) {
            return Ok(false);
        }
        let own = self.unevaluated(|s| s.operand_type(e))?;
        Ok(own == ty || self.is_vector(own) && self.is_vector(ty))
    }

    /// Handles `.a[3].b = …`; gives back where items without designator go on. Those that follow go on inside the
    /// described member first (C11 6.7.9p17).
    fn designated(
        &mut self,
        place: ExprId,
        first: &Node<Designator>,
        rest: &[Node<Designator>],
        items: &[Item],
        position: &mut usize,
        sink: &mut Sink,
    ) -> Lowered<u64> {
        match &first.node {
            Designator::Member(name) => {
                let path = self.member_path(self.exprs.ty(place), &name.node.name);
                let Type::Composite(id) = *self.types.get(self.exprs.ty(place)) else {
                    return self.invalid(format!("no member `{}`", name.node.name), name.span);
                };
                let Some(&top) = path.as_ref().and_then(|path| path.first()) else {
                    return self.invalid(format!("no member `{}`", name.node.name), name.span);
                };
                let member = self.field(place, id, top);
                if self.is_union(place) {
                    self.choose_member(place, top as u64, name.span, sink)?;
                }
                if path.is_some_and(|path| path.len() > 1) {
                    // Inside an anonymous member: the same designators again, from there.
                    let again: Vec<_> = std::iter::once(first.clone()).chain(rest.iter().cloned()).collect();
                    self.aggregate(member, items, position, Opening::Elided(&again), sink)?;
                } else {
                    self.designated_rest(member, rest, items, position, sink)?;
                }
                Ok(if self.is_union(place) { u64::MAX } else { top as u64 + 1 })
            }
            Designator::Index(index) => {
                let at = self.designated_index(index)?;
                self.designated_element(place, at, rest, items, position, sink)?;
                Ok(at + 1)
            }
            Designator::Range(range) => {
                let (from, to) = (self.designated_index(&range.node.from)?, self.designated_index(&range.node.to)?);
                if to < from {
                    return self.invalid(format!("the range of elements {from} ... {to} is empty"), range.span);
                }
                self.designated_range(place, (from, to), rest, items, position, sink)?;
                Ok(to + 1)
            }
        }
    }

    /// `[from ... to] = …`: gcc evaluates the value once.
    fn designated_range(
        &mut self,
        place: ExprId,
        (from, to): (u64, u64),
        rest: &[Node<Designator>],
        items: &[Item],
        position: &mut usize,
        sink: &mut Sink,
    ) -> Lowered<()> {
        let start = *position;
        let edges = self.current.as_ref().map_or(0, |draft| draft.edges.len());
        self.designated_element(place, from, rest, items, position, sink)?;
        let root = if let Sink::Execute(done) = sink { done.root } else { place };
        let once = matches!(sink, Sink::Execute(_)) && !self.only_initializes(root, edges);
        if once && from < to && (!rest.is_empty() || *position != start + 1) {
            let span = items.get(start).map_or(AstSpan::none(), |item| item.span);
            return self.unsupported("range of elements whose parts are initialised with side effects", span);
        }
        let continues = items.get(*position).is_some_and(|item| item.node.designation.is_empty());
        if from < to && !rest.is_empty() && continues {
            // gcc puts what follows into the last element alone.
            return self.unsupported("items behind a range of elements whose parts are named", items[start].span);
        }
        let first = self.element_at(place, from);
        for at in from + 1..=to {
            if once {
                let element = self.element_at(place, at);
                self.sink(element, first, items[start].span, sink)?;
                continue;
            }
            *position = start;
            self.designated_element(place, at, rest, items, position, sink)?;
        }
        if let Sink::Execute(done) = sink
            && rest.is_empty()
            && from < to
        {
            // A later item for a part of such an element may begin it anew.
            for at in from..=to {
                let element = self.element_at(place, at);
                if self.types.is_aggregate(self.exprs.ty(element)) {
                    done.whole.insert(element);
                }
            }
        }
        Ok(())
    }

    pub fn element_at(&mut self, place: ExprId, at: u64) -> ExprId {
        let ty = self.common.int;
        let index = self.int_constant(at.into(), ty);
        self.index(place, index)
    }

    fn designated_index(&mut self, index: &Node<Expression>) -> Lowered<u64> {
        let value = self.constant_integer(index)?;
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => self.invalid(format!("array index {value} in an initialiser"), index.span),
        }
    }

    fn designated_element(
        &mut self,
        place: ExprId,
        at: u64,
        rest: &[Node<Designator>],
        items: &[Item],
        position: &mut usize,
        sink: &mut Sink,
    ) -> Lowered<()> {
        self.designated_elements += 1;
        if self.designated_elements > MOST_DESIGNATED {
            let span = items.get(*position).map_or(AstSpan::none(), |item| item.span);
            return self.invalid("more than 4 million elements are named by designators", span);
        }
        self.note_element(place, at, sink);
        let element = self.element_at(place, at);
        self.designated_rest(element, rest, items, position, sink)
    }

    fn designated_rest(
        &mut self,
        place: ExprId,
        rest: &[Node<Designator>],
        items: &[Item],
        position: &mut usize,
        sink: &mut Sink,
    ) -> Lowered<()> {
        if rest.is_empty() {
            self.subobject(place, items, position, sink)
        } else {
            self.aggregate(place, items, position, Opening::Elided(rest), sink)
        }
    }

    /// The `next`-th initialisable member or element of a place; unnamed bit-fields are passed over.
    fn member_at(&mut self, place: ExprId, next: &mut u64) -> Option<ExprId> {
        match *self.types.get(self.exprs.ty(place)) {
            Type::Array { length, .. } if *next >= length => None,
            Type::Array { .. } | Type::IncompleteArray { .. } => Some(self.element_at(place, *next)),
            Type::Composite(id) => {
                let fields = &self.types.composite(id).fields;
                let skipped = |f: &Field| f.name.is_empty() && f.bits.is_some();
                while fields.get(usize::try_from(*next).ok()?).is_some_and(skipped) {
                    *next += 1;
                }
                let at = usize::try_from(*next).ok().filter(|&at| at < fields.len())?;
                Some(self.field(place, id, at))
            }
            _ => None,
        }
    }

    fn note_element(&self, place: ExprId, at: u64, sink: &mut Sink) {
        if let Sink::Measure { root, length } = sink
            && *root == place
        {
            *length = (*length).max(at + 1);
        }
    }

    fn is_union(&self, place: ExprId) -> bool {
        matches!(self.types.get(self.exprs.ty(place)), Type::Composite(id) if self.types.composite(*id).is_union)
    }

    fn is_character_array(&self, ty: TypeId) -> bool {
        self.types.element(ty).is_some_and(|element| self.types.is_integer(element))
    }
}

/// `{}`, as the text has it for lang-c.
fn is_empty(items: &[Item]) -> bool {
    matches!(items, [Node { node: ast::InitializerListItem { initializer, .. }, .. }]
        if matches!(&initializer.node, Initializer::Expression(e)
            if matches!(&e.node, Expression::Identifier(id) if id.node.name == crate::frontend::text::EMPTY)))
}
