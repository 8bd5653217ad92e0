//! The text of one edge, in the manner of CPAchecker, so that its condition automata and ours can be exchanged.

use super::super::{EdgeId, FunctionId, Op, Program};
use super::{Names, Printer};

pub(super) fn text(program: &Program, id: EdgeId) -> String {
    let mut printer = Printer::new(program, Names::Source);
    let edge = program.edge(id);
    match &edge.op {
        Op::Skip => String::new(),
        Op::Assume { condition, holds } => {
            let condition = printer.condition(*condition).text;
            if *holds { format!("[{condition}]") } else { format!("[!({condition})]") }
        }
        Op::Assign { target, value } => {
            let target = printer.any_type(*target).text;
            format!("{target} = {};", printer.assigned(*value).text)
        }
        Op::Declare(variable) => {
            let variable = program.variable(*variable);
            printer.declaration(variable.ty, &variable.name) + ";"
        }
        Op::Havoc { target } => format!("{} = any value;", printer.any_type(*target).text),
        Op::Input { .. } | Op::External(_) => printer.call_statement(&edge.op),
        Op::Call(site) => printer.call(program.call_site(*site)),
        Op::Resume(_) => {
            let name = |function: FunctionId| program.function(function).name.as_str();
            let caller = program.location(edge.to).function;
            format!("Return edge from {} to {}", name(program.function_of_edge(id)), name(caller))
        }
        Op::Return(None) => "return;".into(),
        Op::Return(Some(value)) => format!("return {};", printer.assigned(*value).text),
        Op::Unsupported(what) => {
            let what = program.unsupported.get(what.index()).map_or("", |entry| entry.what.as_str());
            format!("unsupported: {what}")
        }
    }
}
