//! Random C programs on test inputs that exercise memory: pointers into arrays and structs, unions, bit-fields, heap blocks,
//! block copies, symbolic indices into small and large arrays, recursion, function pointers. Nothing in them is undefined.

use super::Rng;

const DECLARATIONS: &str = r#"typedef __typeof__(sizeof(0)) word;
extern _Bool __VERIFIER_nondet_bool(void); extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void); extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void); extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void); extern long __VERIFIER_nondet_long(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void); extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void); extern void __VERIFIER_assume(int); extern void abort(void);
extern void *malloc(word); extern void *calloc(word, word); extern void free(void *);
extern void *memset(void *, int, word); extern void *memcpy(void *, const void *, word);
struct node { int v; struct node *next; signed char tag; };
struct bits { unsigned a : 3; int b : 7; unsigned short c; long long d : 33; _Bool e : 1; int f : 15; };
union mix { int i; unsigned u; float f; unsigned char b[8]; short s[4]; long long l; double d; };
struct pair { short x; int y; char z; };
struct deep { struct pair in[3]; union mix m; short tail[2]; };
int small[10] = { 1, 2, [5] = -7, 9 };
short middle[100] = { 4, -4 };
unsigned char bytes[200] = "some text in a larger array";
long long wide[70];
double doubles[12] = { 0.5, -1.25, 1e10 };
float floats[80] = { 2.5f };
struct node nodes[5] = { { 1, &nodes[3], 'a' }, { 2, 0, 'b' } };
struct pair pairs[80] = { { 1, 2, 3 }, { -4, 5, -6 } };
struct deep deeps[6];
int grid[4][5] = { { 1, 2 }, { 3 } };
struct bits fields = { 5, -3, 77, -1234567890LL, 1, -99 };
union mix mixed = { .i = 1067030938 };
const char *text = "words";
_Bool flag = 1;
int global = 12;
unsigned char octet = 200;
unsigned long long large = 0x123456789abcdefULL;
double number = 0.75;
float single = 1.5f;
int *target = &small[3];
int *const fixed = &grid[2][1];
static int twice(int x, unsigned char y) { global += y; return 2 * x; }
static int pick(int x, unsigned char y) { if (x > y) return x - y; return y - x; }
static int count(int x, unsigned char y) { int r = 0; while (y > 3) { y = y / 2; r += x & 1; } return r; }
static int descend(int x, unsigned char y) { int here = x; int *p = &here; if ((y & 7) == 0) return *p;
  *p += descend(x + 1, (y & 7) - 1); return here; }
static int even(int n); static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static void put(int *where, int what) { *where = what; }
static struct pair swap(struct pair p) { struct pair q = { p.y, p.x, p.z }; p.x = 9; return q; }
extern double fabs(double); extern double sqrt(double); extern double floor(double); extern float ceilf(float);
extern double fmin(double, double); extern float fmaxf(float, float); extern double trunc(double);
extern double rint(double); extern int isnan(double); extern int abs(int); extern void *alloca(word);
static int *where[6] = { &global, &small[2], &grid[3][3], &pairs[5].y, &nodes[4].v, &deeps[2].in[0].y };
static int *larger(int *a, int *b) { return *a > *b ? a : b; }
static int ticks(void) { static int n = 3; n = n * 5 + 1; return n; }
static long double longer = 0.75L;
static int (*const table[3])(int, unsigned char) = { twice, pick, descend };
int (*chosen)(int, unsigned char) = count;
"#;

const INPUTS: [&str; 9] = ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulonglong"];
const INTEGERS: [&str; 8] =
    ["_Bool", "signed char", "unsigned char", "short", "unsigned", "int", "long long", "unsigned long"];
const PLACES: [&str; 26] = [
    "global",
    "octet",
    "large",
    "flag",
    "*target",
    "target[0]",
    "*fixed",
    "fields.a",
    "fields.b",
    "fields.c",
    "fields.d",
    "fields.e",
    "fields.f",
    "mixed.i",
    "mixed.u",
    "mixed.b[1]",
    "mixed.s[2]",
    "mixed.l",
    "nodes[2].v",
    "nodes[3].tag",
    "small[4]",
    "middle[50]",
    "pairs[7].y",
    "wide[69]",
    "deeps[2].in[1].z",
    "bytes[0]",
];

