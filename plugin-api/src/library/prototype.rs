//! Prototypes as C text, read: how a function's values are passed, and the types that lowering gives them.

use super::entry::name_of;
use crate::program::{DataModel, FloatKind, IntKind, Type, TypeId, Types};

/// A type in a prototype, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CType {
    Void,
    Int(IntKind),
    /// An unsigned or signed integer type that is another one in the other data model: `size_t`, and what has 64 bits in both.
    Size,
    Word64 {
        signed: bool,
    },
    Float(FloatKind),
    /// To something of this type; to `void` where that is a struct, a function, or a type of the library.
    Pointer(Box<CType>),
    /// A struct, which has no model.
    Struct,
}

/// How a value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    Void,
    Int(IntKind),
    Pointer,
    Float(FloatKind),
    Struct,
}

/// A parsed prototype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    pub result: CType,
    pub parameters: Vec<CType>,
    pub variadic: bool,
}

/// Words that change nothing in how a value is passed.
const QUALIFIERS: [&str; 2] = ["const", "struct"];

impl CType {
    /// From a type as prototypes spell it, perhaps with the name of a parameter.
    fn parse(text: &str) -> Option<CType> {
        if text.contains('(') {
            return Some(CType::Pointer(Box::new(CType::Void)));
        }
        let (text, is_array) = match text.strip_suffix("[]") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let stars = text.matches('*').count() + usize::from(is_array);
        let is_struct = text.starts_with("struct ") || text.starts_with("const struct ") || text.starts_with("enum ");
        let base = text.split('*').next().unwrap_or_default();
        let words: Vec<&str> = base.split_whitespace().filter(|word| !QUALIFIERS.contains(word)).collect();
        // The last word may be the name of the parameter.
        let named = words.split_last().map(|(_, before)| before);
        let known =
            [Some(words.as_slice()), named].into_iter().flatten().find_map(|words| named_type(&words.join(" ")));
        let mut ty = match known {
            Some(ty) => ty,
            None if stars > 0 || is_struct => CType::Void,
            None => return None,
        };
        for _ in 0..stars {
            ty = CType::Pointer(Box::new(ty));
        }
        Some(ty)
    }

    pub fn pointee(&self) -> Option<&CType> {
        match self {
            CType::Pointer(pointee) => Some(pointee),
            _ => None,
        }
    }

    pub fn class(&self) -> Class {
        match self {
            CType::Void => Class::Void,
            CType::Int(kind) => Class::Int(*kind),
            CType::Size => Class::Int(IntKind::ULong),
            CType::Word64 { signed: true } => Class::Int(IntKind::LongLong),
            CType::Word64 { signed: false } => Class::Int(IntKind::ULongLong),
            CType::Float(kind) => Class::Float(*kind),
            CType::Pointer(_) => Class::Pointer,
            CType::Struct => Class::Struct,
        }
    }

    /// The type in a program; none for structs.
    pub fn intern(&self, types: &mut Types) -> Option<TypeId> {
        let is_long = types.model == DataModel::Lp64;
        Some(match self {
            CType::Void => types.intern(Type::Void),
            CType::Int(kind) => types.int(*kind),
            CType::Size => types.int(if is_long { IntKind::ULong } else { IntKind::UInt }),
            CType::Word64 { signed: true } => types.int(if is_long { IntKind::Long } else { IntKind::LongLong }),
            CType::Word64 { signed: false } => types.int(if is_long { IntKind::ULong } else { IntKind::ULongLong }),
            CType::Float(kind) => types.intern(Type::Float(*kind)),
            CType::Pointer(to) => {
                let to = to.intern(types)?;
                types.pointer_to(to)
            }
            CType::Struct => return None,
        })
    }
}

/// A type by its name, or by its keywords in the order in which the table writes them.
fn named_type(name: &str) -> Option<CType> {
    let int = |kind| Some(CType::Int(kind));
    match name {
        "void" => Some(CType::Void),
        "char" => int(IntKind::Char),
        "int" | "wchar_t" | "clockid_t" => int(IntKind::Int),
        "unsigned" | "mode_t" | "uid_t" | "gid_t" | "socklen_t" | "useconds_t" | "wint_t" => int(IntKind::UInt),
        "enum __ptrace_request" => int(IntKind::UInt),
        "unsigned short" => int(IntKind::UShort),
        "long" | "ssize_t" | "off_t" | "time_t" | "clock_t" | "intptr_t" => int(IntKind::Long),
        "unsigned long" | "pthread_t" | "thrd_t" | "nfds_t" => int(IntKind::ULong),
        "long long" | "off64_t" => int(IntKind::LongLong),
        "unsigned long long" | "dev_t" => int(IntKind::ULongLong),
        "size_t" => Some(CType::Size),
        "intmax_t" => Some(CType::Word64 { signed: true }),
        "uintmax_t" | "uint64_t" => Some(CType::Word64 { signed: false }),
        "float" => Some(CType::Float(FloatKind::Float)),
        "double" => Some(CType::Float(FloatKind::Double)),
        "long double" => Some(CType::Float(FloatKind::LongDouble)),
        "va_list" | "__sighandler_t" | "thrd_start_t" => Some(CType::Pointer(Box::new(CType::Void))),
        "div_t" | "ldiv_t" | "lldiv_t" | "imaxdiv_t" => Some(CType::Struct),
        _ => None,
    }
}

impl Class {
    /// Whether a value of type `ty` can stand for this: the same kind of register, and not wider.
    fn takes(self, types: &Types, ty: TypeId) -> bool {
        match (self, types.get(ty)) {
            (Class::Struct, _) => false,
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

impl Prototype {
    /// Of `result name(parameter, …)`.
    pub(super) fn parse(text: &str) -> Option<Prototype> {
        let (head, rest) = text.split_once('(')?;
        let result = head.strip_suffix(name_of(text))?;
        let mut list = parameters(rest.strip_suffix(')')?);
        let variadic = list.last() == Some(&"...");
        if variadic {
            list.pop();
        }
        let parameters = match list.as_slice() {
            ["void"] => Vec::new(),
            list => list.iter().map(|text| CType::parse(text)).collect::<Option<_>>()?,
        };
        Some(Prototype { result: CType::parse(result.trim())?, parameters, variadic })
    }

    /// Whether a call with arguments and a result place of these types is a call of this function as the real library
    /// knows it. A program may declare it otherwise, which leaves the behaviour open.
    pub fn fits(&self, types: &Types, arguments: &[TypeId], result: Option<TypeId>) -> bool {
        let arity = self.parameters.len();
        (arguments.len() == arity || (self.variadic && arguments.len() > arity))
            && self.parameters.iter().zip(arguments).all(|(parameter, ty)| parameter.class().takes(types, *ty))
            && result.is_none_or(|ty| self.result.class().gives(types, ty))
    }

    /// The type in a program; none if a struct is passed.
    pub fn intern(&self, types: &mut Types) -> Option<TypeId> {
        let result = self.result.intern(types)?;
        let parameters = self.parameters.iter().map(|parameter| parameter.intern(types)).collect::<Option<_>>()?;
        Some(types.intern(Type::Function { result, parameters, variadic: self.variadic, prototyped: true }))
    }

    /// Bits of an integer or pointer result.
    pub fn result_bits(&self, model: DataModel) -> Option<u32> {
        match self.result.class() {
            Class::Int(kind) => Some(kind.bits(model)),
            Class::Pointer => Some(model.word() as u32 * 8),
            _ => None,
        }
    }
}

/// The parts between commas that are in no parentheses.
fn parameters(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let at_comma = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    list.split(at_comma).map(str::trim).collect()
}
