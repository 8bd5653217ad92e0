//! Library functions that gcc knows without a declaration: a program that calls `alloca` or `strlen` without a header gets their
//! real types, not those of a function that returns `int`.

use super::Lowerer;
use tandem_plugin_api::program::*;

/// Signatures with the functions that have them, without the suffixes of [`FLOATS`]. The first letter is the result: `v` void, `i` int,
/// `l` long, `q` long long, `z` size_t, `p` a pointer to void, `s` to char, `d` double; `.` ends a list that is variadic.
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
            logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc",
    ),
    ("ddd", "atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder"),
    ("dddd", "fma"),
    ("ddi", "ldexp scalbn"),
    ("ddl", "scalbln"),
    ("ddp", "frexp modf"),
    ("dddp", "remquo"),
    ("id", "ilogb"),
    ("ld", "lrint lround"),
    ("qd", "llrint llround"),
];

impl Lowerer<'_> {
    /// The type that gcc gives a function of its library that nobody declared; none if it does not know one.
    pub fn known_signature(&mut self, name: &str) -> Option<TypeId> {
        let plain = |table: &[(&'static str, &'static str)], name: &str| {
            table.iter().find(|(_, names)| names.split_whitespace().any(|known| known == name)).map(|line| line.0)
        };
        if let Some(signature) = plain(FUNCTIONS, name) {
            return self.signature_type(signature, FloatKind::Double);
        }
        let (signature, kind) = plain(FLOATS, name)
            .map(|signature| (signature, FloatKind::Double))
            .or_else(|| Some((plain(FLOATS, name.strip_suffix('f')?)?, FloatKind::Float)))
            .or_else(|| Some((plain(FLOATS, name.strip_suffix('l')?)?, FloatKind::LongDouble)))?;
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
            'd' => self.types.intern(Type::Float(float)),
            _ => return None,
        })
    }
}
