//! One case per construct that lang-c lacks: the text that it becomes, and that lang-c accepts it.

use crate::frontend::parse::{parse, with_large_stack};
use crate::frontend::text::prepare;

/// The prepared text, with runs of blanks as one.
fn prepared(text: &str) -> String {
    let source = prepare(text, "t.c").unwrap_or_else(|problem| panic!("{text}\n{problem}"));
    with_large_stack(|| parse(&source).map(drop)).unwrap_or_else(|problem| panic!("{}\n{problem}", source.text));
    source.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn becomes(text: &str, expected: &str) {
    assert_eq!(prepared(text), expected, "from: {text}");
}

fn stays(text: &str) {
    becomes(text, &text.split_whitespace().collect::<Vec<_>>().join(" "));
}

fn refused(text: &str, message: &str, line: u32, column: u32) {
    let problem = prepare(text, "t.c").unwrap_err();
    assert!(problem.message.contains(message), "{problem}");
    assert_eq!((problem.line, problem.column), (Some(line), Some(column)), "{problem}");
}

#[test]
fn conditional_without_middle() {
    becomes("int f(int a) { return a ?: 2; }", "int f(int a) { return a ? __tandem_elvis : 2; }");
    becomes(
        "int f(int a) { return (a ? : 1) ?\n: a ? 2 : 3; }",
        "int f(int a) { return (a ? __tandem_elvis : 1) ? __tandem_elvis : a ? 2 : 3; }",
    );
}

#[test]
fn labels_that_lack_a_statement() {
    becomes("int f(int a) { goto L; L: }", "int f(int a) { goto L; L: ; }");
    becomes("void f(void) { L: int x; M: N: { O: } }", "void f(void) { L: ; int x; M: N: { O: ; } }");
    becomes(
        "typedef int T; void f(int a) { L: T x; M: T *p; N: struct S s; }",
        "typedef int T; void f(int a) { L: ; T x; M: ; T *p; N: ; struct S s; }",
    );
    becomes(
        "void f(int a) { switch (a) { case 1 ? 2 : 3: int x; case 4: { } default: } }",
        "void f(int a) { switch (a) { case 1 ? 2 : 3: ; int x; case 4: { } default: ; } }",
    );
    becomes("void f(int a) { a = ({ L: int x; x; }); }", "void f(int a) { a = ({ L: ; int x; x; }); }");
}

#[test]
fn colons_that_are_not_labels() {
    stays("struct S { int a : 3; int : 2; unsigned b : 1, : 0; };");
    stays("struct S { int a, b; }; struct S s = { a : 1, b : 2 };");
    stays("typedef int T; int f(int a, int x) { return a ? x : (T) a; }");
    stays("void f(int a) { if (a) L: a = 1; else M: a = 2; while (a) N: a--; }");
    stays("int f(int x) { return _Generic(x, int: 1, default: 0); }");
    stays("void f(int a, int x) { L: x * a; M: a = 1; N: ; }");
}

#[test]
fn wide_types() {
    becomes("__float128 x = 1.0q, y = 2.W;", "_Float128 x = 1.0f128, y = 2.f64x;");
    let prelude = "typedef int __tandem_int128 __attribute__((__mode__(__TI__)));\
        typedef unsigned int __tandem_uint128 __attribute__((__mode__(__TI__)));";
    for (text, expected) in [
        ("__int128 x;", "__tandem_int128 x;"),
        ("__extension__ signed __int128 const x;", " __tandem_int128 const x;"),
        ("unsigned __int128 x;", " __tandem_uint128 x;"),
        ("__int128 unsigned x;", "__tandem_uint128 x;"),
        ("static unsigned const __int128 x;", "static const __tandem_uint128 x;"),
        (
            "__uint128_t f(__int128_t x) { return (unsigned __int128) x; }",
            "__tandem_uint128 f(__tandem_int128 x) { return ( __tandem_uint128) x; }",
        ),
    ] {
        becomes(text, &format!("{prelude}{expected}"));
    }
}

#[test]
fn type_of_the_initializer() {
    becomes(
        "void f(int a) { __auto_type x = a; const __auto_type y = ({ __auto_type z = x; z; }); }",
        "typedef int __tandem_auto_type;void f(int a) { __tandem_auto_type x = a; \
         const __tandem_auto_type y = ({ __tandem_auto_type z = x; z; }); }",
    );
}

#[test]
fn words_without_meaning_here() {
    becomes("static __thread int x; _Thread_local int y;", "static int x; int y;");
    becomes(
        "__extension__ typedef int T; int f(void) { return __extension__ (T) 1; }",
        "typedef int T; int f(void) { return (T) 1; }",
    );
    becomes(
        "void f(void) { __label__ a, b; a: ; { __label__ a; goto a; a: ; } goto b; b: ; }",
        "void f(void) { __tandem_label_1_a: ; { goto __tandem_label_3_a; __tandem_label_3_a: ; } goto __tandem_label_2_b; __tandem_label_2_b: ; }",
    );
    becomes("_Pragma(\"once\") int x; void f(void) { _Pragma(\"a\") x = 1; }", "int x; void f(void) { x = 1; }");
    becomes(
        "[[nodiscard]] int f(void); void g(void) { [[fallthrough]]; int a[2], b = a[f()]; }",
        "int f(void); void g(void) { ; int a[2], b = a[f()]; }",
    );
}

#[test]
fn static_assertions() {
    becomes(
        "_Static_assert(1); struct S { _Static_assert((1, 2)); int a; };",
        "_Static_assert(1, \"\"); struct S { _Static_assert((1, 2), \"\"); int a; };",
    );
    stays("_Static_assert(1, \"message\");");
}

#[test]
fn assembler() {
    let source = prepare("asm(\"nop\"); int x; __asm__ volatile(\"a\" \"b\");", "t.c").unwrap();
    assert!(source.has_toplevel_asm && source.text.trim() == "int x;");
    assert!(!prepare("void f(void) { asm(\"nop\"); }", "t.c").unwrap().has_toplevel_asm);
    becomes(
        "void f(int a) { asm volatile goto (\"x\" : : \"r\"(a) : \"cc\" : L, M); asm goto(\"\" : : : : L); L: M: ; }",
        "void f(int a) { asm volatile (\"x\" : : \"r\"(a) : \"cc\" , \"tandem:goto L\", \"tandem:goto M\" ); \
         asm (\"\" : : : \"tandem:goto L\" ); L: M: ; }",
    );
    becomes("void f(void) { asm inline volatile (\"x\"); }", "void f(void) { asm volatile (\"x\"); }");
    stays(
        "int x asm(\"y\") = 3; void f(void) { __asm__ __volatile__ (\"%0\" : \"=r\" (x), [n] \"+m\" (x) :: \"memory\"); }",
    );
    becomes(
        "void f(int) __attribute__((cold)) __asm__(\"g\");",
        "void f(int) __asm__ ( \"g\" ) __attribute__((cold)) ;",
    );
}

#[test]
fn label_addresses() {
    becomes(
        "void f(int a) { static void *t[] = { &&L, &&M }; goto *t[a]; L: M: ; }",
        "void f(int a) { static void *t[] = { __tandem_label_address(L), __tandem_label_address(M) }; __tandem_goto( t[a]); L: M: ; }",
    );
    becomes(
        "typedef void *P; void *f(P p) { p = (P)&&L; L: return (void *) && L; }",
        "typedef void *P; void *f(P p) { p = (P)__tandem_label_address(L); L: return (void *) __tandem_label_address( L); }",
    );
    stays(
        "int f(int a, int *b) { return a &&a && (a)&&a && b[0]&&a && sizeof(int)&&a && _Alignof(int)&&a && f(a, b)&&a && a++&&a; }",
    );
    becomes(
        "typedef int T; int f(int T, int x) { return (T) && x; }",
        "typedef int T; int f(int T, int x) { return T && x; }",
    );
}

#[test]
fn other_spellings() {
    becomes(
        "int a<:2:> = <%1, 2%>; __const__ int f(void) <% return a<:1:>; %>",
        "int a[2] = {1, 2}; __const int f(void) { return a[1]; }",
    );
    stays("int f(int) __attribute__((__nothrow__, __const__));");
}

#[test]
fn parameters_that_hide_types() {
    becomes(
        "typedef int T; int f(T T) { if (T) g(T); return sizeof (T) + (T) * 2; }",
        "typedef int T; int f(T T) { if (T) g(T); return sizeof T + T * 2; }",
    );
    stays("typedef int T; int f(const T, struct T x, T (*p)(T)) { return (T) + 1; }");
}

#[test]
fn enumerations_with_a_type() {
    becomes(
        "enum E : unsigned char { A, B } x; enum F : short; struct S { enum E : 3; };",
        "enum E { A, B } __attribute__((__tandem_enum__((unsigned char)0))) x; \
         enum F __attribute__((__tandem_enum__((short)0))) ; struct S { enum E : 3; };",
    );
}

#[test]
fn types_as_operands() {
    becomes(
        "int f(int x) { return __builtin_types_compatible_p(int[3], typeof(x)); }",
        "int f(int x) { return __builtin_types_compatible_p(sizeof(int[3]), sizeof(__typeof(x))); }",
    );
    becomes(
        "int f(int x) { return __alignof__(x + 1) + _Alignof(int) + __alignof__ x; }",
        "int f(int x) { return __alignof__(__typeof(x + 1)[]) + _Alignof(int) + __alignof__ (__typeof(x)[]); }",
    );
    becomes("int x = sizeof (int){ 1 };", "int x = sizeof ((int){ 1 });");
    stays("struct S { int a[3]; }; int x = __builtin_offsetof(struct S, a[1]);");
}

#[test]
fn attributes_where_lang_c_wants_them() {
    becomes(
        "struct __attribute__ ( (packed) ) S { int a; } s; struct __attribute__((packed)) S *p;",
        "struct S { int a; } __attribute__ (( packed )) s; struct S *p;",
    );
    becomes("enum __attribute__((packed)) E { A };", "enum E { A } __attribute__ (( packed )) ;");
    becomes("int x __attribute__ ( ( ,a,,b(1, 2), ) ) ;", "int x __attribute__ (( a, b(1, 2) )) ;");
    becomes("void f(void) __attribute__((cold)) { }", "void f(void) { }");
    becomes(
        "void f(int a) { L:__attribute__((unused))int x; switch (a) { case 1: __attribute__((fallthrough)); default: ; } }",
        "void f(int a) { L: ; int x; switch (a) { case 1: ; default: ; } }",
    );
    stays("void f(void) { __attribute__((unused)) int x; int y __attribute__((aligned(8))) = 1; }");
    becomes(
        "typedef int T; struct S { _Alignas(16) char a; _Alignas(T) char b; }; _Alignas(8) int x;",
        "typedef int T; struct S { __attribute__((__aligned__(16))) char a; \
         __attribute__((__aligned__(_Alignof(T)))) char b; }; _Alignas(8) int x;",
    );
}

#[test]
fn packing() {
    becomes(
        "#pragma pack(push, 1)\nstruct A { int a; };\n#pragma pack(2)\nunion B { int a; } b;\n#pragma pack(pop)\n\
         struct C { int a; };\n#pragma pack(4)\nstruct D { struct { int a; } b; };\n#pragma pack()\nstruct E { int a; };\n",
        "struct A { int a; } __attribute__((__tandem_pack__(1))); union B { int a; } __attribute__((__tandem_pack__(2))) b; \
         struct C { int a; }; struct D { struct { int a; } __attribute__((__tandem_pack__(4))) b; } \
         __attribute__((__tandem_pack__(4))); struct E { int a; };",
    );
}

#[test]
fn implicit_int() {
    becomes("main() { return 0; }", "int main() { return 0; }");
    becomes("f(a, b) char *b; { return a; }", "int f(a, b) char *b; { return a; }");
    becomes("f(a) register a; { return a; }", "int f(a) register int a; { return a; }");
    becomes(
        "static x, y; extern f(); const z = 3; *p; a[3];",
        "static int x, y; extern int f(); const int z = 3; int *p; int a[3];",
    );
    becomes(
        "void f(void) { static x; register i = 1; for (auto j = 0; j; ) ; const *p; }",
        "void f(void) { static int x; register int i = 1; for (auto int j = 0; j; ) ; const int *p; }",
    );
    stays("typedef int T; static T x; extern T f(); T g(void) { static T y; const T *p; x = 1; f(); return y; }");
    stays("__typeof(int) const x; _Atomic(int) y; _Alignas(8) unsigned z; struct S { int a; } f(void);");
    stays("typedef int (*F)(int), A[3], *P, G(int); F f; A a; P p; G g; typedef struct S S; S *s; static F h;");
}

#[test]
fn names_and_literals() {
    becomes("int a$b, é, \\u00e9x;", "int a_tandem_dollar_b, _tandem_u00e9, _tandem_u00e9x;");
    becomes(r#"char *s = "é\u00e9\e\%\"", c = '\E';"#, r#"char *s = "\303\251\303\251\033%\"", c = '\033';"#);
    becomes(r#"int *s = L"é\u00e9\x41";"#, r#"int *s = L"éé\x41";"#);
    stays(r#"char *s = "a\n\x41\101\\\?" "b"; int c = 'ab', d = L'b'; int L, u8;"#);
    stays("double a = 1e+5, b = 0x1p-3, c = .5, d = 5.; int e = 0xe+1, f = 0b11;");
    refused("int x; “y”;", "unexpected character '“'", 1, 8);
}

#[test]
fn a_missing_semicolon_is_found_where_it_is_missing() {
    refused("int a\nint b; int f(int x) { return x; }", "expected ';', found 'int'", 2, 1);
    refused("int a = 3\nstruct S b;", "expected ';', found 'struct'", 2, 1);
    refused("int a[3]\nint b;", "expected ';', found 'int'", 2, 1);
    refused("struct S { int a int b; };", "expected ';', found 'int'", 1, 18);
    refused("void f(void) { int x = 1 unsigned y; }", "expected ';', found 'unsigned'", 1, 26);
    stays("typedef int T; T const a; T static b; T *f(int, T) __attribute__((cold)); int g(a) int a; { return a; }");
}

#[test]
fn what_is_not_supported_says_so() {
    refused("int x; _Pragma(\"pack(1)\") struct S { int a; };", "_Pragma", 1, 8);
    // Neither of these is one.
    stays("int f(int x) { if (x) { } while (x) { } for (;;) { } switch (x) { } do { } while (x); return x; }");
    stays(
        "struct S { int a; }; struct S *p = &(struct S){ 1 }; void f(void) { struct S s = (struct S){ 1 }; g((int[]){ 1 }); }",
    );
}

#[test]
fn standard_c_is_left_alone() {
    stays(
        "int (f)(int x) { return x; } void (*sig(int s, void (*h)(int)))(int); int g(int a[static 10], int n, int b[n]);",
    );
    stays(
        "enum { A, B = A ? 2 : 3, }; union U { int a; struct { short b, c; }; } u = { .b = 1 }; int v[] = { [0 ... 2] = 1 };",
    );
    stays("int f(int x, ...) { __builtin_va_list ap; __builtin_va_start(ap, x); return __builtin_va_arg(ap, int); };");
    stays("typedef int T; struct S { T T; }; int f(T T) { return T; } int g(struct S *s) { T: return s->T; }");
    stays("int f(a, b) int a, *b; { do a--; while (a); if (a) ; else { } return (a, *b), a <<= 1; }");
}

#[test]
fn initialisers_without_items() {
    becomes(
        "int a[3] = {}; struct S { int a[2]; } s = { {} }; void f(void) { } int g(void) { if (0) { } { } return (struct S){}.a[0]; }",
        "int a[3] = {__tandem_empty}; struct S { int a[2]; } s = { {__tandem_empty} }; void f(void) { } int g(void) { if (0) { } { } return (struct S){__tandem_empty}.a[0]; }",
    );
}
