//! Random C programs without undefined behaviour, for differential tests: integers of all types, floats, arrays,
//! structs with bit-fields, pointers, loops, switches, jumps, short circuits and calls with side effects.

use std::fmt::Write as _;
pub use tandem::soundness::programs::Rng;
use tandem_plugin_api::program::Program;

const INT_TYPES: [&str; 11] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
];

/// Whether the front end refuses the program since gcc folds an expression of it: it exchanges operands whose order C leaves open, or
/// leaves out a division.
pub fn is_folded_by_gcc(program: &Program) -> bool {
    let folded = ["operands whose order C leaves open", "division that gcc leaves out"];
    program.unsupported.iter().any(|place| folded.iter().any(|what| place.what.starts_with(what)))
}

/// A whole program whose `main` prints a checksum of everything it computed.
pub fn program(seed: u64) -> String {
    let mut generator = generator(seed);
    generator.main();
    generator.text
}

/// The same without printing, on test inputs: they are the functions' arguments and the first values of some globals.
pub fn program_with_inputs(seed: u64) -> String {
    let mut generator = generator(seed);
    generator.main_with_inputs();
    generator.text
}

/// With everything but `main` written.
fn generator(seed: u64) -> Generator {
    let mut generator = Generator {
        rng: Rng::new(seed),
        text: String::new(),
        names: 0,
        scope: Vec::new(),
        calls: 0,
        jumps: 0,
        private: false,
    };
    generator.globals();
    for function in 0..5 {
        generator.function(function);
    }
    generator
}

fn has_call(text: &str) -> bool {
    text.contains("table[") || (0..5).any(|f| text.contains(&format!("f{f}(")))
}

struct Generator {
    rng: Rng,
    text: String,
    names: u32,
    /// Integer variables that may be read and written here.
    scope: Vec<String>,
    /// Functions that may be called.
    calls: u32,
    /// Enclosing loops and switches, for `break`.
    jumps: u32,
    /// Only constants and locals may be read: C leaves open whether a global is read before or after a call beside it.
    private: bool,
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

    fn globals(&mut self) {
        self.line("extern int printf(const char *, ...);");
        self.line("struct inner { short p; signed char q[3]; };");
        self.line("struct S { int a; unsigned b : 3; int c : 7; unsigned char d; long long e; unsigned f : 17;");
        self.line("  struct inner in; union { int u1; unsigned char u2[4]; }; _Bool g : 1; };");
        self.line("static struct S gs = { .b = 5, .c = -3, .e = 1234567890123LL, .in = { 7, { 1, -2 } }, .u1 = -1 };");
        self.line("static struct S gt = { 1, 2, 3, 4, 5, 6, 7, 8, [2] = 9 };".replace(", [2] = 9", "").as_str());
        self.line("static double gd = 0.5; static float gf = 3.25f;");
        for i in 0..10 {
            let ty = self.rng.pick(&INT_TYPES);
            let value = self.literal();
            self.line(&format!("static {ty} g{i} = ({ty}){value};"));
            self.scope.push(format!("g{i}"));
        }
        for i in 0..3 {
            let ty = self.rng.pick(&INT_TYPES[1..]);
            self.line(&format!("static {ty} ga{i}[8] = {{ 1, 2, [4] = 7, -3 }};"));
        }
        self.line("static int matrix[3][4] = { { 1, 2 }, 3, 4, 5, 6, { 9 } };");
        self.line("static int gi = 11; static int *gp = &gi; static int *gq = &matrix[1][2];");
        self.line("static const char text[] = \"ab\\x41\" \"c\";");
        self.scope.extend(
            ["gs.a", "gs.b", "gs.c", "gs.d", "gs.e", "gs.f", "gs.g", "gs.in.p", "gs.u1", "gi", "*gp"].map(String::from),
        );
    }

    fn literal(&mut self) -> String {
        match self.rng.below(8) {
            0 => format!("{}", self.rng.below(10)),
            1 => format!("({}-{})", "", self.rng.below(200)),
            2 => format!("{}u", self.rng.below(1 << 32)),
            3 => format!("0x{:x}", self.rng.below(1 << 32)),
            4 => format!("{}L", self.rng.below(1 << 31)),
            5 => format!("{}LL", self.rng.below(1 << 62)),
            6 => self.rng.pick(&["'a'", "'\\n'", "'\\377'", "'\\x7f'"]).to_owned(),
            _ => format!("{}", self.rng.below(1 << 31)),
        }
    }

