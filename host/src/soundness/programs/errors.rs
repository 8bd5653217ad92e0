//! Random programs that are small enough for analyses that refine or follow paths: calls of `reach_error` behind
//! conditions, many of which no execution satisfies; loops, calls, recursion, pointers, structs, casts, wrap-around,
//! uninitialised locals.

use super::Rng;

const DECLARATIONS: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void); extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void); extern long long __VERIFIER_nondet_longlong(void);
struct point { int x; short y; unsigned char tag; };
union both { unsigned word; unsigned char bytes[4]; };
int g = 3, h;
unsigned u = 7;
unsigned char c = 250;
short s = -2;
long long wide = 4000000000LL;
int array[4] = { 1, 2, 3 };
struct point point = { 5, -6, 200 }, other;
union both both;
int *pointer = &g;
static int down(int n, int sum) { if (n <= 0) return sum; return down(n - 1, sum + n); }
static void put(int *where, int what) { *where = what; }
static int saturated(int a) { int r; if (a > 100) r = 100; else if (a < -100) r = -100; else r = a; return r; }
static unsigned step(unsigned from) { u = u + from; return u - 8u; }
static struct point moved(struct point p, int by) { p.x += by; p.tag++; return p; }
";

const TYPES: [&str; 7] = ["int", "unsigned", "unsigned char", "short", "long long", "signed char", "_Bool"];
const INPUTS: [&str; 6] = ["int", "uint", "uchar", "short", "bool", "longlong"];
const PLACES: [&str; 14] = [
    "g",
    "h",
    "u",
    "c",
    "s",
    "wide",
    "array[1]",
    "array[3]",
    "point.x",
    "point.y",
    "point.tag",
    "other.x",
    "both.word",
    "both.bytes[1]",
];
const COMPARE: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// The program that a seed names.
pub fn program(seed: u64) -> String {
    let mut generator = Generator {
        rng: Rng::new(seed ^ 0xe44),
        text: DECLARATIONS.to_owned(),
        names: 0,
        locals: Vec::new(),
        helper: false,
        loops: 0,
    };
    generator.helper();
    generator.main();
    generator.text
}

struct Generator {
    rng: Rng,
    text: String,
    names: u32,
    /// Integer variables in scope.
    locals: Vec<String>,
    /// Whether `helper` may be called.
    helper: bool,
    /// Enclosing loops.
    loops: u32,
}

impl Generator {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn helper(&mut self) {
        self.line("static int helper(int a, unsigned char b)\n{");
        self.locals = vec!["a".into(), "b".into()];
        self.block(2, 1);
        let value = self.int(1);
        self.line(&format!("return {value};\n}}"));
        self.locals.clear();
        self.helper = true;
    }

    fn main(&mut self) {
        self.line("int main(void)\n{");
        self.input();
        let mut flags = Vec::new();
        for _ in 0..3 + self.rng.below(4) {
            self.statement(2);
            if self.rng.below(3) == 0 {
                flags.push(self.flag());
            }
        }
        // An earlier decision still holds; a path-insensitive analysis finds errors here.
        for (flag, value) in flags {
            let wrong = if self.rng.below(5) == 0 { "==" } else { "!=" };
            let extra = if self.rng.below(2) == 0 { String::new() } else { format!(" && {}", self.condition(0)) };
            self.line(&format!("if ({flag} {wrong} {value}{extra}) reach_error();"));
        }
        let (condition, value) = (self.condition(1), self.rng.below(4));
        self.line(&format!("if ({condition} && g == {value}) reach_error();\nreturn 0;\n}}"));
    }

    /// A variable whose value is known whatever happens: its name and value.
    fn flag(&mut self) -> (String, String) {
        let (name, value) = (self.fresh("f"), self.rng.below(5));
        let condition = self.condition(0);
        match self.rng.below(3) {
            0 => self.line(&format!("int {name} = {value};")),
            1 => self.line(&format!("int {name}; if ({condition}) {name} = {value}; else {name} = {};", value)),
            _ => self.line(&format!("int {name} = 0; for (int k = 0; k < {value}; k++) {name}++;")),
        }
        (name, value.to_string())
    }

    fn input(&mut self) {
        let (ty, input, name) = (self.rng.pick(&TYPES), self.rng.pick(&INPUTS), self.fresh("v"));
        self.line(&format!("{ty} {name} = __VERIFIER_nondet_{input}();"));
        self.locals.push(name);
    }

