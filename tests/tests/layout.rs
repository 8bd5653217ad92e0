//! Layout of random structs and unions (bit-fields, packing, alignment, nesting) against gcc, in both data models.

use std::fmt::Write as _;
use std::process::Command;
use tandem::frontend::load_text;
use tandem_plugin_api::program::*;
use tandem_tests::random_c::Rng;

const SCALARS: [&str; 12] = [
    "char",
    "short",
    "int",
    "long",
    "long long",
    "unsigned char",
    "float",
    "double",
    "long double",
    "void *",
    "_Bool",
    "unsigned",
];
const BIT_TYPES: [(&str, u64); 7] =
    [("char", 8), ("short", 16), ("int", 32), ("unsigned", 32), ("long long", 64), ("_Bool", 1), ("unsigned char", 8)];
const STRUCTS: usize = 120;

/// Declares `s0` to `s<STRUCTS-1>`; returns the text and the names of their ordinary members.
fn declarations(seed: u64) -> (String, Vec<Vec<String>>) {
    let mut rng = Rng::new(seed);
    let (mut text, mut names) = (String::new(), Vec::new());
    for number in 0..STRUCTS {
        let kind = if rng.below(5) == 0 { "union" } else { "struct" };
        let mut members = Vec::new();
        let _ = write!(text, "typedef {kind} {{ ");
        for member in 0..rng.below(6) + 1 {
            match rng.below(8) {
                0..3 => {
                    let (ty, bits) = BIT_TYPES[rng.below(BIT_TYPES.len() as u64) as usize];
                    let width = rng.below(bits) + 1;
                    match rng.below(8) {
                        0 => drop(write!(text, "{ty} : {width}; ")),
                        1 => drop(write!(text, "{ty} : 0; ")),
                        _ => drop(write!(text, "{ty} b{member} : {width}; ")),
                    }
                }
                3 if number > 0 => {
                    let _ = write!(text, "s{} m{member}; ", rng.below(number as u64));
                    members.push(format!("m{member}"));
                }
                4 => {
                    let _ = write!(text, "{} m{member}[{}]; ", rng.pick(&SCALARS), rng.below(4) + 1);
                    members.push(format!("m{member}"));
                }
                5 => {
                    let align = 1 << rng.below(5);
                    let _ = write!(text, "{} m{member} __attribute__((aligned({align}))); ", rng.pick(&SCALARS));
                    members.push(format!("m{member}"));
                }
                _ => {
                    let _ = write!(text, "{} m{member}; ", rng.pick(&SCALARS));
                    members.push(format!("m{member}"));
                }
            }
        }
        let attribute = match rng.below(6) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(8)))",
            _ => "",
        };
        let _ = writeln!(text, "}}{attribute} s{number};");
        names.push(members);
    }
    (text, names)
}

/// Size, alignment and offsets as gcc has them, one line each.
fn gcc_says(text: &str, names: &[Vec<String>], flag: &str) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    let mut source = format!("extern int printf(const char *, ...);\n{text}\nint main(void) {{\n");
    for (number, members) in names.iter().enumerate() {
        let _ = writeln!(source, "printf(\"s{number} %d %d\\n\", (int)sizeof(s{number}), (int)_Alignof(s{number}));");
        for member in members {
            let _ =
                writeln!(source, "printf(\"s{number}.{member} %d\\n\", (int)__builtin_offsetof(s{number}, {member}));");
        }
    }
    source.push_str("return 0; }\n");
    let (file, binary) = (directory.path().join("layout.c"), directory.path().join("layout"));
    std::fs::write(&file, source).expect("written");
    let gcc = Command::new("gcc").args([flag, "-w", "-o"]).arg(&binary).arg(&file).output().expect("gcc runs");
    assert!(gcc.status.success(), "{}", String::from_utf8_lossy(&gcc.stderr));
    String::from_utf8(Command::new(&binary).output().expect("it runs").stdout).expect("text")
}

/// The same lines from our layout.
fn we_say(text: &str, names: &[Vec<String>], model: DataModel) -> String {
    let mut source = text.to_owned();
    for number in 0..names.len() {
        let _ = writeln!(source, "s{number} v{number};");
    }
    source.push_str("int main(void) { return 0; }");
    let program = load_text(&source, "layout.c", model).unwrap_or_else(|d| panic!("{d}"));
    let mut lines = String::new();
    for (number, members) in names.iter().enumerate() {
        let variable = program.variables.iter().find(|v| v.name == format!("v{number}")).expect("declared");
        let Type::Composite(id) = program.types.get(variable.ty) else { panic!("v{number} is no struct") };
        let composite = program.types.composite(*id);
        let _ = writeln!(lines, "s{number} {} {}", composite.size, composite.align);
        for member in members {
            let field = composite.fields.iter().find(|f| f.name == *member).expect("declared");
            let _ = writeln!(lines, "s{number}.{member} {}", field.offset);
        }
    }
    lines
}

#[test]
fn structs_are_laid_out_as_gcc_does() {
    for seed in 1..=6 {
        let (text, names) = declarations(seed);
        for (model, flag) in [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")] {
            let (ours, theirs) = (we_say(&text, &names, model), gcc_says(&text, &names, flag));
            let different = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b);
            if let Some((ours, theirs)) = different {
                let number: usize = ours[1..].split(['.', ' ']).next().and_then(|n| n.parse().ok()).unwrap();
                let declaration = text.lines().nth(number).unwrap();
                panic!("seed {seed} {flag}: ours `{ours}`, gcc `{theirs}`\n{declaration}");
            }
        }
    }
}
