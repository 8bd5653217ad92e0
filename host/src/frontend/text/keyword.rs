//! The words that have a meaning of their own for the rewriting, grouped by what may follow them.
//! Words of C that need no care (`return`, `sizeof`, …) are here too, so that they are not taken for names.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// `int`, `unsigned`, `double`, …: a type, or a part of one.
    Type,
    Unsigned,
    Signed,
    /// `struct` or `union`.
    Record,
    Enum,
    Typeof,
    Storage,
    Typedef,
    Qualifier,
    Extension,
    Attribute,
    Alignas,
    Asm,
    /// `if`, `while`, `for`, `switch`: a statement follows the parentheses.
    Control,
    For,
    /// `else` or `do`: a statement follows.
    Prefix,
    Case,
    Default,
    Goto,
    Inline,
    Alignof,
    ThreadLocal,
    LocalLabel,
    AutoType,
    Float128,
    Int128,
    Uint128,
    TypesCompatible,
    ConvertVector,
    Complex,
    RealPart,
    ImaginaryPart,
    StaticAssert,
    Pragma,
    /// `sizeof`, `_Generic`, …: an operand, with parentheses that are not a cast.
    Operand,
    /// `return`, `break`, …
    Other,
}

const WORDS: &[(Keyword, &[&str])] = &[
    (
        Keyword::Type,
        &[
            "void",
            "char",
            "short",
            "int",
            "long",
            "float",
            "double",
            "_Bool",
            "_Imaginary",
            "_Float16",
            "_Float32",
            "_Float32x",
            "_Float64",
            "_Float64x",
            "_Float128",
            "_Decimal32",
            "_Decimal64",
            "_Decimal128",
            "__builtin_va_list",
        ],
    ),
    (Keyword::Complex, &["_Complex", "__complex__", "__complex"]),
    (Keyword::Unsigned, &["unsigned"]),
    (Keyword::Signed, &["signed", "__signed", "__signed__"]),
    (Keyword::Record, &["struct", "union"]),
    (Keyword::Enum, &["enum"]),
    (Keyword::Typeof, &["typeof", "__typeof", "__typeof__"]),
    (Keyword::Storage, &["extern", "static", "auto", "register", "_Noreturn"]),
    (Keyword::Inline, &["inline", "__inline", "__inline__"]),
    (Keyword::Typedef, &["typedef"]),
    (
        Keyword::Qualifier,
        &[
            "const",
            "__const",
            "__const__",
            "volatile",
            "__volatile",
            "__volatile__",
            "restrict",
            "__restrict",
            "__restrict__",
            "_Atomic",
        ],
    ),
    (Keyword::Extension, &["__extension__"]),
    (Keyword::Attribute, &["__attribute__", "__attribute"]),
    (Keyword::Alignas, &["_Alignas"]),
    (Keyword::Asm, &["asm", "__asm", "__asm__"]),
    (Keyword::Control, &["if", "while", "switch"]),
    (Keyword::For, &["for"]),
    (Keyword::Prefix, &["else", "do"]),
    (Keyword::Case, &["case"]),
    (Keyword::Default, &["default"]),
    (Keyword::Goto, &["goto"]),
    (Keyword::Alignof, &["_Alignof", "__alignof", "__alignof__"]),
    (Keyword::ThreadLocal, &["__thread", "_Thread_local"]),
    (Keyword::LocalLabel, &["__label__"]),
    (Keyword::AutoType, &["__auto_type"]),
    (Keyword::Float128, &["__float128"]),
    (Keyword::Int128, &["__int128", "__int128_t", "__int128__"]),
    (Keyword::Uint128, &["__uint128_t"]),
    (Keyword::TypesCompatible, &["__builtin_types_compatible_p"]),
    (Keyword::ConvertVector, &["__builtin_convertvector"]),
    (Keyword::RealPart, &["__real__", "__real"]),
    (Keyword::ImaginaryPart, &["__imag__", "__imag"]),
    (Keyword::StaticAssert, &["_Static_assert"]),
    (Keyword::Pragma, &["_Pragma"]),
    (Keyword::Operand, &["sizeof", "_Generic", "__builtin_offsetof", "__builtin_va_arg"]),
    (Keyword::Other, &["return", "break", "continue"]),
];

static TABLE: LazyLock<FxHashMap<&'static [u8], Keyword>> = LazyLock::new(|| {
    let words = WORDS.iter().flat_map(|(keyword, words)| words.iter().map(|word| (word.as_bytes(), *keyword)));
    words.collect()
});

pub fn lookup(word: &[u8]) -> Option<Keyword> {
    TABLE.get(word).copied()
}

impl Keyword {
    /// Whether a declaration, a type name or a parameter may begin with it.
    pub fn begins_type(self) -> bool {
        self.is_type_specifier() || self.is_other_specifier()
    }

    /// Whether it is, or begins, a type specifier.
    pub fn is_type_specifier(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Type | Complex | Unsigned | Signed | Record | Enum | Typeof | AutoType | Float128 | Int128 | Uint128
        )
    }

    /// A declaration specifier that does not say the type.
    pub fn is_other_specifier(self) -> bool {
        use Keyword::*;
        matches!(self, Storage | Inline | Typedef | Qualifier | ThreadLocal | Alignas)
    }
}
