//! Library functions that gcc knows without a declaration: a program that calls `alloca` or `strlen` without a header gets their
//! real types, not those of a function that returns `int`.

use super::Lowerer;
use tandem_plugin_api::program::*;

/// Signatures with the functions that have them, without the suffixes of [`FLOATS`]. The first letter is the result: `v` void, `i` int,
/// `l` long, `q` long long, `z` size_t, `p` a pointer to void, `s` to char, `d` double; `.` ends a list that is variadic. Unsigned are
/// `h` short, `u` int, `k` long, `w` long long.
const FUNCTIONS: &[(&str, &str)] = &[
    ("v", "abort"),
    ("vi", "exit _exit _Exit"),
    ("vp", "free"),
    ("pz", "alloca malloc"),
    ("pzz", "calloc aligned_alloc"),
    ("ppz", "realloc"),
    ("pppz", "memcpy memmove mempcpy"),
    ("ppiz", "memset memchr"),
    ("ippz", "memcmp bcmp"),
    ("vppz", "bcopy"),
    ("vpz", "bzero"),
    ("zs", "strlen"),
    ("zsz", "strnlen"),
    ("zss", "strspn strcspn"),
    ("ss", "strdup"),
    ("ssz", "strndup"),
    ("sss", "strcpy strcat strstr strpbrk stpcpy"),
    ("sssz", "strncpy strncat stpncpy"),
    ("ssi", "strchr strrchr index rindex"),
    ("iss", "strcmp strcasecmp"),
    ("issz", "strncmp strncasecmp"),
    (
        "ii",
        "abs ffs putchar toupper tolower toascii isascii isblank isalnum isalpha iscntrl isdigit isgraph islower isprint \
            ispunct isspace isupper isxdigit",
    ),
    ("ll", "labs"),
    ("qq", "llabs"),
    ("il", "ffsl"),
    ("iq", "ffsll"),
    ("is", "puts"),
    ("is.", "printf scanf"),
    ("ips.", "fprintf fscanf"),
    ("iss.", "sprintf sscanf"),
    ("iszs.", "snprintf"),
    ("iip", "fputc putc"),
    ("isp", "fputs"),
    ("zpzzp", "fwrite"),
];

/// The same for functions that come as `f` (double), `ff` (float, `f` behind the name) and `fl` (long double): `d` stands for that type.
const FLOATS: &[(&str, &str)] = &[
    (
        "dd",
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2 \
            logb nearbyint rint round roundeven sin sinh sqrt tan tanh tgamma trunc",
    ),
    ("ddd", "atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder"),
    ("dddd", "fma"),
    ("ddi", "ldexp scalbn"),
    ("ddl", "scalbln"),
    ("ddp", "frexp modf"),
    ("dddp", "remquo"),
    ("id", "ilogb finite isinf isnan"),
    ("ld", "lrint lround"),
    ("qd", "llrint llround"),
];

/// Of [`FUNCTIONS`], those that gcc computes whatever the arguments are, and those that it computes for constants.
const COMPUTED_ALWAYS: &str = "ffs ffsl ffsll isdigit isascii toascii";
const COMPUTED_FOR_CONSTANTS: &str = "strlen strnlen strspn strcspn strstr strpbrk strchr strrchr index rindex strcmp strcasecmp \
    strncmp strncasecmp memcmp bcmp memchr printf fprintf fputs";

/// The cases in which gcc computes a call of this function itself.
pub(super) enum Computed {
    Always,
    ForConstants,
    Never,
}

pub(super) fn computed_by_gcc(name: &str) -> Computed {
    let lists = |names: &str| names.split_whitespace().any(|known| known == name);
    match () {
        () if lists(COMPUTED_FOR_CONSTANTS) => Computed::ForConstants,
        () if lists(COMPUTED_ALWAYS) || find(FUNCTIONS, name).is_none() => Computed::Always,
        () => Computed::Never,
    }
}

