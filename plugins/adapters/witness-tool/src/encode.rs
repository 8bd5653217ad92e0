//! The C file and the property that a tool gets: the program's own text, or the program printed with the error in the
//! form that the tool expects.

use std::collections::BTreeSet;
use std::fmt::Write;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{FunctionId, PrintOptions, Type};

/// The function that is called right before the error.
const ERROR: &str = "__tandem_error";
const ASSERT: &str = "void __tandem_error() { __assert_fail(\"0\", \"program.c\", 1, \"reach_error\"); }\n";
/// Declared only if the program has no declaration of its own, whose types may differ.
const DECLARED: &str = "extern void __assert_fail(const char *, const char *, unsigned int, const char *);\n";
const LABEL: &str = "void __tandem_error() { ERROR: ; }\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    AsIs,
    Assert,
    Label,
}

pub struct Encoding {
    way: Way,
    /// C text for each input function; may be empty.
    inputs: String,
}

/// The files and names that a tool gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The name of the file.
    pub file: String,
    pub text: String,
    pub property: String,
    /// The name of the text that its witnesses are about, if that is not the program's own text.
    pub read_as: Option<String>,
}

impl Encoding {
    /// The first one is the default.
    pub const NAMES: [&'static str; 3] = ["as-is", "assert", "label"];

    pub fn of(options: &Options) -> Result<Self> {
        let way = match options.text("encode")? {
            "assert" => Way::Assert,
            "label" => Way::Label,
            _ => Way::AsIs,
        };
        Ok(Encoding { way, inputs: options.text("inputs")?.to_string() })
    }

    pub fn given(&self, task: &Task, host: &Host) -> Result<Given> {
        if task.property.is_coverage() {
            return Err(PluginError::unsupported(
                "the tool is asked whether an error can be reached, not for tests that cover goals",
            ));
        }
        let program = &task.program;
        let function = match task.property.functions() {
            [function] if !task.property.checks_assertions() => function.as_str(),
            _ if self.way == Way::AsIs => {
                return Err(PluginError::unsupported(
                    "the tool gets the program as it is, and is asked for calls of one error function, not for assertions that fail",
                ));
            }
            _ => ERROR,
        };
        let name = program.name.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or("program.c");
        let avoided = match self.way {
            Way::Label => "label(ERROR)".to_string(),
            Way::AsIs | Way::Assert => format!("call({function}())"),
        };
        let entry = &program.function(program.main).name;
        let given = |text: String, read_as| Given {
            file: name.to_string(),
            text,
            property: format!("CHECK( init({entry}()), LTL(G ! {avoided}) )\n"),
            read_as,
        };
        if self.way == Way::AsIs
            && self.inputs.is_empty()
            && let Some(text) = host.source()?
        {
            return Ok(given(text, None));
        }
        let text = self.printed(task)?;
        Ok(given(text.clone(), Some(text)))
    }

    /// The program without line directives: lines of witnesses are lines of this text. What is added comes after it.
    fn printed(&self, task: &Task) -> Result<String> {
        let options = PrintOptions { only_used: true, ..PrintOptions::default() };
        let mut text = match self.way {
            Way::AsIs => task.program.to_c(&options),
            Way::Assert | Way::Label => {
                let mut marked = Program::clone(&task.program);
                marked.insert_call_before(&task.targets, ERROR);
                let text = marked.to_c(&options);
                match self.way {
                    Way::Label => text + LABEL,
                    _ if text.contains("__assert_fail(") => text + ASSERT,
                    _ => text + DECLARED + ASSERT,
                }
            }
        };
        if !self.inputs.is_empty() {
            for function in input_functions(&task.program) {
                let Some(result) = task.program.result_type(function) else { continue };
                if matches!(task.program.types.get(result), Type::Void) {
                    continue;
                }
                let (name, ty) = (&task.program.function(function).name, task.program.type_to_c(result));
                let defined = crate::command::fill(&self.inputs, |placeholder| match placeholder {
                    "function" => Some(name.clone()),
                    "type" => Some(ty.clone()),
                    _ => None,
                })?;
                writeln!(text, "{defined}")?;
            }
        }
        Ok(text)
    }
}

fn input_functions(program: &Program) -> BTreeSet<FunctionId> {
    let functions = program.edges.iter().filter_map(|edge| match edge.op {
        Op::Input { function, .. } => Some(function),
        _ => None,
    });
    functions.collect()
}
