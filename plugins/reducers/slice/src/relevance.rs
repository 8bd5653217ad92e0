//! The edges on which the remaining targets depend: those that decide whether and with which values a target is reached
//! (Weiser, TSE 1984), without regard to the order of assignments.
//!
//! Everything that can be seen from outside counts like a target: inputs, so that an input of the slice is one of the
//! original; calls of library functions; and accesses to memory and operations that could fail, since their effects are
//! not known here.

use super::control::Control;
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{CallSiteId, Callee, ExprId, ExprKind, FunctionId, LocationId, VarId};

pub struct Relevance<'p> {
    program: &'p Program,
    control: &'p Control,
    reached: Vec<bool>,
    writers: FxHashMap<VarId, Vec<EdgeId>>,
    calls: FxHashMap<FunctionId, Vec<CallSiteId>>,
    returns: FxHashMap<FunctionId, Vec<EdgeId>>,
    variables: FxHashSet<VarId>,
    functions: FxHashSet<FunctionId>,
    edges: Vec<bool>,
    locations: Vec<bool>,
    edge_work: Vec<EdgeId>,
    variable_work: Vec<VarId>,
}

impl<'p> Relevance<'p> {
    pub fn of(program: &'p Program, control: &'p Control, targets: &[EdgeId]) -> Self {
        let mut this = Relevance {
            program,
            control,
            reached: program.reachable_locations(),
            writers: FxHashMap::default(),
            calls: FxHashMap::default(),
            returns: FxHashMap::default(),
            variables: FxHashSet::default(),
            functions: FxHashSet::default(),
            edges: vec![false; program.edges.len()],
            locations: vec![false; program.locations.len()],
            edge_work: Vec::new(),
            variable_work: Vec::new(),
        };
        this.index();
        targets.iter().for_each(|&target| this.edge(target));
        for edge in program.edge_ids() {
            if this.reached[program.edge(edge).from.index()] && this.counts_by_itself(edge) {
                this.edge(edge);
            }
        }
        loop {
            if let Some(edge) = this.edge_work.pop() {
                this.follow_edge(edge);
            } else if let Some(variable) = this.variable_work.pop() {
                this.follow_variable(variable);
            } else {
                return this;
            }
        }
    }

    /// Whether a target depends on what happens on this edge.
    pub fn has_edge(&self, edge: EdgeId) -> bool {
        self.edges[edge.index()]
    }

    /// Whether a target depends on what happens right behind this location.
    pub fn has_location(&self, at: LocationId) -> bool {
        self.locations[at.index()]
    }

    /// Notes which edges write to which variable, and which calls lead to which function.
    fn index(&mut self) {
        let program = self.program;
        for id in program.edge_ids() {
            let edge = program.edge(id);
            if !self.reached[edge.from.index()] {
                continue;
            }
            match &edge.op {
                Op::Assign { target, .. } | Op::Havoc { target } => {
                    let Some(variable) = plain(program, *target) else { continue };
                    self.writers.entry(variable).or_default().push(id);
                }
                Op::Declare(variable) => self.writers.entry(*variable).or_default().push(id),
                Op::Call(site) => {
                    if let Callee::Function(callee) = program.call_site(*site).callee {
                        self.calls.entry(callee).or_default().push(*site);
                    }
                    let place = program.call_site(*site).result.and_then(|place| plain(program, place));
                    if let Some(variable) = place {
                        self.writers.entry(variable).or_default().push(id);
                    }
                }
                Op::Return(_) => {
                    let function = program.location(edge.from).function;
                    self.returns.entry(function).or_default().push(id);
                }
                _ => {}
            }
        }
    }

    fn counts_by_itself(&self, edge: EdgeId) -> bool {
        let program = self.program;
        let harmful = |expr: &ExprId| !program.exprs.is_harmless(*expr);
        match &program.edge(edge).op {
            Op::Input { .. } | Op::External(_) | Op::Unsupported(_) => true,
            Op::Assign { target, value } => plain(program, *target).is_none() || harmful(value),
            Op::Havoc { target } => plain(program, *target).is_none(),
            Op::Declare(variable) => program.variable(*variable).address_taken,
            Op::Assume { condition, .. } => harmful(condition),
            Op::Return(value) => value.as_ref().is_some_and(harmful),
            Op::Call(site) => {
                let site = program.call_site(*site);
                let place = site.result.is_some_and(|place| plain(program, place).is_none());
                place || site.arguments.iter().any(harmful) || matches!(site.callee, Callee::Pointer(_))
            }
            Op::Resume(_) | Op::Skip => false,
        }
    }