    fn local(&mut self) -> String {
        if self.locals.is_empty() {
            return "h".into();
        }
        let at = self.rng.below(self.locals.len() as u64) as usize;
        self.locals[at].clone()
    }

    fn place(&mut self) -> String {
        match self.rng.below(8) {
            0 => "*pointer".into(),
            1 => format!("array[(unsigned)({}) % 4]", self.local()),
            2 | 3 => self.rng.pick(&PLACES).to_owned(),
            _ => self.local(),
        }
    }

    fn literal(&mut self) -> String {
        match self.rng.below(8) {
            0 => format!("(-{})", self.rng.below(200)),
            1 => self.rng.pick(&["2147483647", "(-2147483647 - 1)", "4294967295u", "255", "128", "32767"]).to_owned(),
            2 => format!("{}u", self.rng.below(300)),
            _ => format!("{}", self.rng.below(8)),
        }
    }

    fn int(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.rng.below(4) {
                0 => self.literal(),
                1 => self.rng.pick(&PLACES).to_owned(),
                _ => self.local(),
            };
        }
        let d = depth - 1;
        match self.rng.below(14) {
            0..=3 => format!("({} {} {})", self.int(d), self.rng.pick(&["+", "-", "+", "&", "|", "^"]), self.int(d)),
            4 => format!("({} * {})", self.int(d), self.rng.below(6)),
            5 => format!("({} {} {})", self.int(d), self.rng.pick(&["/", "%"]), 1 + self.rng.below(9)),
            6 => format!("({} {} {})", self.int(d), self.rng.pick(&["<<", ">>"]), self.rng.below(9)),
            7 | 8 => format!("(({})({}))", self.rng.pick(&TYPES), self.int(d)),
            9 => format!("({}{})", self.rng.pick(&["- ", "~", "!"]), self.int(d)),
            10 => self.condition(d),
            11 => format!("({} ? {} : {})", self.condition(0), self.int(d), self.int(d)),
            12 => self.place(),
            _ => self.literal(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let (op, left) = (self.rng.pick(&COMPARE), self.int(depth));
        let right = if self.rng.below(2) == 0 { self.literal() } else { self.int(0) };
        format!("({left} {op} {right})")
    }

    fn block(&mut self, statements: u64, depth: u32) {
        let keep = self.locals.len();
        for _ in 0..statements {
            self.statement(depth);
        }
        self.locals.truncate(keep);
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 13 } else { 19 }) {
            0..=3 => {
                let (value, op) = (self.int(2), self.rng.pick(&["=", "=", "=", "+=", "-=", "^="]));
                let place = self.place();
                self.line(&format!("{place} {op} {value};"));
            }
            4 if depth > 1 => self.input(),
            4 => {
                let (place, input) = (self.place(), self.rng.pick(&INPUTS));
                self.line(&format!("{place} = __VERIFIER_nondet_{input}();"));
            }
            5 => {
                let (place, op) = (self.place(), self.rng.pick(&["++", "--"]));
                self.line(&format!("({place}){op};"));
            }
            6 | 7 => self.pointer_statement(),
            8 | 9 => self.call_statement(),
            10 => self.uninitialised(),
            11 if self.loops > 0 => {
                let (condition, jump) = (self.condition(0), self.rng.pick(&["break", "continue"]));
                self.line(&format!("if ({condition}) {jump};"));
            }
            11 => self.error(),
            12 if self.rng.below(2) == 0 => self.wrapping(),
            12 => {
                let (ty, value, name) = (self.rng.pick(&TYPES), self.int(1), self.fresh("v"));
                self.line(&format!("{ty} {name} = {value};"));
                self.locals.push(name);
            }
            13..=15 => {
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) {{"));
                self.block(1, depth - 1);
                if self.rng.below(2) == 0 {
                    self.line("} else {");
                    self.block(1, depth - 1);
                }
                self.line("}");
            }
            16 | 17 => self.loop_statement(depth - 1),
            _ => self.switch_statement(depth - 1),
        }
    }

    fn pointer_statement(&mut self) {
        let (value, condition, name) = (self.int(1), self.condition(0), self.fresh("p"));
        let text = match self.rng.below(7) {
            0 => format!("pointer = {condition} ? &g : &array[2]; *pointer = {value};"),
            1 => "pointer = &point.x;".into(),
            2 => format!("{{ int {name} = {value}; int *q = {condition} ? &{name} : &h; *q += 3; h = {name}; }}"),
            3 => format!("{{ int **pp = &pointer; if ({condition}) *pp = &array[1]; **pp = {value}; }}"),
            4 => format!("{{ unsigned char *q = (unsigned char *)&u; q[{}] = {value}; }}", self.rng.below(4)),
            5 => format!("{{ struct point {name} = point; {name}.tag += {value}; other = {name}; }}"),
            _ => format!("put({condition} ? &g : &array[0], {value});"),
        };
        self.line(&text);
    }

