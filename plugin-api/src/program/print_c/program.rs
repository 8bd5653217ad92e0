//! A whole program as one C file: types in the order of their dependence, declarations, globals, functions.

use super::super::{CompositeId, DataModel, FunctionId, Program, Storage, Type, TypeId, VarId};
use super::constant::string;
use super::types::keyword;
use super::{Names, PrintOptions, Printer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Names that gcc replaces in GNU C although a preprocessed program may use them.
const GNU_MACROS: [&str; 3] = ["linux", "unix", "i386"];

pub(super) fn text(program: &Program, options: &PrintOptions) -> String {
    let mut file = File {
        printer: Printer::new(program, Names::Unique),
        options,
        definitions: BTreeMap::new(),
        initializers: BTreeMap::new(),
    };
    file.print_what_is_used();
    file.assemble()
}

struct File<'p> {
    printer: Printer<'p>,
    options: &'p PrintOptions,
    /// Printed function definitions.
    definitions: BTreeMap<FunctionId, String>,
    /// Printed initialisers, with the variables that each mentions.
    initializers: BTreeMap<VarId, (String, BTreeSet<VarId>)>,
}

impl File<'_> {
    /// Prints bodies and initialisers until nothing new is mentioned.
    fn print_what_is_used(&mut self) {
        let program = self.printer.program;
        self.printer.used.functions.insert(program.main);
        if !self.options.only_used {
            let defined = |id: &FunctionId| program.function(*id).body.is_some();
            self.printer.used.functions.extend((0..program.functions.len()).map(FunctionId::new).filter(defined));
            let global = |id: &VarId| program.variable(*id).storage == Storage::Global;
            self.printer.used.variables.extend((0..program.variables.len()).map(VarId::new).filter(global));
        }
        loop {
            let functions: Vec<FunctionId> =
                self.printer.used.functions.iter().copied().filter(|id| !self.definitions.contains_key(id)).collect();
            let variables: Vec<VarId> =
                self.printer.used.variables.iter().copied().filter(|id| !self.initializers.contains_key(id)).collect();
            if functions.is_empty() && variables.is_empty() {
                return;
            }
            for id in functions {
                let text = match program.function(id).body {
                    Some(_) => self.printer.function_definition(id, self.options),
                    None => String::new(),
                };
                self.definitions.insert(id, text);
            }
            for id in variables {
                self.print_variable(id);
            }
        }
    }

    fn print_variable(&mut self, id: VarId) {
        let variable = self.printer.program.variable(id);
        if variable.is_local() {
            self.initializers.insert(id, Default::default());
            return;
        }
        if variable.storage != Storage::Extern {
            self.printer.need_complete(variable.ty);
        }
        let outer = std::mem::take(&mut self.printer.used);
        let text = match self.printer.initializer(id) {
            Ok(text) => text,
            Err(place) => format!(";\n#error \"no C initialiser reaches {place}\"\n"),
        };
        let inner = std::mem::replace(&mut self.printer.used, outer);
        self.initializers.insert(id, (text, inner.variables.clone()));
        self.printer.used.add(inner);
    }

    fn assemble(mut self) -> String {
        let functions = self.function_declarations();
        let variables = self.variables();
        let definitions: Vec<String> =
            std::mem::take(&mut self.definitions).into_values().filter(|text| !text.is_empty()).collect();
        let environment = self.environment();
        let types = self.type_definitions();
        let mut body = String::new();
        for part in [types, environment, functions, variables] {
            if !part.is_empty() {
                body.push('\n');
                body.push_str(&part);
            }
        }
        for definition in definitions {
            body.push('\n');
            body.push_str(&definition);
        }
        self.header(&body) + &body
    }

    fn header(&self, body: &str) -> String {
        let program = self.printer.program;
        let machine = if program.types.model == DataModel::Ilp32 { "-m32" } else { "-m64" };
        let mut out = format!(
            "/* Printed by tandem from {} ({}).\n   Compile with gcc {machine} -std=gnu11 -w -fwrapv -fno-strict-aliasing.",
            program.name.replace("*/", "* /"),
            program.types.model.name()
        );
        if !self.printer.used.any_value.is_empty() {
            out.push_str(
                "\n   The functions __tandem_any_* return any value, independent of the test inputs; they stand for what\n   \
                 the program does not determine, such as outputs of inline assembly.",
            );
        }
        out.push_str(" */\n");
        let is_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
        for name in GNU_MACROS {
            if body.split(|c| !is_name(c)).any(|word| word == name) {
                let _ = writeln!(out, "#undef {name}");
            }
        }
        out
    }

    /// Functions that the printer's own statements call.
    fn environment(&mut self) -> String {
        let program = self.printer.program;
        let declares = |name: &str| {
            let used = &self.printer.used.functions;
            program.function_named(name).is_some_and(|id| used.contains(&id))
        };
        let mut out = String::new();
        if self.printer.used.assume && !declares("__VERIFIER_assume") {
            out.push_str("extern void __VERIFIER_assume(int);\n");
        }
        if self.printer.used.abort && !declares("abort") {
            out.push_str("extern void abort(void);\n");
        }
        for (_, declaration) in &self.printer.used.any_value {
            let _ = writeln!(out, "extern {declaration};");
        }
        out
    }

    fn function_declarations(&mut self) -> String {
        let program = self.printer.program;
        let mut out = String::new();
        let used: Vec<FunctionId> = self.printer.used.functions.iter().copied().collect();
        for id in used {
            let function = program.function(id);
            // gcc knows its own, several of which have no type that C could write.
            let is_builtin = ["__builtin_", "__sync_", "__atomic_"].iter().any(|p| function.name.starts_with(p));
            if is_builtin && function.body.is_none() {
                continue;
            }
            if function.body.is_some() {
                let _ = writeln!(out, "{};", self.printer.function_prototype(function));
                continue;
            }
            self.need_function_types(function.ty);
            let _ = writeln!(out, "extern {};", self.printer.declaration(function.ty, &function.name));
        }
        out
    }

    /// Structs that a call passes or returns by value.
    fn need_function_types(&mut self, ty: TypeId) {
        let program = self.printer.program;
        if let Type::Function { result, parameters, .. } = program.types.get(ty) {
            for &ty in parameters.iter().chain([result]) {
                self.printer.need_complete(ty);
            }
        }
    }

    /// Definitions in order, each preceded by declarations of what its initialiser mentions too early.
    fn variables(&mut self) -> String {
        let mut out = String::new();
        let mut declared = BTreeSet::new();
        let program = self.printer.program;
        let of = |id: &VarId| program.variable(*id).storage;
        let used: Vec<VarId> = self.initializers.keys().copied().collect();
        for id in used.iter().filter(|id| of(id) == Storage::Extern) {
            out.push_str(&self.extern_declaration(*id));
            declared.insert(*id);
        }
        for id in used.iter().filter(|id| of(id) == Storage::StringLiteral) {
            self.definition(*id, &mut declared, &mut out);
        }
        for id in used.iter().filter(|id| of(id) == Storage::Global) {
            self.definition(*id, &mut declared, &mut out);
        }
        out
    }

    fn extern_declaration(&mut self, id: VarId) -> String {
        let variable = self.printer.program.variable(id);
        let declaration = self.printer.variable_declaration(variable);
        if variable.name == variable.unique_name {
            return format!("extern {declaration};\n");
        }
        format!("extern {declaration} __asm__({});\n", string(variable.name.as_bytes()))
    }

    fn definition(&mut self, id: VarId, declared: &mut BTreeSet<VarId>, out: &mut String) {
        let program = self.printer.program;
        let (text, mentioned) = self.initializers.get(&id).cloned().unwrap_or_default();
        for &other in mentioned.iter().filter(|&&other| other != id) {
            if declared.insert(other) {
                let _ = writeln!(out, "{};", self.declared(other));
            }
        }
        declared.insert(id);
        let is_array = matches!(program.types.get(program.variable(id).ty), Type::IncompleteArray { .. });
        debug_assert!(!is_array, "a defined object has a complete type");
        let _ = writeln!(out, "{}{text};", self.declared(id));
    }

    fn declared(&mut self, id: VarId) -> String {
        let variable = self.printer.program.variable(id);
        // Writing to a string literal is an error that the compiled program should keep.
        let linkage = if variable.storage == Storage::StringLiteral { "static const " } else { "static " };
        format!("{linkage}{}", self.printer.variable_declaration(variable))
    }

    fn type_definitions(&mut self) -> String {
        let mut definitions = String::new();
        let mut done = BTreeSet::new();
        let needed: Vec<CompositeId> = self.printer.used.composites.iter().copied().collect();
        for id in needed {
            self.define(id, &mut done, &mut definitions);
        }
        let program = self.printer.program;
        let mut out = String::new();
        for &id in &self.printer.used.tags {
            let composite = program.types.composite(id);
            let _ = writeln!(out, "{} {};", keyword(composite), composite.name);
        }
        out + &definitions
    }

    /// Defines what the members contain first. Nesting by value is bounded by the nesting of the source's types.
    fn define(&mut self, id: CompositeId, done: &mut BTreeSet<CompositeId>, out: &mut String) {
        let program = self.printer.program;
        let composite = program.types.composite(id);
        if !done.insert(id) || !composite.complete {
            return;
        }
        for field in &composite.fields {
            let mut ty = field.ty;
            while let Some(element) = program.types.element(ty) {
                ty = element;
            }
            if let Type::Composite(inner) = program.types.get(ty) {
                self.define(*inner, done, out);
            }
        }
        let text = self.printer.composite_definition(id, self.options.layout_asserts);
        out.push_str(&text);
    }
}
