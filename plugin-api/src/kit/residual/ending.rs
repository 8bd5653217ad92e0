//! How a residual program ends where everything that would follow is covered already: by `exit(0)`, which every tool
//! knows, and which no fuzzer takes for a crash.

use crate::library::LibraryFunction;
use crate::program::{
    CallSite, CallSiteId, Callee, Edge, EdgeId, ExprKind, Function, FunctionId, IntKind, Location, LocationId, Op,
    Program, Span, Type,
};
use crate::reducer::Residual;

/// Functions of the library that end the program, in the order in which they are tried: a program may define one of these itself.
const ENDS: [&str; 3] = ["exit", "_exit", "abort"];

/// A function without a body that never returns.
pub fn ending_function(program: &mut Program) -> FunctionId {
    for name in ENDS {
        match program.function_named(name) {
            Some(known) if program.function(known).body.is_some() => continue,
            Some(known) => return known,
            None => {
                let known = LibraryFunction::named(name).and_then(|known| known.prototype().intern(&mut program.types));
                let Some(ty) = known else { continue };
                program.functions.push(Function::declared(name, ty));
                return FunctionId::new(program.functions.len() - 1);
            }
        }
    }
    // If a program defines all three itself, its own `abort` is called.
    program.function_named("abort").unwrap_or(program.main)
}

/// Adds a location at which the program ends, to a function with this exit.
pub fn add_ending(
    program: &mut Program,
    origin: &mut Vec<Option<EdgeId>>,
    end: FunctionId,
    function: FunctionId,
    exit: LocationId,
) -> LocationId {
    program.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
    let at = LocationId::new(program.locations.len() - 1);
    let takes_status = match program.types.get(program.function(end).ty) {
        Type::Function { parameters, prototyped, .. } => !parameters.is_empty() || !prototyped,
        _ => false,
    };
    let takes_status = takes_status && program.function(end).name != "abort";
    let int = program.types.int(IntKind::Int);
    let arguments = if takes_status { vec![program.exprs.intern(ExprKind::Int(0), int)] } else { Vec::new() };
    let site = CallSiteId::new(program.call_sites.len());
    let call = EdgeId::new(program.edges.len());
    program.call_sites.push(CallSite { callee: Callee::Function(end), arguments, result: None, call, resume: None });
    program.edges.push(Edge { from: at, to: exit, op: Op::External(site), span: Span::NOWHERE, settles: None });
    program.locations[at.index()].leaving.push(call);
    program.locations[exit.index()].entering.push(call);
    origin.push(None);
    at
}

impl Residual {
    /// Lets the program end right behind an edge inside of a function.
    pub fn end_behind(&mut self, edge: EdgeId) {
        let function = self.program.function_of_edge(edge);
        let Some(body) = self.program.function(function).body else { return };
        let end = ending_function(&mut self.program);
        let ending = add_ending(&mut self.program, &mut self.origin, end, function, body.exit);
        let Edge { to, op, .. } = &mut self.program.edges[edge.index()];
        let before = std::mem::replace(to, ending);
        // Otherwise a return would come first.
        if matches!(op, Op::Return(_)) {
            *op = Op::Skip;
            self.origin[edge.index()] = None;
        }
        self.program.locations[before.index()].entering.retain(|other| *other != edge);
        self.program.locations[ending.index()].entering.push(edge);
    }
}
