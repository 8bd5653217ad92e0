//! Translates the program's edges to terms: the strongest postcondition of every operation, bit by bit as execution
//! does it. Where a formula cannot describe what happens, the state gets a hazard: a proof counts only if no hazard is
//! reachable.

mod calls;
mod changes;
mod convert;
mod expression;
mod library;
mod operation;
mod place;
mod resolve;

pub use changes::Changes;

use super::contents::{Background, Contents};
use super::state::{Hazard, HazardKind, ObjectId, State};
use super::term::{FALSE, Sort, TRUE, Term, Terms};
use resolve::Targets;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tandem_plugin_api::artifact::Convention;
use tandem_plugin_api::program::*;

/// A piece of memory, the same in all states that know it.
pub(super) struct Object {
    /// Its address, a symbol.
    pub base: Term,
    /// Bytes; a word as wide as a pointer.
    pub size: Term,
    /// The size of the scalars in it, if they all have one size and are packed without gaps.
    pub element: Option<u32>,
    /// A power of two that divides its address.
    pub align: u64,
}

/// The properties of a new piece of memory.
pub(super) struct Block<'a> {
    pub name: &'a str,
    pub size: Term,
    pub element: Option<u32>,
    pub align: u64,
    pub background: Background,
}

/// Builds terms for one program.
pub struct Encoder {
    pub program: Arc<Program>,
    pub terms: Terms,
    objects: Vec<Object>,
    by_base: FxHashMap<Term, ObjectId>,
    resolved: FxHashMap<Term, Targets>,
    /// Where functions are: a symbol for each whose address the program takes, since the linker decides it.
    functions: FxHashMap<FunctionId, Term>,
    /// The functions of these symbols.
    by_function_base: FxHashMap<Term, FunctionId>,
    /// Whether each `_Bool` is 0 or 1.
    has_exact_truth: bool,
    /// How many inputs were read, in all states.
    inputs: u64,
    /// Conventions that were used on the way: names of functions without a body, and the like.
    pub conventions: FxHashSet<Convention>,
    /// The hazards, since the last initial state.
    pub hazards: Vec<Hazard>,
    /// The edge being encoded.
    edge: EdgeId,
}

impl Encoder {
    pub fn new(program: Arc<Program>) -> Self {
        let mut this = Encoder {
            has_exact_truth: program.has_exact_truth(),
            program,
            terms: Terms::default(),
            objects: Vec::new(),
            by_base: FxHashMap::default(),
            resolved: FxHashMap::default(),
            functions: FxHashMap::default(),
            by_function_base: FxHashMap::default(),
            inputs: 0,
            conventions: FxHashSet::default(),
            hazards: Vec::new(),
            edge: EdgeId(0),
        };
        // Before all objects: a function never has the memory of an object that is gone.
        for index in 0..this.program.functions.len() {
            if this.program.functions[index].address_taken {
                this.function_base(FunctionId::new(index));
            }
        }
        this
    }

    /// Bits of a pointer.
    fn pointer_bits(&self) -> u32 {
        self.program.types.model.word() as u32 * 8
    }

    /// A constant as wide as a pointer.
    fn offset(&mut self, value: u64) -> Term {
        let width = self.pointer_bits();
        self.terms.bits(width, value.into())
    }

    /// Whether a variable's value is kept as a term rather than in memory: a scalar that nothing points to.
    fn is_register(&self, id: VarId) -> bool {
        let variable = self.program.variable(id);
        !variable.address_taken && self.program.types.is_scalar(variable.ty)
    }

    /// The sort of a scalar: integers and pointers have the bits of their storage.
    fn scalar_sort(&self, ty: TypeId) -> Sort {
        match self.program.types.get(ty) {
            Type::Float(kind) => Sort::Float(*kind),
            _ => Sort::Bits(self.program.types.size_of(ty).unwrap_or(1) as u32 * 8),
        }
    }

    /// What the program gets from outside: a `_Bool` is 0 or 1.
    fn given(&mut self, ty: TypeId, name: &str) -> Term {
        if matches!(self.program.types.get(ty), Type::Int(IntKind::Bool)) {
            let truth = self.terms.symbol(Sort::Bool, name);
            return self.terms.from_bool(8, truth);
        }
        self.unknown(ty, name)
    }