/// The program that a seed names.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed, DECLARATIONS);
    generator.main();
    generator.text
}

/// The same kind of program with calls of `reach_error` behind conditions, so that analyses refine.
pub fn program_with_errors(seed: u64) -> String {
    let mut generator = Generator::new(seed, "extern void reach_error(void);\n");
    generator.text.push_str(DECLARATIONS);
    generator.errors = true;
    generator.main();
    generator.text
}

struct Generator {
    rng: Rng,
    text: String,
    names: u32,
    /// Integer variables in scope.
    locals: Vec<String>,
    /// Enclosing loops.
    loops: u32,
    /// Whether errors are called.
    errors: bool,
}

impl Generator {
    fn new(seed: u64, text: &str) -> Self {
        Generator {
            rng: Rng::new(seed ^ 0x5bd1),
            text: text.to_owned(),
            names: 0,
            locals: Vec::new(),
            loops: 0,
            errors: false,
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn main(&mut self) {
        self.line("int main(void)\n{");
        for _ in 0..2 + self.rng.below(2) {
            self.input();
        }
        for _ in 0..4 + self.rng.below(5) {
            self.statement(2);
            if self.errors {
                let (first, second, third) = (self.comparison(1), self.comparison(0), self.comparison(0));
                self.line(&format!("if ({first} && {second} && {third}) reach_error();"));
            }
        }
        self.line("return 0;\n}");
    }

    fn input(&mut self) {
        let (ty, input) = (self.rng.pick(&INTEGERS), self.rng.pick(&INPUTS));
        let name = self.fresh("v");
        self.line(&format!("{ty} {name} = __VERIFIER_nondet_{input}();"));
        self.locals.push(name);
    }

    fn local(&mut self) -> String {
        let at = self.rng.below(self.locals.len() as u64) as usize;
        self.locals[at].clone()
    }

    /// An element whose index is computed; always inside.
    fn element(&mut self) -> String {
        let index = self.int(1);
        match self.rng.below(13) {
            0 => format!("small[(unsigned)({index}) % 10]"),
            1 => format!("middle[(unsigned)({index}) % 100]"),
            2 => format!("bytes[(unsigned char)({index}) % 200]"),
            3 => format!("wide[(unsigned)({index}) % 70]"),
            4 => format!("pairs[(unsigned)({index}) % 80].{}", self.rng.pick(&["x", "y", "z"])),
            5 => format!("nodes[(unsigned)({index}) % 5].{}", self.rng.pick(&["v", "tag"])),
            6 => format!("grid[(unsigned)({index}) % 4][{}]", self.rng.below(5)),
            7 => format!("grid[({index}) & 3][(unsigned)({}) % 5]", self.local()),
            8 => format!("mixed.b[({index}) & 7]"),
            9 => format!("deeps[({index}) & 3].in[(unsigned)({}) % 3].y", self.local()),
            10 => format!("deeps[(unsigned)({index}) % 6].m.{}", self.rng.pick(&["i", "b[5]", "l", "s[1]"])),
            11 => format!("deeps[(unsigned)({index}) % 6].tail[{} & 1]", self.local()),
            _ => format!("(small + 1)[({index}) & 7]"),
        }
    }

    fn place(&mut self) -> String {
        match self.rng.below(6) {
            0 | 1 => self.local(),
            2 | 3 => self.element(),
            _ => self.rng.pick(&PLACES).to_owned(),
        }
    }

    fn literal(&mut self) -> String {
        match self.rng.below(6) {
            0 | 1 => format!("{}", self.rng.below(10)),
            2 => format!("(-{})", self.rng.below(300)),
            3 => format!("{}u", self.rng.below(1 << 32)),
            4 => format!("{}LL", self.rng.below(1 << 40)),
            _ => format!("0x{:x}", self.rng.below(1 << 16)),
        }
    }

    fn int(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.rng.below(5) {
                0 => self.literal(),
                1 => self.rng.pick(&PLACES).to_owned(),
                _ => self.local(),
            };
        }
        let d = depth - 1;
        match self.rng.below(24) {
            0..=4 => format!("({} {} {})", self.int(d), self.rng.pick(&["+", "-", "^", "&", "|"]), self.int(d)),
            5 => format!("({} * {})", self.int(d), self.rng.below(20)),
            6 => format!("({} << ({} & 7))", self.int(d), self.int(d)),
            7 => format!("({} >> ({} & 15))", self.int(d), self.int(d)),
            8 => format!("({} {} {})", self.int(d), self.rng.pick(&["/", "%"]), 1 + self.rng.below(9)),
            9 => format!("({} {} ((short)({}) | 1))", self.int(d), self.rng.pick(&["/", "%"]), self.int(d)),
            10 | 11 => self.comparison(d),
            12 => format!("({}{})", self.rng.pick(&["- ", "~", "!"]), self.int(d)),
            13 => format!("(({})({}))", self.rng.pick(&INTEGERS), self.int(d)),
            14 => format!("({} ? {} : {})", self.comparison(d), self.int(d), self.int(d)),
            15 => self.truncated(d),
            16 => format!("text[(unsigned)({}) % 6]", self.int(d)),
            17 => format!("(int)(&small[(unsigned)({}) % 10] - &small[1])", self.int(d)),
            18 => format!("(&pairs[(unsigned)({}) % 80] < &pairs[{}])", self.int(d), self.rng.below(80)),
            19 => self.call(d),
            _ => self.element(),
        }
    }

    fn call(&mut self, depth: u32) -> String {
        let (a, b) = (self.int(depth), self.int(depth));
        let function = match self.rng.below(8) {
            0 => return format!("even(({a}) & 7)"),
            1 => return format!("swap(pairs[(unsigned)({a}) % 80]).{}", self.rng.pick(&["x", "y"])),
            2 => format!("table[(unsigned)({a}) % 3]"),
            3 => "chosen".into(),
            _ => self.rng.pick(&["twice", "pick", "count", "descend"]).to_owned(),
        };
        format!("{function}({a}, {b})")
    }

    fn comparison(&mut self, depth: u32) -> String {
        let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.rng.below(5) {
            0 => format!("({} {op} {})", self.float(depth), self.float(depth)),
            1 => format!("({} {} {})", self.int(depth), self.rng.pick(&["&&", "||"]), self.int(depth)),
            _ => format!("({} {op} {})", self.int(depth), self.int(depth)),
        }
    }

    fn float(&mut self, depth: u32) -> String {
        match self.rng.below(if depth == 0 { 7 } else { 13 }) {
            0 => "number".into(),
            1 => "single".into(),
            2 => self.rng.pick(&["1.5", "0.1f", "(-2.25)", "1e10", "0x1p-140f", "3.0f"]).into(),
            3 => format!("doubles[(unsigned)({}) % 12]", self.local()),
            4 => format!("floats[(unsigned)({}) % 80]", self.local()),
            5 => self.rng.pick(&["mixed.f", "mixed.d", "deeps[1].m.f"]).into(),
            6 => format!("({}){}", self.rng.pick(&["float", "double"]), self.local()),
            7 | 8 => {
                format!("({} {} {})", self.float(depth - 1), self.rng.pick(&["+", "-", "*"]), self.float(depth - 1))
            }
            9 => format!("(-{})", self.float(depth - 1)),
            10 => {
                let function = self.rng.pick(&["fabs", "floor", "ceilf", "trunc", "rint"]);
                format!("{function}({})", self.float(depth - 1))
            }
            11 => {
                let function = self.rng.pick(&["fmin", "fmaxf"]);
                format!("{function}({}, {})", self.float(depth - 1), self.float(depth - 1))
            }
            _ => format!("({})({})", self.rng.pick(&["float", "double"]), self.float(depth - 1)),
        }
    }

    /// An integer from a float that fits.
    fn truncated(&mut self, depth: u32) -> String {
        let ty = self.rng.pick(&["int", "long long", "unsigned", "short"]);
        let value = self.float(depth.min(1));
        format!("(({value}) >= 0 && ({value}) < 30000.0f ? ({ty})({value}) : {})", self.rng.below(5))
    }

    fn block(&mut self, statements: u64, depth: u32) {
        let keep = self.locals.len();
        for _ in 0..statements {
            self.statement(depth);
        }
        self.locals.truncate(keep);
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 13 } else { 25 }) {
            0..=2 => {
                let (value, op) = (self.int(2), self.rng.pick(&["=", "=", "=", "+=", "^=", "-="]));
                let place = self.place();
                self.line(&format!("{place} {op} {value};"));
            }
            3 if depth > 1 => self.input(),
            3 | 4 => {
                let (place, input) = (self.place(), self.rng.pick(&INPUTS));
                self.line(&format!("{place} = __VERIFIER_nondet_{input}();"));
            }
            5 => self.float_statement(),
            6 => self.pointer_statement(),
            7 => self.copy_statement(),
            8 => self.block_function(),
            9 => {
                let (ty, value, name) = (self.rng.pick(&INTEGERS), self.int(2), self.fresh("v"));
                self.line(&format!("{ty} {name} = {value};"));
                self.locals.push(name);
            }
            10 if self.loops > 0 => {
                let (condition, jump) = (self.comparison(1), self.rng.pick(&["break", "continue"]));
                self.line(&format!("if ({condition}) {jump};"));
            }
            10 | 11 => {
                let (place, op) = (self.place(), self.rng.pick(&["++", "--"]));
                self.line(&format!("({place}){op};"));
            }
            12 => {
                let (function, value) = (self.rng.pick(&["twice", "pick", "count", "descend"]), self.local());
                self.line(&format!("if ({value} > 100) chosen = {function};"));
            }
            13..=15 => {
                let condition = self.comparison(1);
                self.line(&format!("if ({condition}) {{"));
                let statements = 1 + self.rng.below(2);
                self.block(statements, depth - 1);
                if self.rng.below(2) == 0 {
                    self.line("} else {");
                    self.block(1, depth - 1);
                }
                self.line("}");
            }
            16 => self.loop_statement(depth - 1),
            17 => self.switch_statement(depth - 1),
            18 => self.heap_statement(),
            19 => self.list_statement(),
            20 => self.walk_statement(),
            21 => self.address_statement(),
            _ => self.rare_statement(depth - 1),
        }
    }

    /// Features that few programs use.
    fn rare_statement(&mut self, depth: u32) {
        let (value, local, name) = (self.int(1), self.local(), self.fresh("r"));
        let text = match self.rng.below(12) {
            0 => {
                format!("where[({value}) & 3] = &small[{}]; *where[(unsigned)({local}) % 6] += 2;", self.rng.below(10))
            }
            1 => format!("*larger(&small[({value}) & 7], where[{}]) = {local};", self.rng.below(6)),
            2 => format!("global += ticks(); if (ticks() % 3 == (({value}) & 1)) octet = 1;"),
            3 => format!("longer = longer * 2 + (({value}) & 255); if (longer > 300) {local} = (int)longer;"),
            4 => format!("{{ word {name} = (word)&small[2]; {name} += 4; *(int *){name} = {value}; }}"),
            5 => format!(
                "{{ int *{name}; memcpy(&{name}, &where[{}], sizeof {name}); *{name} = {value}; }}",
                self.rng.below(6)
            ),
            6 => format!(
                "{{ int {name}[1 + (({value}) & 3)]; {name}[0] = {local}; {name}[({value}) & 3] = 8; global = {name}[0]; }}"
            ),
            7 => format!(
                "{{ int *{name} = alloca(40); {name}[(unsigned)({value}) % 10] = 5; *{name} = {local}; \
                 global += *{name}; }}"
            ),
            8 => format!("if (isnan(number)) flag = 0; {local} = abs((short)({value}));"),
            9 => format!(
                "{{ union {{ int *p; word w; }} {name}; {name}.p = where[2]; if ({name}.w != 0) *{name}.p = {value}; }}"
            ),
            10 => format!("{name}: if (({value}) > 5 && global < 40) {{ global += 37; {local} += 1; goto {name}; }}"),
            _ => {
                self.line(&format!("if ({value}) goto {name};"));
                self.block(1, depth);
                format!("{name}: ;")
            }
        };
        self.line(&text);
    }

    fn float_statement(&mut self) {
        let value = self.float(2);
        let place = match self.rng.below(7) {
            0 => "number".to_owned(),
            1 => "single".into(),
            2 => format!("doubles[(unsigned)({}) % 12]", self.local()),
            3 => format!("floats[(unsigned)({}) % 80]", self.local()),
            4 => "mixed.f".into(),
            5 => "number = __VERIFIER_nondet_double(); single".into(),
            _ => "single = __VERIFIER_nondet_float(); mixed.d".into(),
        };
        self.line(&format!("{place} = {value};"));
    }

    fn pointer_statement(&mut self) {
        let index = self.int(1);
        let text = match self.rng.below(8) {
            0 => format!("target = &small[(unsigned)({index}) % 10];"),
            1 => format!("target = &pairs[(unsigned)({index}) % 80].y;"),
            2 => format!("target = ({index}) > 5 ? &global : &nodes[1].v;"),
            3 => format!("target = &grid[({index}) & 3][2];"),
            4 => format!("if (target >= small && target < small + 9) target++; *target = {index};"),
            5 => format!("put(&small[({index}) & 7], {}); put(target, {index});", self.local()),
            6 => format!("{{ char *c = (char *)target; c[({index}) & 3] = {}; }}", self.local()),
            _ => format!("{{ int **pp = &target; **pp = {index}; *pp = &deeps[({index}) & 1].in[2].y; }}"),
        };
        self.line(&text);
    }

    fn copy_statement(&mut self) {
        let index = self.int(1);
        let text = match self.rng.below(7) {
            0 => format!("nodes[(unsigned)({index}) % 5] = nodes[{}];", self.rng.below(2)),
            1 => format!("pairs[(unsigned)({index}) % 80] = pairs[{}];", self.rng.below(80)),
            2 => format!("pairs[{}] = swap(pairs[(unsigned)({index}) % 80]);", self.rng.below(80)),
            3 => format!("deeps[{}] = deeps[(unsigned)({index}) % 6];", self.rng.below(6)),
            4 => format!("{{ struct bits other = fields; other.b = {index}; fields = other; }}"),
            5 => {
                format!("{{ union mix other = mixed; other.b[2] = {index}; deeps[{}].m = other; }}", self.rng.below(6))
            }
            _ => format!("deeps[({index}) & 3].in[1] = (struct pair){{ .y = {} }};", self.local()),
        };
        self.line(&text);
    }

    fn block_function(&mut self) {
        let value = self.int(1);
        let text = match self.rng.below(9) {
            0 => format!("memset(middle, {value}, sizeof middle);"),
            1 => "memset(small, 0, sizeof small);".into(),
            2 => format!("memset(bytes + {}, {value}, {});", self.rng.below(100), self.rng.below(100)),
            3 => "memcpy(small, grid, sizeof small);".into(),
            4 => format!("memcpy(&pairs[{}], &pairs[(unsigned)({value}) % 80], sizeof pairs[0]);", self.rng.below(80)),
            5 => format!("memset(&nodes[({value}) & 3], 0, sizeof nodes[0]);"),
            6 => format!("memcpy(bytes + (({value}) & 63), &mixed, {});", self.rng.below(9)),
            7 => "memcpy(&mixed, text, 6);".into(),
            _ => format!("memcpy(&wide[({value}) & 31], &deeps[1], sizeof deeps[1] & ~7u);"),
        };
        self.line(&text);
    }

    fn loop_statement(&mut self, depth: u32) {
        let (i, bound) = (self.fresh("i"), 1 + self.rng.below(5));
        let keep = self.locals.len();
        let limit = if self.rng.below(2) == 0 { format!("({} & {bound})", self.local()) } else { bound.to_string() };
        let brace = match self.rng.below(3) {
            0 => format!("for (int {i} = 0; {i} < {limit}; {i}++) {{"),
            1 => format!("int {i} = {limit}; while ({i}-- > 0) {{"),
            _ => format!("int {i} = 0; do {{ {i} += 1; if ({i} > 4) break;"),
        };
        let is_do = brace.contains("do {");
        let text = format!("{{ {brace}");
        self.line(&text);
        self.loops += 1;
        // The counter may be read only: a name that `place` does not know.
        let statements = 1 + self.rng.below(2);
        self.block(statements, depth);
        let local = self.local();
        self.line(&format!("{local} += small[{i} & 7];"));
        self.loops -= 1;
        self.locals.truncate(keep);
        self.line(&if is_do { format!("}} while ({i} < {limit}); }}") } else { "} }".to_owned() });
    }

    fn switch_statement(&mut self, depth: u32) {
        let value = self.int(1);
        self.line(&format!("switch (({value}) & 7) {{"));
        for label in ["case 0:", "case 5: case 1:", "case 3:", "default:"] {
            self.line(&format!("{label} {{"));
            self.block(1, depth.min(1));
            let end = if self.rng.below(3) == 0 { "}" } else { "} break;" };
            self.line(end);
        }
        self.line("}");
    }

    fn heap_statement(&mut self) {
        let (h, index, value) = (self.fresh("h"), self.int(1), self.int(1));
        let text = match self.rng.below(4) {
            0 => format!(
                "{{ int *{h} = malloc(5 * sizeof(int)); for (int k = 0; k < 5; k++) {h}[k] = k * 3; \
                 {h}[(unsigned)({index}) % 5] = {value}; global = {h}[(unsigned)({value}) % 5]; free({h}); }}"
            ),
            1 => format!(
                "{{ unsigned n = 1 + (({index}) & 3); short *{h} = calloc(n, sizeof(short)); \
                 {h}[(unsigned)({value}) % n] = {value}; octet = {h}[n - 1]; free({h}); }}"
            ),
            2 => format!(
                "{{ unsigned n = 2 + (({index}) & 15); int *{h} = malloc(n * sizeof(int)); \
                 {h}[0] = 3; {h}[n - 1] = {value}; if ({h}[0] == 3) global = {h}[n - 1]; free({h}); }}"
            ),
            _ => format!(
                "{{ struct pair *{h} = malloc(100 * sizeof(struct pair)); memset({h}, 0, 100 * sizeof(struct pair)); \
                 {h}[(unsigned)({index}) % 100].y = {value}; global = {h}[(unsigned)({value}) % 100].y; free({h}); }}"
            ),
        };
        self.line(&text);
    }

    fn list_statement(&mut self) {
        let (head, length, value) = (self.fresh("head"), self.int(0), self.int(1));
        self.line(&format!(
            "{{ struct node *{head} = 0; for (int k = 0; k < (int)(({length}) & 3); k++) {{ \
             struct node *n = malloc(sizeof(struct node)); n->v = k + {value}; n->next = {head}; n->tag = k; {head} = n; }} \
             for (struct node *n = {head}; n; n = n->next) if (n->v > 10) global += n->v; else octet++; \
             while ({head}) {{ struct node *n = {head}->next; free({head}); {head} = n; }} }}"
        ));
    }

    fn walk_statement(&mut self) {
        let value = self.int(1);
        let text = match self.rng.below(3) {
            0 => format!("for (int *q = small; q < small + 10; q += 3) if (*q == ({value})) *q = 0; else *q += 1;"),
            1 => format!("for (const char *c = text; *c; c++) octet += (*c == (char)({value}));"),
            _ => format!("for (struct pair *q = pairs; q - pairs < 3; q++) q->x = q->y + ({value});"),
        };
        self.line(&text);
    }

    fn address_statement(&mut self) {
        let (a, b, value) = (self.fresh("a"), self.fresh("b"), self.int(1));
        let local = self.local();
        self.line(&format!(
            "{{ int {a} = {value}; long long {b}[3] = {{ 1, {local} }}; int *p = ({local}) > 3 ? &{a} : &global; *p += 2; \
             long long *q = &{b}[({value}) & 1]; *q -= {a}; put(&{a}, (int){b}[1]); if ({a} == {b}[0]) {local} = 1; \
             short s; *(unsigned char *)&s = {a}; ((unsigned char *)&s)[1] = {value}; middle[99] = s; }}"
        ));
    }
}