/// Builtins that exist only with the prefix `__builtin_`.
const BUILTINS: &[(&str, &str)] = &[
    ("v", "trap unreachable"),
    ("hh", "bswap16"),
    ("uu", "bswap32"),
    ("iu", "popcount clz ctz parity"),
    ("ik", "popcountl clzl ctzl parityl"),
    ("iw", "popcountll clzll ctzll parityll"),
    ("ii", "clrsb"),
    ("il", "clrsbl"),
    ("iq", "clrsbll"),
    ("pppzz", "__memcpy_chk __memmove_chk __mempcpy_chk"),
    ("ppizz", "__memset_chk"),
    ("sssz", "__strcpy_chk __strcat_chk __stpcpy_chk"),
    ("ssszz", "__strncpy_chk __strncat_chk __stpncpy_chk"),
    ("iis.", "__printf_chk"),
    ("ipis.", "__fprintf_chk"),
    ("isizs.", "__sprintf_chk"),
    ("iszizs.", "__snprintf_chk"),
    ("iisp", "__vprintf_chk"),
    ("ipisp", "__vfprintf_chk"),
    ("isizsp", "__vsprintf_chk"),
    ("iszizsp", "__vsnprintf_chk"),
    ("isp", "vprintf"),
    ("ipsp", "vfprintf"),
    ("issp", "vsprintf"),
    ("iszsp", "vsnprintf"),
];

fn find(table: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(_, names)| names.split_whitespace().any(|known| known == name)).map(|line| line.0)
}

impl Lowerer<'_> {
    /// The type of the builtin `__builtin_…`; `name` is without the prefix.
    pub fn builtin_signature(&mut self, name: &str) -> Option<TypeId> {
        if name == "bswap64" {
            let letters = if self.types.model == DataModel::Lp64 { "kk" } else { "ww" };
            return self.signature_type(letters, FloatKind::Double);
        }
        match find(BUILTINS, name) {
            Some(signature) => self.signature_type(signature, FloatKind::Double),
            None => self.known_signature(name),
        }
    }

    /// The type that gcc gives a function of its library that is not declared; `None` if gcc does not know it.
    pub fn known_signature(&mut self, name: &str) -> Option<TypeId> {
        if let Some(signature) = find(FUNCTIONS, name) {
            return self.signature_type(signature, FloatKind::Double);
        }
        let (signature, kind) = find(FLOATS, name)
            .map(|signature| (signature, FloatKind::Double))
            .or_else(|| Some((find(FLOATS, name.strip_suffix('f')?)?, FloatKind::Float)))
            .or_else(|| Some((find(FLOATS, name.strip_suffix('l')?)?, FloatKind::LongDouble)))?;
        self.signature_type(signature, kind)
    }

    fn signature_type(&mut self, signature: &str, float: FloatKind) -> Option<TypeId> {
        let variadic = signature.ends_with('.');
        let letters = signature.trim_end_matches('.');
        let mut types = letters.chars().map(|letter| self.letter_type(letter, float)).collect::<Option<Vec<_>>>()?;
        let parameters = types.split_off(1.min(types.len()));
        let result = types.pop()?;
        Some(self.types.intern(Type::Function { result, parameters, variadic, prototyped: true }))
    }

    fn letter_type(&mut self, letter: char, float: FloatKind) -> Option<TypeId> {
        Some(match letter {
            'v' => self.common.void,
            'i' => self.common.int,
            'z' => self.common.size,
            'p' => self.common.void_pointer,
            's' => self.types.pointer_to(self.common.char),
            'l' => self.types.int(IntKind::Long),
            'q' => self.types.int(IntKind::LongLong),
            'h' => self.types.int(IntKind::UShort),
            'u' => self.types.int(IntKind::UInt),
            'k' => self.types.int(IntKind::ULong),
            'w' => self.types.int(IntKind::ULongLong),
            'd' => self.types.intern(Type::Float(float)),
            _ => return None,
        })
    }
}
