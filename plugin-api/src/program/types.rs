//! C types with gcc's sizes and layout for a data model. Types are interned: equal ids mean equal types.
//! Qualifiers are dropped, and an enum is its underlying integer type.

use super::ids::{CompositeId, TypeId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The sizes of `long` and of pointers, as SV-COMP names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers (gcc -m32).
    #[serde(rename = "ILP32")]
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers (gcc -m64).
    #[serde(rename = "LP64")]
    Lp64,
}

impl DataModel {
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// Bytes in a pointer and in a `long`.
    pub fn word(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
}

/// The integer types of C. Two kinds of one width stay distinct, since conversion ranks differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// Bytes of storage.
    pub fn size(self, model: DataModel) -> u64 {
        use IntKind::*;
        match self {
            Bool | Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => model.word(),
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    /// Value bits: 1 for `_Bool`, else all bits of the storage.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            IntKind::Bool => 1,
            other => other.size(model) as u32 * 8,
        }
    }

    /// Plain `char` is signed, as on x86.
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    /// Integer conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u32 {
        use IntKind::*;
        match self {
            Bool => 0,
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LongLong => ULongLong,
            Int128 => UInt128,
            other => other,
        }
    }

    pub fn to_signed(self) -> IntKind {
        use IntKind::*;
        match self {
            UChar => SChar,
            UShort => Short,
            UInt => Int,
            ULong => Long,
            ULongLong => LongLong,
            UInt128 => Int128,
            other => other,
        }
    }

    /// How C spells it.
    pub fn c_name(self) -> &'static str {
        use IntKind::*;
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FloatKind {
    Float,
    Double,
    /// x87's 80-bit format.
    LongDouble,
    /// IEEE quadruple (`__float128`, `_Float128`).
    Float128,
}

impl FloatKind {
    pub fn size(self, model: DataModel) -> u64 {
        match (self, model) {
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Float128, _) => 16,
        }
    }

    pub fn c_name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "_Float128",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Pointer(TypeId),
    Array {
        element: TypeId,
        length: u64,
    },
    /// `T a[]`: a flexible member, or an extern array that is never completed.
    IncompleteArray {
        element: TypeId,
    },
    Composite(CompositeId),
    Function {
        result: TypeId,
        parameters: Vec<TypeId>,
        variadic: bool,
        /// False for `int f()`, which says nothing of its parameters.
        prototyped: bool,
    },
}

impl Type {
    /// The same with other numbers for the types that it is made of; `None` if `number` has no number for one of them.
    pub fn map(&self, number: &mut dyn FnMut(TypeId) -> Option<TypeId>) -> Option<Type> {
        Some(match self {
            Type::Pointer(target) => Type::Pointer(number(*target)?),
            Type::Array { element, length } => Type::Array { element: number(*element)?, length: *length },
            Type::IncompleteArray { element } => Type::IncompleteArray { element: number(*element)? },
            Type::Function { result, parameters, variadic, prototyped } => {
                let parameters = parameters.iter().map(|id| number(*id)).collect::<Option<_>>()?;
                let result = number(*result)?;
                Type::Function { result, parameters, variadic: *variadic, prototyped: *prototyped }
            }
            plain @ (Type::Void | Type::Int(_) | Type::Float(_) | Type::Composite(_)) => plain.clone(),
        })
    }
}

/// A struct or union with its layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Composite {
    /// Tag, made unique in the program.
    pub name: String,
    pub is_union: bool,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    /// False for `struct s;` that is never defined.
    pub complete: bool,
    /// `__attribute__((packed))`: the printer must repeat it to get the same layout.
    pub packed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Empty for an unnamed bit-field or an anonymous struct or union member.
    pub name: String,
    pub ty: TypeId,
    /// Bytes from the start of the composite to the storage of the field.
    pub offset: u64,
    pub bits: Option<BitField>,
    /// `__attribute__((aligned(n)))` on the member, which the printer must repeat.
    pub explicit_align: Option<u64>,
}

/// Place of a bit-field: `width` bits, the lowest at bit `start` counted from the byte at the field's offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitField {
    pub start: u32,
    pub width: u32,
}

/// All types of a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Types {
    pub model: DataModel,
    types: Vec<Type>,
    pub composites: Vec<Composite>,
    #[serde(skip)]
    index: FxHashMap<Type, TypeId>,
}

impl Types {
    pub fn new(model: DataModel) -> Self {
        Types { model, types: Vec::new(), composites: Vec::new(), index: FxHashMap::default() }
    }

    /// The id of `ty`, which is added where it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if self.index.is_empty() && !self.types.is_empty() {
            // Fresh from deserialisation: the index is not stored. Of equal types the first is the one that is found.
            self.index = self.types.iter().enumerate().rev().map(|(i, t)| (t.clone(), TypeId::new(i))).collect();
        }
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = TypeId::new(self.types.len());
        self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// A type of its own that is like `ty` in everything that a program does; `intern` never finds it. The front end
    /// uses it to keep types apart that differ only in the source text.
    pub fn alias(&mut self, ty: Type) -> TypeId {
        self.intern(ty.clone());
        let id = TypeId::new(self.types.len());
        self.types.push(ty);
        id
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// How many types there are; their ids are `0..len`.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    pub fn composite(&self, id: CompositeId) -> &Composite {
        &self.composites[id.index()]
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    pub fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    /// `sizeof`, with GNU C's 1 for `void` and functions; `None` for an incomplete type.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            Type::Void | Type::Function { .. } => 1,
            Type::Int(kind) => kind.size(self.model),
            Type::Float(kind) => kind.size(self.model),
            Type::Pointer(_) => self.model.word(),
            Type::Array { element, length } => self.size_of(*element)?.checked_mul(*length)?,
            Type::IncompleteArray { .. } => return None,
            Type::Composite(c) => {
                let composite = self.composite(*c);
                if !composite.complete {
                    return None;
                }
                composite.size
            }
        })
    }

    /// Alignment inside a struct as gcc lays it out (on i386, 8-byte scalars align to 4 there).
    pub fn align_of(&self, id: TypeId) -> u64 {
        let ilp32 = self.model == DataModel::Ilp32;
        match self.get(id) {
            Type::Void | Type::Function { .. } => 1,
            Type::Int(kind) => {
                let size = kind.size(self.model);
                if ilp32 && size == 8 { 4 } else { size }
            }
            Type::Float(FloatKind::Float) => 4,
            Type::Float(FloatKind::Double | FloatKind::LongDouble) if ilp32 => 4,
            Type::Float(FloatKind::Double) => 8,
            Type::Float(FloatKind::LongDouble | FloatKind::Float128) => 16,
            Type::Pointer(_) => self.model.word(),
            Type::Array { element, .. } | Type::IncompleteArray { element } => self.align_of(*element),
            Type::Composite(c) => self.composite(*c).align,
        }
    }

    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_))
    }

    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float(_))
    }

    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }

    /// A struct, a union or an array.
    pub fn is_aggregate(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Composite(_) | Type::Array { .. } | Type::IncompleteArray { .. })
    }

    /// Bits and signedness of an integer or pointer as a machine word; `None` for everything else.
    pub fn word_shape(&self, id: TypeId) -> Option<(u32, bool)> {
        match self.get(id) {
            Type::Int(kind) => Some((kind.bits(self.model), kind.is_signed())),
            Type::Pointer(_) => Some((self.model.word() as u32 * 8, false)),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// The element type of an array.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Array { element, .. } | Type::IncompleteArray { element } => Some(*element),
            _ => None,
        }
    }
}