    fn edge(&mut self, edge: EdgeId) {
        if !std::mem::replace(&mut self.edges[edge.index()], true) {
            self.edge_work.push(edge);
        }
    }

    fn expression(&mut self, expr: ExprId) {
        let program = self.program;
        program.exprs.walk(expr, &mut |id| {
            if let ExprKind::Var(variable) = program.exprs.kind(id)
                && self.variables.insert(variable)
            {
                self.variable_work.push(variable);
            }
        });
    }

    /// Adds what a relevant edge depends on: values, branches, and the calls of its function.
    fn follow_edge(&mut self, id: EdgeId) {
        let program = self.program;
        let edge = program.edge(id);
        match &edge.op {
            Op::Assume { condition, .. } => self.expression(*condition),
            Op::Assign { target, value } => {
                self.expression(*target);
                self.expression(*value);
            }
            Op::Havoc { target } | Op::Input { target: Some(target), .. } => self.expression(*target),
            Op::Return(Some(value)) => self.expression(*value),
            Op::Call(site) => self.call(*site),
            Op::External(site) => {
                let site = program.call_site(*site);
                site.arguments.iter().chain(&site.result).for_each(|&expr| self.expression(expr));
                if let Callee::Pointer(pointer) = site.callee {
                    self.expression(pointer);
                }
            }
            _ => {}
        }
        self.location(edge.from);
    }

    /// An argument is relevant only if its parameter is, or if computing its value could fail.
    fn call(&mut self, site: CallSiteId) {
        let program = self.program;
        let site = program.call_site(site);
        let Callee::Function(callee) = site.callee else {
            let Callee::Pointer(pointer) = site.callee else { return };
            site.arguments.iter().chain(&site.result).chain([&pointer]).for_each(|&expr| self.expression(expr));
            return;
        };
        let parameters = &program.function(callee).parameters;
        for (at, &argument) in site.arguments.iter().enumerate() {
            let matters = parameters.get(at).is_none_or(|parameter| {
                self.variables.contains(parameter) || program.variable(*parameter).address_taken
            });
            if matters || !program.exprs.is_harmless(argument) {
                self.expression(argument);
            }
        }
        if let Some(place) = site.result {
            let matters = plain(program, place).is_none_or(|variable| self.variables.contains(&variable));
            if matters {
                self.expression(place);
                self.results_of(callee);
            }
        }
    }

    fn results_of(&mut self, callee: FunctionId) {
        for edge in self.returns.get(&callee).cloned().unwrap_or_default() {
            self.edge(edge);
        }
    }

    fn location(&mut self, at: LocationId) {
        if std::mem::replace(&mut self.locations[at.index()], true) {
            return;
        }
        let program = self.program;
        for &branch in &self.control.branches[at.index()] {
            program.location(branch).leaving.iter().for_each(|&edge| self.edge(edge));
        }
        let function = program.location(at).function;
        if self.functions.insert(function) {
            for site in self.calls.get(&function).cloned().unwrap_or_default() {
                self.edge(program.call_site(site).call);
            }
        }
    }

    /// Adds the edges that give a variable its value.
    fn follow_variable(&mut self, variable: VarId) {
        let program = self.program;
        for edge in self.writers.get(&variable).cloned().unwrap_or_default() {
            self.edge(edge);
            if let Op::Call(site) = program.edge(edge).op
                && let Callee::Function(callee) = program.call_site(site).callee
            {
                self.results_of(callee);
            }
        }
        let owner = program.variable(variable).function;
        let position = owner.and_then(|owner| program.function(owner).parameters.iter().position(|p| *p == variable));
        let (Some(owner), Some(position)) = (owner, position) else { return };
        for site in self.calls.get(&owner).cloned().unwrap_or_default() {
            self.edge(program.call_site(site).call);
            if let Some(&argument) = program.call_site(site).arguments.get(position) {
                self.expression(argument);
            }
        }
    }
}

/// The variable that is written, in whole or in part, where no pointer leads to it.
pub fn plain(program: &Program, place: ExprId) -> Option<VarId> {
    match program.exprs.kind(place) {
        ExprKind::Var(variable) => Some(variable).filter(|variable| !program.variable(*variable).address_taken),
        ExprKind::Field { base, .. } => plain(program, base),
        _ => None,
    }
}
