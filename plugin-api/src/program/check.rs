//! Checks a program that came from outside (a plugin, a file): all ids lead somewhere, edges and locations agree.

use super::{Callee, ExprKind, Op, Program, Type, TypeId};

impl Program {
    /// What is wrong with the program's structure, one fragment for each mistake, at most a few; empty if nothing.
    /// A program without problems can be walked without fear of indices that lead nowhere.
    pub fn problems(&self) -> Vec<String> {
        let mut check = Check { program: self, problems: Vec::new() };
        check.types();
        check.expressions();
        check.variables();
        check.functions();
        check.graph();
        check.call_sites();
        check.problems
    }
}

struct Check<'a> {
    program: &'a Program,
    problems: Vec<String>,
}

impl Check<'_> {
    /// Notes the problem unless `fine`; says whether it is fine.
    fn require(&mut self, fine: bool, problem: impl FnOnce() -> String) -> bool {
        if !fine && self.problems.len() < 10 {
            self.problems.push(problem());
        }
        fine
    }

    fn ty(&mut self, id: TypeId, of: impl FnOnce() -> String) {
        let fine = id.index() < self.program.types.len();
        self.require(fine, || format!("{} has type {id}, which does not exist", of()));
    }

    fn types(&mut self) {
        let program = self.program;
        for index in 0..program.types.len() {
            let id = TypeId::new(index);
            match program.types.get(id) {
                Type::Pointer(inner)
                | Type::Array { element: inner, .. }
                | Type::IncompleteArray { element: inner } => {
                    self.ty(*inner, || format!("a part of {id}"));
                }
                Type::Composite(composite) => {
                    let fine = composite.index() < program.types.composites.len();
                    self.require(fine, || format!("{id} is {composite}, which does not exist"));
                }
                Type::Function { result, parameters, .. } => {
                    for part in parameters.iter().chain([result]) {
                        self.ty(*part, || format!("a part of {id}"));
                    }
                }
                Type::Void | Type::Int(_) | Type::Float(_) => {}
            }
        }
        for composite in &program.types.composites {
            for field in &composite.fields {
                self.ty(field.ty, || format!("field {} of {}", field.name, composite.name));
            }
        }
    }

    fn expressions(&mut self) {
        let program = self.program;
        for index in 0..program.exprs.len() {
            let id = super::ExprId::new(index);
            self.ty(program.exprs.ty(id), || id.to_string());
            // Operands come first in the arena, which also rules out cycles.
            let fine = program.exprs.operands(id).all(|operand| operand < id);
            self.require(fine, || format!("{id} has an operand that does not come before it"));
            match program.exprs.kind(id) {
                ExprKind::Var(variable) => {
                    let fine = variable.index() < program.variables.len();
                    self.require(fine, || format!("{id} names {variable}, which does not exist"));
                }
                ExprKind::FunctionAddress(function) => {
                    let fine = function.index() < program.functions.len();
                    self.require(fine, || format!("{id} names {function}, which does not exist"));
                }
                _ => {}
            }
        }
    }

    fn variables(&mut self) {
        let program = self.program;
        for variable in &program.variables {
            self.ty(variable.ty, || format!("variable {}", variable.unique_name));
            let fine = variable.function.is_none_or(|function| function.index() < program.functions.len())
                && variable.initializer.iter().all(|i| self.is_expr(i.place) && self.is_expr(i.value));
            self.require(fine, || format!("variable {} names what does not exist", variable.unique_name));
        }
    }

    fn is_expr(&self, id: super::ExprId) -> bool {
        id.index() < self.program.exprs.len()
    }

    fn functions(&mut self) {
        let program = self.program;
        let fine = program.main.index() < program.functions.len();
        self.require(fine, || "the entry function does not exist".to_string());
        for function in &program.functions {
            self.ty(function.ty, || format!("function {}", function.name));
            let locations = function.body.iter().flat_map(|body| [body.entry, body.exit]);
            let mut locations = locations.chain(function.labels.iter().map(|(_, at)| *at));
            let mut variables = function.parameters.iter().chain(&function.locals).chain(&function.result);
            let fine = locations.all(|at| at.index() < program.locations.len())
                && variables.all(|variable| variable.index() < program.variables.len());
            self.require(fine, || format!("function {} names what does not exist", function.name));
        }
    }

    fn graph(&mut self) {
        let program = self.program;
        for id in program.edge_ids() {
            let edge = program.edge(id);
            let inside = edge.from.index() < program.locations.len() && edge.to.index() < program.locations.len();
            if !self.require(inside, || format!("{id} leads from or to a location that does not exist")) {
                continue;
            }
            let known =
                program.location(edge.from).leaving.contains(&id) && program.location(edge.to).entering.contains(&id);
            self.require(known, || format!("{id} is not listed at its locations"));
            let fine = self.operation_exists(&edge.op);
            self.require(fine, || format!("the operation of {id} names what does not exist"));
            let fine = edge.settles.is_none_or(|outcome| outcome.decision.index() < program.decisions.len());
            self.require(fine, || format!("{id} settles a decision that does not exist"));
        }
        for (index, location) in program.locations.iter().enumerate() {
            let id = super::LocationId::new(index);
            let listed = |edge: &super::EdgeId| program.edges.get(edge.index());
            let fine = location.function.index() < program.functions.len()
                && location.leaving.iter().all(|edge| listed(edge).is_some_and(|edge| edge.from == id))
                && location.entering.iter().all(|edge| listed(edge).is_some_and(|edge| edge.to == id));
            self.require(fine, || format!("{id} lists edges or a function that are not its own"));
        }
    }

    fn operation_exists(&self, op: &Op) -> bool {
        let program = self.program;
        match op {
            Op::Skip | Op::Return(None) => true,
            Op::Assume { condition: e, .. } | Op::Havoc { target: e } | Op::Return(Some(e)) => self.is_expr(*e),
            Op::Assign { target, value } => self.is_expr(*target) && self.is_expr(*value),
            Op::Declare(variable) => variable.index() < program.variables.len(),
            Op::Input { function, target } => {
                function.index() < program.functions.len() && target.is_none_or(|e| self.is_expr(e))
            }
            Op::Call(site) | Op::Resume(site) | Op::External(site) => site.index() < program.call_sites.len(),
            Op::Unsupported(id) => id.index() < program.unsupported.len(),
        }
    }

    fn call_sites(&mut self) {
        let program = self.program;
        for (index, site) in program.call_sites.iter().enumerate() {
            let id = super::CallSiteId::new(index);
            let callee = match site.callee {
                Callee::Function(function) => function.index() < program.functions.len(),
                Callee::Pointer(e) => self.is_expr(e),
            };
            let expressions = site.arguments.iter().chain(&site.result).all(|e| self.is_expr(*e));
            let op = |edge: super::EdgeId| program.edges.get(edge.index()).map(|edge| &edge.op);
            let edges = match site.resume {
                Some(resume) => op(site.call) == Some(&Op::Call(id)) && op(resume) == Some(&Op::Resume(id)),
                None => op(site.call) == Some(&Op::External(id)),
            };
            self.require(callee && expressions && edges, || format!("{id} does not fit its edges and operands"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EdgeId, ExprId, LocationId};
    use super::*;
    use crate::kit::testing;

    fn program() -> Program {
        Program::clone(testing::two_inputs().program())
    }

    #[test]
    fn a_good_program_has_no_problems() {
        assert_eq!(program().problems(), Vec::<String>::new());
    }

    #[test]
    fn dangling_ids_are_found() {
        let breakages: [fn(&mut Program); 7] = [
            |p| p.edges[0].to = LocationId(99),
            |p| p.edges[0].op = Op::Havoc { target: ExprId(99) },
            |p| p.locations[0].leaving.push(EdgeId(99)),
            |p| p.locations[0].leaving.clear(),
            |p| p.call_sites[0].call = EdgeId(0),
            |p| p.variables[0].ty = TypeId(99),
            |p| p.main = super::super::FunctionId(99),
        ];
        for (index, breakage) in breakages.into_iter().enumerate() {
            let mut broken = program();
            breakage(&mut broken);
            assert!(!broken.problems().is_empty(), "breakage {index}");
        }
    }
}