    fn is_private(name: &str) -> bool {
        matches!(name, "x" | "y") || name.starts_with('v')
    }

    /// Both operands of an operator; beside a call, the other one reads nothing that the call may change.
    fn operands(&mut self, depth: u32, call: bool) -> (String, String) {
        let left_calls = self.rng.below(2) == 0;
        let calling = self.int(depth, call);
        let saved = self.private;
        self.private |= has_call(&calling);
        let other = self.int(depth, false);
        self.private = saved;
        if left_calls { (calling, other) } else { (other, calling) }
    }

    fn place(&mut self) -> String {
        if self.private {
            return self.leaf();
        }
        match self.rng.below(8) {
            0 => format!("ga{}[{}]", self.rng.below(3), self.index()),
            1 => format!("matrix[{} % 3u][{} & 3]", self.unsigned_leaf(), self.leaf()),
            2 => format!("(gq + ({} & 3))[-1]", self.leaf()),
            _ => {
                let at = self.rng.below(self.scope.len() as u64) as usize;
                self.scope[at].clone()
            }
        }
    }

    fn index(&mut self) -> String {
        format!("{} & 7", self.leaf())
    }

    fn unsigned_leaf(&mut self) -> String {
        format!("(unsigned)({})", self.leaf())
    }

    fn leaf(&mut self) -> String {
        let at = self.rng.below(self.scope.len() as u64) as usize;
        let usable = !self.private || Self::is_private(&self.scope[at]);
        if self.rng.below(3) == 0 || !usable {
            return self.literal();
        }
        self.scope[at].clone()
    }

