//! Puts calls of functions without a body into a program, for tools that report what they know at these calls.

use super::{
    CallSite, CallSiteId, Callee, Edge, EdgeId, ExprId, Function, FunctionId, Location, LocationId, Op, Program, Span,
    Type,
};
use std::collections::BTreeSet;

impl Program {
    /// Puts a call of this function before everything that leaves the location, and declares the function if it is new.
    /// Edges keep their numbers.
    pub fn insert_call(&mut self, at: LocationId, name: &str, arguments: Vec<ExprId>) {
        let callee = self.function_named(name).unwrap_or_else(|| self.declare(name));
        let function = self.location(at).function;
        let leaving = std::mem::take(&mut self.locations[at.index()].leaving);
        let after = LocationId::new(self.locations.len());
        for &edge in &leaving {
            self.edges[edge.index()].from = after;
        }
        let (call, site) = (EdgeId::new(self.edges.len()), CallSiteId::new(self.call_sites.len()));
        self.locations.push(Location { function, leaving, entering: vec![call] });
        self.locations[at.index()].leaving.push(call);
        let callee = Callee::Function(callee);
        self.call_sites.push(CallSite { callee, arguments, result: None, call, resume: None });
        self.edges.push(Edge { from: at, to: after, op: Op::External(site), span: Span::NOWHERE, settles: None });
    }

    /// Puts a call of this function before each of these edges, which must be the only ones that leave their locations.
    pub fn insert_call_before(&mut self, edges: &[EdgeId], name: &str) {
        let places: BTreeSet<LocationId> = edges.iter().map(|&edge| self.edge(edge).from).collect();
        places.into_iter().for_each(|place| self.insert_call(place, name, Vec::new()));
    }

    /// Declares a function without a body, a prototype or a result.
    fn declare(&mut self, name: &str) -> FunctionId {
        let result = self.types.intern(Type::Void);
        let parameters = Vec::new();
        let ty = self.types.intern(Type::Function { result, parameters, variadic: false, prototyped: false });
        self.functions.push(Function::declared(name, ty));
        FunctionId::new(self.functions.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use crate::kit::testing;

    #[test]
    fn a_call_comes_before_what_leaves_a_location() {
        let mut program = Program::clone(testing::two_inputs().program());
        let targets = [EdgeId::new(0)];
        let from = program.edge(targets[0]).from;
        program.insert_call_before(&targets, "here_it_is");
        assert_eq!(program.problems(), Vec::<String>::new());
        let [call] = program.location(from).leaving[..] else { panic!("one edge leaves it") };
        let called = program.called_function(call).map(|function| program.function(function).name.clone());
        assert_eq!(called.as_deref(), Some("here_it_is"));
        assert_eq!(program.edge(call).to, program.edge(targets[0]).from);
        assert!(program.to_c(&PrintOptions::default()).contains("here_it_is()"));
    }
}
