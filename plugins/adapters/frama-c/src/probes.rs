//! Calls that make Eva print what it knows: one in front of every target, and one at every loop head with the integers
//! that the function uses. Eva's output names the call, so that their names identify the places.

use crate::values::Range;
use std::collections::{BTreeMap, BTreeSet};
use tandem_plugin_api::artifact::{Condition, Invariant, InvariantKind, Invariants};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::print_c::readable;
use tandem_plugin_api::program::{EdgeNames, ExprId, ExprKind, FunctionId, LocationId, LocationNames, Type, VarId};

/// The name that is printed where a target is about to be called.
pub const TARGET: &str = "Frama_C_show_each_tandem_target";
/// The name that is printed at a loop head; the head's number follows.
pub const HEAD: &str = "Frama_C_domain_show_each_tandem_head_";
/// Tells the tool which functions never return, and which functions of the printed program give objects any value.
pub const PRELUDE: &str = "\
/*@ assigns \\nothing; ensures \\false; */ extern void abort(void);
/*@ assigns \\nothing; ensures \\false; */ extern void exit(int status);
/*@ assigns ((char *)start)[0 .. size - 1] \\from \\nothing; */ extern void __tandem_any_bytes(void *start, unsigned long size);
";
/// Values of more variables make the log long and the invariants useless.
const MOST_VARIABLES: usize = 24;

pub struct Probes {
    /// Loop heads of the program as it was, with the variables that are shown there.
    heads: Vec<(LocationId, Vec<VarId>)>,
}

impl Probes {
    pub fn insert(original: &Program, targets: &[EdgeId]) -> (Program, Probes) {
        let mut program = original.clone();
        forget_at_declarations(&mut program);
        let reached = original.reachable_locations();
        let mut heads = Vec::new();
        for function in (0..original.functions.len()).map(FunctionId::new) {
            for head in original.loop_heads(function).into_iter().filter(|head| reached[head.index()]) {
                let shown = shown(original, function);
                let arguments = shown.iter().map(|&variable| value(&mut program, variable)).collect();
                let name = format!("{HEAD}{}", heads.len());
                program.insert_call(head, &name, arguments);
                heads.push((head, shown));
            }
        }
        program.insert_call_before(targets, TARGET);
        (program, Probes { heads })
    }

    /// Invariants from the values that the log has for loop heads, in the names of the source.
    pub fn invariants(&self, program: &Program, values: &BTreeMap<usize, Vec<Range>>) -> Invariants {
        let names = LocationNames::new(program, &EdgeNames::new(program));
        let mut found = Invariants::new();
        for (number, (head, shown)) in self.heads.iter().enumerate() {
            let function = program.location(*head).function;
            let name = &program.function(function).name;
            let ranges = values.get(&number).map_or(&[][..], Vec::as_slice);
            for (&variable, range) in shown.iter().zip(ranges) {
                let text = program.name_in(variable, Some(function)).and_then(|text| range.to_c(&text));
                let Some(text) = text else { continue };
                found.insert(Invariant {
                    location: names.name(*head).clone(),
                    kind: InvariantKind::Loop,
                    expression: Condition::in_function(name.clone(), text),
                    origin: "frama-c".to_string(),
                    checked: false,
                });
            }
        }
        found
    }
}

/// Printed programs declare locals at the top, where a value would outlive its block. So each local gets an unknown
/// value where its life begins.
fn forget_at_declarations(program: &mut Program) {
    for at in 0..program.edges.len() {
        if let Op::Declare(variable) = program.edges[at].op {
            program.edges[at].op = Op::Havoc { target: value(program, variable) };
        }
    }
}

/// The integers that a function uses and that have a name there, in the order of their numbers.
fn shown(program: &Program, function: FunctionId) -> Vec<VarId> {
    let mut used = BTreeSet::new();
    for edge in program.edge_ids().filter(|&edge| program.function_of_edge(edge) == function) {
        let mut look = |expr: ExprId| {
            program.exprs.walk(expr, &mut |id| {
                if let ExprKind::Var(variable) = program.exprs.kind(id) {
                    used.insert((variable, id));
                }
            });
        };
        program.expressions_of(edge).into_iter().for_each(&mut look);
        if let Op::Assign { target, .. } | Op::Input { target: Some(target), .. } = program.edge(edge).op {
            look(target);
        }
    }
    let fits = |(variable, expr): (VarId, ExprId)| {
        let is_integer = matches!(program.types.get(program.variable(variable).ty), Type::Int(_));
        (is_integer && readable(program, expr, Some(function)).is_some()).then_some(variable)
    };
    used.into_iter().filter_map(fits).take(MOST_VARIABLES).collect()
}

fn value(program: &mut Program, variable: VarId) -> ExprId {
    let ty = program.variable(variable).ty;
    program.exprs.intern(ExprKind::Var(variable), ty)
}
