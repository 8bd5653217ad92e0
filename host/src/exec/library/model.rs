//! Describes a library function: its prototype, its effects besides computing a result, and its execution.
//! The tables of the groups consist of these; execution uses `run`, formulas the rest.

use super::{Call, Stop};
use tandem_plugin_api::program::{DataModel, FloatKind, IntKind, Type, TypeId, Types};

/// How a model is executed. The result is extended to 64 bits as its type says; 0 for `void`.
pub type Run = fn(&mut Call<'_>) -> Result<u64, Stop>;

/// A line of a group's table.
pub struct Model {
    /// As a header would declare it.
    pub prototype: &'static str,
    /// Further names of the same function. `__builtin_` before any name is understood without being listed.
    pub aliases: &'static [&'static str],
    pub effects: Effects,
    /// Bounds of an integer result, where they are narrower than its type.
    pub range: Option<(i64, i64)>,
    pub run: Run,
    /// Executed instead where the result is not used.
    pub run_for_effect: Option<Run>,
}

impl Model {
    pub const fn new(prototype: &'static str, effects: Effects, run: Run) -> Self {
        Model { prototype, aliases: &[], effects, range: None, run, run_for_effect: None }
    }

    pub const fn also(self, aliases: &'static [&'static str]) -> Self {
        Model { aliases, ..self }
    }

    pub const fn between(self, low: i64, high: i64) -> Self {
        Model { range: Some((low, high)), ..self }
    }

    pub const fn for_effect(self, run: Run) -> Self {
        Model { run_for_effect: Some(run), ..self }
    }
}

/// The effects of a function besides computing its result from the values of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effects(u16);

impl Effects {
    /// The result depends on the values of the arguments alone.
    pub const PURE: Effects = Effects(0);
    /// Reads memory that its arguments point to.
    pub const READS: Effects = Effects(1);
    /// Writes memory that its arguments point to.
    pub const WRITES: Effects = Effects(1 << 1);
    /// The result is new memory, or null.
    pub const ALLOCATES: Effects = Effects(1 << 2);
    /// Ends the life of the memory that its first argument points to.
    pub const FREES: Effects = Effects(1 << 3);
    /// Depends on earlier calls, or changes what later calls do.
    pub const KEEPS_STATE: Effects = Effects(1 << 4);
    /// Has an effect outside the program that the program cannot observe.
    pub const PRINTS: Effects = Effects(1 << 5);
    pub const NEVER_RETURNS: Effects = Effects(1 << 6);
    /// May set `errno`.
    pub const SETS_ERRNO: Effects = Effects(1 << 7);
    /// Known by name only: it depends on the outside, or calls back, or jumps. Its execution is unsupported.
    pub const UNMODELLED: Effects = Effects(1 << 8);

    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    pub const fn include(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn is_pure(self) -> bool {
        self.0 == 0
    }
}

/// How a value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    Void,
    Int(IntKind),
    Pointer,
    Float(FloatKind),
}

impl Class {
    /// From a type as prototypes spell it, parameter names dropped.
    fn parse(text: &str) -> Option<Class> {
        if text.contains('*') {
            return Some(Class::Pointer);
        }
        Some(match text {
            "void" => Class::Void,
            "int" => Class::Int(IntKind::Int),
            "unsigned" => Class::Int(IntKind::UInt),
            "unsigned short" => Class::Int(IntKind::UShort),
            "long" | "ssize_t" => Class::Int(IntKind::Long),
            "unsigned long" | "size_t" => Class::Int(IntKind::ULong),
            "long long" => Class::Int(IntKind::LongLong),
            "unsigned long long" => Class::Int(IntKind::ULongLong),
            "float" => Class::Float(FloatKind::Float),
            "double" => Class::Float(FloatKind::Double),
            _ => return None,
        })
    }

    /// Whether a value of type `ty` can stand for this: the same kind of register, and not wider.
    fn takes(self, types: &Types, ty: TypeId) -> bool {
        match (self, types.get(ty)) {
            (Class::Void, _) => true,
            (Class::Float(kind), Type::Float(given)) => kind == *given,
            (Class::Float(_), _) | (_, Type::Float(_)) => false,
            (Class::Int(kind), Type::Int(given)) => given.size(types.model) <= kind.size(types.model),
            (Class::Pointer, Type::Int(given)) => given.size(types.model) == types.model.word(),
            (Class::Int(kind), Type::Pointer(_)) => kind.size(types.model) == types.model.word(),
            (Class::Pointer, Type::Pointer(_)) => true,
            _ => false,
        }
    }

    /// Whether a result of this class can be given to a place of type `ty`.
    fn gives(self, types: &Types, ty: TypeId) -> bool {
        match (self, types.get(ty)) {
            (_, Type::Void) => true,
            (Class::Void, _) => false,
            (Class::Int(kind), Type::Int(wanted)) => wanted.size(types.model) <= kind.size(types.model),
            _ => self.takes(types, ty),
        }
    }
}

/// A parsed prototype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    pub name: &'static str,
    pub result: Class,
    pub parameters: Vec<Class>,
    pub variadic: bool,
}

impl Prototype {
    /// Of `result name(parameter, …)`, with parameter names only after a `*` or not at all.
    pub fn parse(text: &'static str) -> Option<Prototype> {
        let (head, rest) = text.split_once('(')?;
        let name_start = head.rfind([' ', '*'])? + 1;
        let (result, name) = head.split_at(name_start);
        let list: Vec<&str> = rest.strip_suffix(')')?.split(',').map(str::trim).collect();
        let (list, variadic) = match list.split_last() {
            Some((&"...", before)) => (before.to_vec(), true),
            _ => (list, false),
        };
        let parameters = match list.as_slice() {
            ["void"] => Vec::new(),
            list => list.iter().map(|text| Class::parse(text)).collect::<Option<_>>()?,
        };
        Some(Prototype { name, result: Class::parse(result.trim())?, parameters, variadic })
    }

    /// Whether a call with arguments and a result place of these types is a call of this function as the real library
    /// knows it. A program may declare it otherwise, which leaves the behaviour open.
    pub fn fits(&self, types: &Types, arguments: &[TypeId], result: Option<TypeId>) -> bool {
        let arity = self.parameters.len();
        (arguments.len() == arity || (self.variadic && arguments.len() > arity))
            && self.parameters.iter().zip(arguments).all(|(class, ty)| class.takes(types, *ty))
            && result.is_none_or(|ty| self.result.gives(types, ty))
    }

    /// Bits of an integer or pointer result.
    pub fn result_bits(&self, model: DataModel) -> Option<u32> {
        match self.result {
            Class::Int(kind) => Some(kind.bits(model)),
            Class::Pointer => Some(model.word() as u32 * 8),
            _ => None,
        }
    }
}