    /// An integer expression. At most one operand may call (`call`), since C leaves the order of two open.
    fn int(&mut self, depth: u32, call: bool) -> String {
        if depth == 0 {
            return if self.rng.below(4) == 0 { self.place() } else { self.leaf() };
        }
        let d = depth - 1;
        let choice = self.rng.below(17);
        if let 0 | 1 | 4 | 5 = choice {
            let op = match choice {
                0 => self.rng.pick(&["+", "-", "*"]),
                1 => self.rng.pick(&["&", "|", "^"]),
                _ => self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]),
            };
            let (left, right) = self.operands(d, call);
            return format!("({left} {op} {right})");
        }
        if let 2 | 3 = choice {
            let (left, right) = self.operands(d, call);
            return match (choice, self.rng.below(2)) {
                (2, 0) => format!("({left} << ({right} & 7))"),
                (2, _) => format!("({left} >> ({right} & 7))"),
                (_, 0) => format!("({left} / (({right} & 15) + 1))"),
                (_, _) => format!("({left} % (({right} & 15) + 1))"),
            };
        }
        match choice {
            6 => format!("({} {} {})", self.int(d, call), self.rng.pick(&["&&", "||"]), self.int(d, call)),
            7 => format!("({} ? {} : {})", self.int(d, call), self.int(d, call), self.int(d, call)),
            8 => format!("({}{})", self.rng.pick(&["-", "~", "!", "+"]), self.int(d, call)),
            9 => format!("(({}){})", self.rng.pick(&INT_TYPES), self.int(d, call)),
            10 => format!("({}, {})", self.int(d, call), self.int(d, call)),
            11 => format!("(int)sizeof(+{})", self.int(d, false)),
            12 if call && self.calls > 0 => self.call(d),
            13 if !self.private => {
                format!("({} {} {})", self.float(d), self.rng.pick(&["<", ">=", "!="]), self.float(d))
            }
            14 => format!("text[{} & 3]", self.int(d, false)),
            15 => format!("(&ga1[7] - &ga1[{} & 7])", self.int(d, false)),
            _ => self.place(),
        }
    }

    fn float(&mut self, depth: u32) -> String {
        match if depth == 0 { self.rng.below(3) } else { self.rng.below(6) } {
            0 => "gd".into(),
            1 => "gf".into(),
            2 => self.rng.pick(&["1.5", "0.1f", "(-2.25)", "1e10", "0x1.8p3"]).into(),
            3 => format!(
                "({} {} {})",
                self.float(depth - 1),
                self.rng.pick(&["+", "-", "*", "/"]),
                self.float(depth - 1)
            ),
            4 => format!("({}){}", self.rng.pick(&["float", "double"]), self.int(depth - 1, false)),
            _ => format!("(- {})", self.float(depth - 1)),
        }
    }

    fn call(&mut self, depth: u32) -> String {
        let function = self.rng.below(self.calls.into());
        let (a, b) = (self.int(depth.min(1), false), self.int(depth.min(1), false));
        let name = if self.rng.below(4) == 0 { format!("table[{function}]") } else { format!("f{function}") };
        format!("{name}({a}, {b})")
    }

    fn function(&mut self, number: u32) {
        let (result, first) = ("long long", "int");
        let keep = self.scope.len();
        self.line(&format!("static {result} f{number}({first} x, unsigned char y)\n{{"));
        self.scope.extend(["x".to_owned(), "y".to_owned()]);
        self.block(4, 3);
        let value = self.int(2, true);
        self.line(&format!("return {value};\n}}"));
        self.scope.truncate(keep);
        self.calls = number + 1;
        let names: Vec<_> = (0..=number).map(|n| format!("f{n}")).collect();
        let _ = writeln!(
            self.text,
            "#undef table\n#define table ((long long (*[])(int, unsigned char)){{ {} }})",
            names.join(", ")
        );
    }

    fn block(&mut self, statements: u32, depth: u32) {
        let keep = self.scope.len();
        for _ in 0..statements {
            self.statement(depth);
        }
        self.scope.truncate(keep);
    }

    fn statement(&mut self, depth: u32) {
        let choice = if depth == 0 { self.rng.below(6) } else { self.rng.below(15) };
        match choice {
            0 | 1 => {
                let value = self.int(2, true);
                let mut op = self.rng.pick(&["=", "=", "+=", "-=", "*=", "&=", "|=", "^="]);
                let place = self.place();
                if has_call(&value) && !Self::is_private(&place) {
                    op = "=";
                }
                self.line(&format!("{place} {op} {value};"));
            }
            2 => {
                let (place, op) = (self.place(), self.rng.pick(&["++", "--"]));
                let text = if self.rng.below(2) == 0 { format!("{place}{op};") } else { format!("{op}{place};") };
                self.line(&text.replace("++*gp", "++(*gp)").replace("*gp++", "(*gp)++").replace("*gp--", "(*gp)--"));
            }
            3 => {
                let value = self.float(2);
                let target = self.rng.pick(&["gd", "gf"]);
                self.line(&format!("{target} = {value};"));
            }
            4 => {
                let ty = self.rng.pick(&INT_TYPES);
                let (name, value) = (self.fresh("v"), self.int(2, true));
                self.line(&format!("{ty} {name} = {value};"));
                self.scope.push(name);
            }
            5 => self.line(if depth.is_multiple_of(2) { "gt = gs;" } else { "gs.in = gt.in;" }),
            6 | 7 => self.if_statement(depth - 1),
            8 => self.for_statement(depth - 1),
            9 => self.while_statement(depth - 1),
            10 => self.switch_statement(depth - 1),
            11 if self.jumps > 0 => {
                let condition = self.int(1, false);
                self.line(&format!("if ({condition}) break;"));
            }
            12 => self.jump_forward(depth - 1),
            13 => {
                let (place, value, inner) = (self.place(), self.int(1, false), self.int(1, false));
                self.line(&format!("{place} = ({{ int se = {value}; se += {inner}; se; }});"));
            }
            _ => {
                self.line("{");
                self.block(2, depth - 1);
                self.line("}");
            }
        }
    }

    fn if_statement(&mut self, depth: u32) {
        let condition = self.int(2, true);
        self.line(&format!("if ({condition}) {{"));
        self.block(2, depth);
        if self.rng.below(2) == 0 {
            self.line("} else {");
            self.block(2, depth);
        }
        self.line("}");
    }

    fn for_statement(&mut self, depth: u32) {
        let (i, bound) = (self.fresh("i"), self.rng.below(4) + 1);
        self.line(&format!("for (int {i} = 0; {i} < {bound}; {i}++) {{"));
        self.jumps += 1;
        if self.rng.below(3) == 0 {
            let condition = self.int(1, false);
            self.line(&format!("if ({condition}) continue;"));
        }
        self.block(2, depth);
        self.jumps -= 1;
        self.line("}");
    }

    fn while_statement(&mut self, depth: u32) {
        let i = self.fresh("w");
        let condition = self.int(1, true);
        self.line(&format!("{{ int {i} = 3;"));
        self.jumps += 1;
        if self.rng.below(2) == 0 {
            self.line(&format!("while ({i}-- > 0 && {condition}) {{"));
            self.block(2, depth);
            self.line("} }");
        } else {
            self.line("do {");
            self.block(2, depth);
            self.line(&format!("}} while (--{i} > 0 || ({i} > 0 && {condition})); }}"));
        }
        self.jumps -= 1;
    }

    fn switch_statement(&mut self, depth: u32) {
        let value = self.int(2, true);
        self.line(&format!("switch ({value} & 7) {{"));
        self.jumps += 1;
        for case in 0..4 {
            let label = if case == 2 { "case 2 ... 4:".to_owned() } else { format!("case {}:", case * 3 % 8) };
            self.line(&label.replace("case 3:", "case 5:"));
            self.line("{");
            self.block(1, depth);
            let end = if self.rng.below(2) == 0 { "} break;" } else { "}" };
            self.line(end);
        }
        self.line("default: ;");
        self.jumps -= 1;
        self.line("}");
    }

    fn jump_forward(&mut self, depth: u32) {
        let (label, condition) = (self.fresh("L"), self.int(1, false));
        self.line(&format!("if ({condition}) goto {label};"));
        self.line("{");
        self.block(2, depth);
        self.line("}");
        self.line(&format!("{label}: ;"));
    }

    fn main(&mut self) {
        self.line("int main(void)\n{");
        self.line("for (int round = 0; round < 3; round++) {");
        for f in 0..5 {
            let (a, b) = (self.rng.below(300), self.rng.below(300));
            self.line(&format!("printf(\"f{f} %lld\\n\", f{f}({a} - round * 100, {b}));"));
        }
        self.line("}");
        for i in 0..10 {
            self.line(&format!("printf(\"g{i} %lld\\n\", (long long)g{i});"));
        }
        self.line("for (int i = 0; i < 8; i++) printf(\"%lld %lld %lld\\n\", (long long)ga0[i], (long long)ga1[i], (long long)ga2[i]);");
        self.line("for (int i = 0; i < 12; i++) printf(\"%d \", matrix[i / 4][i % 4]);");
        self.line("printf(\"%d %d %d %d %lld %d %d %d %d %d\\n\", gs.a, gs.b, gs.c, gs.d, gs.e, gs.f, gs.in.p, gs.in.q[1], gs.u2[2], gs.g);");
        self.line("printf(\"%d %d %d %lld %d\\n\", gt.a, gt.b, gt.c, gt.e, gt.u1);");
        self.line("printf(\"%a %a %d\\n\", gd, (double)gf, gi);");
        self.line("return 0;\n}");
    }

    fn main_with_inputs(&mut self) {
        self.line("extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);");
        self.line("extern double __VERIFIER_nondet_double(void);");
        self.line("static long long results[5];\nint main(void)\n{");
        for _ in 0..3 {
            let place = match self.rng.below(4) {
                0 => "gd = __VERIFIER_nondet_double();".to_owned(),
                1 => format!("ga{}[{}] = __VERIFIER_nondet_int();", self.rng.below(3), self.rng.below(8)),
                _ => format!("g{} = __VERIFIER_nondet_int();", self.rng.below(10)),
            };
            self.line(&place);
        }
        for _ in 0..1 + self.rng.below(2) {
            let f = self.rng.below(5);
            self.line(&format!("results[{f}] = f{f}(__VERIFIER_nondet_int(), __VERIFIER_nondet_uchar());"));
        }
        self.line("return 0;\n}");
    }
}