    fn call_statement(&mut self) {
        let (value, place) = (self.int(1), self.place());
        let text = match self.rng.below(if self.helper { 7 } else { 4 }) {
            0 => format!("{place} = down({} & 3, {});", self.local(), self.rng.below(5)),
            1 => format!("{place} = saturated({value});"),
            2 => format!("if (step({value}) > 100u) h = 1;"),
            3 => format!("point = moved(point, {value});"),
            _ => format!("{place} = helper({value}, {});", self.local()),
        };
        self.line(&text);
    }

    fn uninitialised(&mut self) {
        let (ty, name) = (self.rng.pick(&["int", "unsigned char", "unsigned", "short"]), self.fresh("x"));
        let (value, condition) = (if self.rng.below(2) == 0 { self.literal() } else { self.int(1) }, self.condition(0));
        // Its earlier value means nothing the next time.
        let around = self.rng.pick(&["", "for (int k = 0; k < 2; k++) ", "if (h != 7) "]);
        self.line(&format!("{around}{{ {ty} {name}; if ({condition}) {name} = {value};"));
        self.line(&format!("if ({name} > 3) h = {name}; else s = {name}; }}"));
    }

    /// A variable that starts near the end of its range.
    fn wrapping(&mut self) {
        let (ty, first, step) = [
            ("unsigned char", "250", "+= 10"),
            ("signed char", "-120", "-= 9"),
            ("short", "32760", "+= 8"),
            ("unsigned", "3u", "-= 4"),
            ("int", "2147483640", "+= 9"),
            ("unsigned short", "2", "-= 3"),
        ][self.rng.below(6) as usize];
        let (name, condition) = (self.fresh("w"), self.condition(0));
        let guard = if self.rng.below(2) == 0 { String::new() } else { format!("if ({condition}) ") };
        self.line(&format!("{ty} {name} = {first}; {guard}{name} {step}; if ({name} > 100) h = {name};"));
        self.locals.push(name);
    }

    fn error(&mut self) {
        let (first, second, value) = (self.condition(1), self.condition(0), self.rng.below(3));
        self.line(&format!("if ({first} && {second} && h == {value}) reach_error();"));
    }

    fn loop_statement(&mut self, depth: u32) {
        let (i, bound) = (self.fresh("i"), 1 + self.rng.below(4));
        let limit = if self.rng.below(3) == 0 { format!("(int)({} & 3)", self.local()) } else { bound.to_string() };
        self.loops += 1;
        match self.rng.below(3) {
            0 => {
                self.line(&format!("for (int {i} = 0; {i} < {limit}; {i}++) {{"));
                self.block(1, depth);
                self.line("}");
            }
            1 => {
                self.line(&format!("{{ unsigned {i} = {limit}; while ({i}-- > 0) {{"));
                self.block(1, depth);
                self.line("} }");
            }
            _ => {
                let (first, last) = (250 + self.rng.below(6), self.rng.below(2));
                self.line(&format!("{{ unsigned char {i} = {first}; do {{ {i}++;"));
                self.block(1, depth);
                self.line(&format!("}} while ({i} != {last}); }}"));
            }
        }
        self.loops -= 1;
    }

    fn switch_statement(&mut self, depth: u32) {
        let value = self.int(1);
        self.line(&format!("switch (({value}) & 3) {{"));
        for label in ["case 0:", "case 2:", "default:"] {
            self.line(&format!("{label} {{"));
            // A `break` in here would be the switch's own.
            let loops = std::mem::take(&mut self.loops);
            self.block(1, depth.min(1));
            self.loops = loops;
            let end = if self.rng.below(3) == 0 { "}" } else { "} break;" };
            self.line(end);
        }
        self.line("}");
    }
}

#[cfg(test)]
mod tests {
    use crate::frontend::load_text;

    #[test]
    fn all_of_them_are_read_and_call_errors() {
        for seed in 0..60 {
            let (text, model) = super::super::program(seed);
            let program = load_text(&text, "p.c", model).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
            assert!(program.unsupported.is_empty(), "{text}");
            assert!(text.contains(") reach_error();"), "{text}");
        }
    }
}
