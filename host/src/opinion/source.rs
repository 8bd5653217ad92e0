//! The C text that gcc builds: the original, then the harness, then definitions that the original needs and does not
//! have. Definitions are given to the assembler, so that they need not fit the program's own declarations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tandem_plugin_api::artifact::ValueType;
use tandem_plugin_api::library::{Effects, LibraryFunction};
use tandem_plugin_api::program::{Callee, Function, IntKind, Op, Program, Storage, Type, TypeId, VarId, Variable};
use tandem_plugin_api::task::Task;

const HARNESS: &str = include_str!("harness.c");

/// Objects that the C library has.
const LIBRARY_OBJECTS: &[&str] = &["stdin", "stdout", "stderr", "environ", "optarg", "optind", "signgam", "timezone"];

/// More globals, and larger ones, are not compared.
const MOST_WATCHED: usize = 500;
const LARGEST_WATCHED: u64 = 1 << 16;

/// The globals whose bytes at the end of a run can be compared: integers and arrays of integers with a name in the
/// whole file. (The bits of a NaN are open.)
pub fn watched(program: &Program) -> Vec<(VarId, u64)> {
    let size = |variable: &Variable| {
        let mut ty = variable.ty;
        while let Some(element) = program.types.element(ty) {
            ty = element;
        }
        let is_plain =
            variable.storage == Storage::Global && variable.function.is_none() && program.types.is_integer(ty);
        program.types.size_of(variable.ty).filter(|size| is_plain && (1..=LARGEST_WATCHED).contains(size))
    };
    let all = program.variables.iter().enumerate();
    all.filter_map(|(id, variable)| Some((VarId::new(id), size(variable)?))).take(MOST_WATCHED).collect()
}

/// The table of these in C.
fn globals(program: &Program) -> String {
    let mut text = String::from("#ifdef __TANDEM_GLOBALS\n");
    let names: Vec<&str> = watched(program).iter().map(|(id, _)| program.variable(*id).name.as_str()).collect();
    for name in &names {
        let _ = writeln!(text, "#undef {name}");
    }
    text.push_str("#endif\nstatic const struct __tandem_global __tandem_globals[] = {\n#ifdef __TANDEM_GLOBALS\n");
    for name in &names {
        let _ = writeln!(text, "  {{(const void *)&{name}, sizeof {name}}},");
    }
    text.push_str("#endif\n  {0, 0}\n};\n");
    text
}

/// The text for a task; `include` is how the original is included. `Err` says why gcc cannot answer the question.
pub fn text(task: &Task, include: &str) -> Result<String, String> {
    let program = &*task.program;
    let mut text = format!("#include \"{include}\"\n{HARNESS}");
    let mut replaced = String::new();
    for (name, meaning) in meanings(task)? {
        match program.function_named(name).map(|id| program.function(id)) {
            Some(function) if function.body.is_some() => {
                let stub = meaning.write(program, Some(function), name, &mut text);
                let _ = writeln!(replaced, "  {{(void *){name}, (void *){stub}}},");
            }
            function => {
                let stub = meaning.write(program, function, name, &mut text);
                let _ = writeln!(text, "__asm__(\".globl {name}\\n.set {name}, {stub}\\n\");");
            }
        }
    }
    text.push_str(&globals(program));
    let is_missing = |name: &str| !LIBRARY_OBJECTS.contains(&name);
    for object in program.variables.iter().filter(|v| v.storage == Storage::Extern && is_missing(&v.name)) {
        let size = program.types.size_of(object.ty).unwrap_or(4096).max(1);
        let _ = writeln!(text, "__asm__(\".comm {}, {size}, 16\\n\");", object.name);
    }
    let _ =
        writeln!(text, "static const struct __tandem_replaced __tandem_replacements[] = {{\n{replaced}  {{0, 0}}\n}};");
    Ok(text)
}

/// The role of a function of the program in gcc's build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Error,
    Abort,
    Assume,
    Input,
    /// By convention it returns zero and changes nothing.
    Zero,
}