    /// A scalar of which only the type is known.
    fn unknown(&mut self, ty: TypeId, name: &str) -> Term {
        let sort = self.scalar_sort(ty);
        match (self.program.types.get(ty), sort) {
            (Type::Int(IntKind::Bool), _) if self.has_exact_truth => self.given(ty, name),
            (_, Sort::Float(kind)) => {
                // Made of bits, so that the payload of a NaN is a value like any other.
                let bits = self.terms.symbol(Sort::Bits(super::term::format_bits(kind)), name);
                self.terms.float_from_bits(kind, bits)
            }
            _ => self.terms.symbol(sort, name),
        }
    }

    fn zero(&mut self, ty: TypeId) -> Term {
        match self.scalar_sort(ty) {
            Sort::Float(kind) => self.terms.float(kind, 0),
            Sort::Bits(width) => self.terms.bits(width, 0),
            _ => FALSE,
        }
    }

    fn allocate(&mut self, state: &mut State, block: &Block<'_>) -> ObjectId {
        let id = ObjectId(self.objects.len() as u32);
        let size = self.terms.as_bits(block.size);
        let base = self.terms.base_symbol(self.pointer_bits(), format!("&{}", block.name), size);
        let (size, element, align) = (block.size, block.element, block.align);
        self.objects.push(Object { base, size, element, align });
        self.by_base.insert(base, id);
        state.memory.insert(id, Contents::new(block.background));
        id
    }

    /// Memory for a variable.
    fn allocate_variable(&mut self, state: &mut State, id: VarId, background: Background) -> ObjectId {
        let program = self.program.clone();
        let variable = program.variable(id);
        let size = self.offset(program.types.size_of(variable.ty).unwrap_or(0));
        let element = self.uniform_scalars(variable.ty);
        // No more than the type needs: compilers give a lone `char` any address.
        let align = variable.alignment(&program.types);
        let object = self.allocate(state, &Block { name: &variable.unique_name, size, element, align, background });
        if variable.storage == Storage::StringLiteral {
            // Compilers may put several of them at one place, or one inside of another.
            let base = self.object(object).base;
            self.terms.share_base(base);
        }
        object
    }

    /// The size of the scalars that a type consists of, where all have the same.
    fn uniform_scalars(&self, ty: TypeId) -> Option<u32> {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Array { element, .. } | Type::IncompleteArray { element } => self.uniform_scalars(*element),
            Type::Composite(id) => {
                let mut fields = types.composite(*id).fields.iter();
                let first = self.uniform_scalars(fields.next()?.ty)?;
                fields
                    .all(|field| field.bits.is_none() && self.uniform_scalars(field.ty) == Some(first))
                    .then_some(first)
            }
            Type::Void | Type::Function { .. } => None,
            _ => types.size_of(ty).map(|size| size as u32),
        }
    }

    /// The address of a function. It is an address of one byte that no object has; nothing is known of what stands there.
    fn function_base(&mut self, id: FunctionId) -> Term {
        if let Some(&known) = self.functions.get(&id) {
            return known;
        }
        let name = self.program.functions.get(id.index()).map_or("function", |function| function.name.as_str());
        let base = self.terms.base_symbol(self.pointer_bits(), format!("&{name}"), Some(1));
        self.functions.insert(id, base);
        self.by_function_base.insert(base, id);
        base
    }

    /// The function whose address a term is.
    pub fn function_at(&self, base: Term) -> Option<FunctionId> {
        self.by_function_base.get(&base).copied()
    }

    fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// Records that the formula does not describe the paths of `state` on which `condition` holds.
    fn hazard(&mut self, state: &mut State, condition: Term, kind: HazardKind) {
        let condition = self.terms.and(state.guard, condition);
        if condition != FALSE {
            self.hazards.push(Hazard { condition, edge: self.edge, kind });
        }
    }

    /// The state at the entry of `main`: globals have their initial values.
    pub fn initial(&mut self) -> State {
        self.hazards.clear();
        let mut state = State::empty();
        let program = self.program.clone();
        for (index, variable) in program.variables.iter().enumerate().filter(|(_, v)| !v.is_local()) {
            let id = VarId::new(index);
            let known = variable.storage != Storage::Extern;
            if self.is_register(id) {
                let value = if known { self.zero(variable.ty) } else { self.given(variable.ty, &variable.unique_name) };
                state.values.insert(id, value);
            } else {
                let background = if known { Background::Zero } else { Background::Unknown };
                let object = self.allocate_variable(&mut state, id, background);
                state.places.insert(id, object);
            }
        }
        for variable in &program.variables {
            for initial in &variable.initializer {
                self.assign(&mut state, initial.place, initial.value);
            }
        }
        self.enter(&mut state, program.main);
        for &parameter in &program.function(program.main).parameters {
            self.set_unknown(&mut state, parameter);
        }
        state
    }

    /// Gives memory to those variables of a function's frame that need it.
    fn enter(&mut self, state: &mut State, function: FunctionId) {
        let program = self.program.clone();
        let function = program.function(function);
        for &id in function.parameters.iter().chain(&function.locals).chain(&function.result) {
            if !self.is_register(id) {
                let object = self.allocate_variable(state, id, Background::Unknown);
                state.places.insert(id, object);
            }
        }
    }

    /// A variable's lifetime begins: its value is indeterminate.
    fn set_unknown(&mut self, state: &mut State, id: VarId) {
        let program = self.program.clone();
        let variable = program.variable(id);
        if self.is_register(id) {
            let value = self.unknown(variable.ty, &variable.unique_name);
            state.values.insert(id, value);
        } else if let Some(object) = state.places.get(&id).copied()
            && let Some(contents) = state.memory.get_mut(&object)
        {
            contents.forget();
            contents.dead = FALSE;
        }
    }

    /// The possible targets of a pointer, among the memory that was made so far.
    fn targets(&mut self, pointer: Term) -> Targets {
        resolve::resolve(&mut self.terms, &self.by_base, &mut self.resolved, pointer)
    }

    /// What is known of the addresses of objects and functions beyond being different symbols, for those in `bases`: they
    /// are not null or another small number, do not wrap around, and do not overlap.
    pub fn address_facts(&mut self, bases: &[Term]) -> Vec<Term> {
        let width = self.pointer_bits();
        let lowest = self.terms.bits(width, super::term::LOWEST_ADDRESS);
        let mut facts = Vec::new();
        let one = self.offset(1);
        let known = |base: &Term| match self.by_base.get(base).map(|id| self.object(*id)) {
            Some(object) => Some((*base, object.size, object.align)),
            None => self.function_at(*base).map(|_| (*base, one, 1)),
        };
        let known: Vec<(Term, Term, u64)> = bases.iter().filter_map(known).collect();
        for &(base, size, align) in &known {
            let end = self.terms.add(base, size);
            let low = self.terms.compare(super::term::Order::ULe, lowest, base);
            let high = self.terms.compare(super::term::Order::ULe, base, end);
            facts.extend([low, high]);
            if align > 1 && align.is_power_of_two() {
                let below = self.terms.extract(align.trailing_zeros() - 1, 0, base);
                let askew = self.terms.is_nonzero(below);
                facts.push(self.terms.not(askew));
            }
        }
        for (i, &(a, size_a, _)) in known.iter().enumerate() {
            for &(b, size_b, _) in &known[..i] {
                if self.terms.may_share(a, b) {
                    continue;
                }
                let (end_a, end_b) = (self.terms.add(a, size_a), self.terms.add(b, size_b));
                let before = self.terms.compare(super::term::Order::ULe, end_a, b);
                let after = self.terms.compare(super::term::Order::ULe, end_b, a);
                let same = self.terms.eq(a, b);
                let different = self.terms.not(same);
                let apart = self.terms.or(before, after);
                facts.extend([apart, different]);
            }
        }
        facts
    }

    /// The address of a variable that is in memory.
    pub fn address_of_variable(&self, state: &State, id: VarId) -> Option<Term> {
        state.places.get(&id).map(|&object| self.object(object).base)
    }

    /// Whether a term is the address of an object or of a function.
    pub fn is_base(&self, term: Term) -> bool {
        self.by_base.contains_key(&term) || self.by_function_base.contains_key(&term)
    }

    /// A condition that is always true, for callers that need one.
    pub fn always(&self) -> Term {
        TRUE
    }
}