/// By name: the functions that have a meaning of their own for us, and those that have no definition.
fn meanings(task: &Task) -> Result<BTreeMap<&str, Meaning>, String> {
    let program = &*task.program;
    let mut meanings = BTreeMap::from([("abort", Meaning::Abort), ("__VERIFIER_assume", Meaning::Assume)]);
    // A function that the program defines itself is a function as any other.
    meanings.retain(|name, _| !is_defined(program, name));
    let used = used_functions(program);
    for (index, function) in program.functions.iter().enumerate() {
        let name = function.name.as_str();
        if function.body.is_some() {
            continue;
        }
        if name.starts_with("__VERIFIER_nondet_") && input_type(program, function).is_some() {
            meanings.insert(name, Meaning::Input);
        } else if used.contains(&index) && !is_known(name) {
            meanings.entry(name).or_insert(Meaning::Zero);
        }
    }
    for &target in &task.targets {
        let Some(function) = program.called_function(target) else {
            return Err("the question is not about calls of a function".to_string());
        };
        let name = program.function(function).name.as_str();
        meanings.insert(name.strip_prefix("__builtin_").unwrap_or(name), Meaning::Error);
    }
    Ok(meanings)
}

fn is_defined(program: &Program, name: &str) -> bool {
    program.function_named(name).is_some_and(|id| program.function(id).body.is_some())
}

/// Whether gcc or the C library has it, and does what our execution does. A run passes over functions that work on the outside
/// only, and so does gcc's: no file is removed by it.
fn is_known(name: &str) -> bool {
    let of_compiler = ["__builtin_", "__sync_", "__atomic_"].iter().any(|beginning| name.starts_with(beginning));
    of_compiler || LibraryFunction::named(name).is_some_and(|known| !known.has_effect(Effects::OUTSIDE))
}

/// The functions that are called, or whose address is taken; others need no definition.
fn used_functions(program: &Program) -> BTreeSet<usize> {
    let called = program.edges.iter().filter_map(|edge| match &edge.op {
        Op::External(site) => match program.call_site(*site).callee {
            Callee::Function(function) => Some(function.index()),
            Callee::Pointer(_) => None,
        },
        _ => None,
    });
    let taken = program.functions.iter().enumerate().filter(|(_, f)| f.address_taken).map(|(index, _)| index);
    called.chain(taken).collect()
}

fn result_type(program: &Program, function: &Function) -> Option<TypeId> {
    match program.types.get(function.ty) {
        Type::Function { result, .. } => Some(*result),
        _ => None,
    }
}

fn input_type(program: &Program, function: &Function) -> Option<ValueType> {
    result_type(program, function).and_then(|result| ValueType::of(&program.types, result))
}

impl Meaning {
    /// Writes the function, unless the harness has it; returns its name.
    fn write(self, program: &Program, function: Option<&Function>, name: &str, text: &mut String) -> String {
        let stub = format!("__tandem_for_{name}");
        let result = function.and_then(|function| result_type(program, function));
        let begin = "__attribute__((used)) static";
        match self {
            Meaning::Error => return "__tandem_reached".to_string(),
            Meaning::Abort => return "__tandem_abort".to_string(),
            Meaning::Assume => return "__tandem_assume".to_string(),
            Meaning::Input if function.and_then(|f| input_type(program, f)).is_none_or(|ty| ty.bits() > 64) => {
                return "__tandem_unfit".to_string();
            }
            Meaning::Input => {
                let ty = plain_type(program, result);
                let _ = writeln!(
                    text,
                    "{begin} {ty} {stub}(void) {{ unsigned long long bits = __tandem_next(); {ty} value; \
                     __builtin_memcpy(&value, &bits, sizeof value); return value; }}"
                );
            }
            Meaning::Zero => match zero_type(program, result, name, text).as_str() {
                "void" => drop(writeln!(text, "{begin} void {stub}(void) {{}}")),
                ty => {
                    let value = "__builtin_memset(&value, 0, sizeof value)";
                    let _ = writeln!(text, "{begin} {ty} {stub}(void) {{ {ty} value; {value}; return value; }}");
                }
            },
        }
        stub
    }
}

/// The same where it may be a struct, which has to be declared first.
fn zero_type(program: &Program, ty: Option<TypeId>, name: &str, text: &mut String) -> String {
    match ty.map(|ty| (program.types.get(ty), program.types.size_of(ty))) {
        Some((Type::Composite(_), size)) => {
            let _ = writeln!(text, "struct __tandem_of_{name} {{ char bytes[{}]; }};", size.unwrap_or(1));
            format!("struct __tandem_of_{name}")
        }
        _ => plain_type(program, ty),
    }
}

/// A type that is returned in the same way.
fn plain_type(program: &Program, ty: Option<TypeId>) -> String {
    let Some(ty) = ty else { return "int".to_string() };
    match program.types.get(ty) {
        Type::Void => "void".into(),
        Type::Int(IntKind::Int128 | IntKind::UInt128) => "__int128".into(),
        Type::Int(kind) => kind.c_name().into(),
        Type::Float(kind) => kind.c_name().into(),
        _ => "void *".into(),
    }
}
