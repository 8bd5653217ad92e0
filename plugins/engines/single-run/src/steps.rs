//! The steps of a program: what happens at each location, prepared when the location is reached for the first time.

use crate::code::{Home, Node, Place, Preparer, Target};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{CallSiteId, Callee, ExprKind, TypeId};

/// What happens at a location, and where it leads.
pub enum Step {
    Branch {
        condition: Node,
        yes: LocationId,
        no: LocationId,
    },
    Go(LocationId),
    Assign {
        to: Target,
        value: Source,
        next: LocationId,
    },
    Declare {
        variable: VarId,
        next: LocationId,
    },
    /// The target has an unknown value from here on.
    Forget {
        to: Target,
        next: LocationId,
    },
    Call {
        site: CallSiteId,
        callee: FunctionId,
        arguments: Vec<Source>,
        entry: LocationId,
    },
    /// The next input, where some were given.
    Input {
        to: Option<Target>,
        ty: TypeId,
        next: LocationId,
    },
    External {
        function: FunctionId,
        arguments: Vec<(Source, TypeId)>,
        result: Option<Target>,
        next: LocationId,
    },
    Return {
        to: Target,
        value: Source,
        next: LocationId,
    },
    /// The end of a function.
    Exit,
    /// An assumption failed, or a call does not return.
    Dead,
    /// This edge is the error.
    Error,
    Refused(&'static str, Option<Box<str>>),
}

/// The source of a write.
pub enum Source {
    Scalar(Node),
    Bytes(Place),
    Zero,
}

/// The homes of variables: slots are counted for each function.
pub fn homes(program: &Program) -> (Vec<Home>, Vec<u32>) {
    let mut homes = vec![Home::Global(0); program.variables.len()];
    let globals = (0u32..).zip(homes.iter_mut().zip(&program.variables).filter(|(_, variable)| !variable.is_local()));
    globals.for_each(|(number, (home, _))| *home = Home::Global(number));
    let mut sizes = Vec::new();
    for function in &program.functions {
        let own = function.parameters.iter().chain(&function.locals).chain(&function.result);
        let mut size = 0;
        for (slot, &id) in (0u32..).zip(own) {
            let variable = program.variable(id);
            let is_register = !variable.address_taken && program.types.is_scalar(variable.ty);
            homes[id.index()] = if is_register { Home::Register(slot) } else { Home::Frame(slot) };
            size = slot + 1;
        }
        sizes.push(size);
    }
    (homes, sizes)
}

/// By variable: at how many places of the program a string literal stands. Equal literals are one variable.
pub fn literal_uses(program: &Program) -> Vec<u32> {
    let mut uses = vec![0; program.variables.len()];
    let mut count = |expr: ExprId| {
        program.exprs.walk(expr, &mut |id| {
            if let ExprKind::Var(variable) = program.exprs.kind(id) {
                uses[variable.index()] += 1;
            }
        });
    };
    for edge in program.edge_ids() {
        program.expressions_of(edge).into_iter().for_each(&mut count);
        match &program.edge(edge).op {
            Op::Assign { target, .. } | Op::Input { target: Some(target), .. } | Op::Havoc { target } => count(*target),
            Op::Call(site) | Op::External(site) => {
                let site = program.call_site(*site);
                site.result.into_iter().for_each(&mut count);
                if let Callee::Pointer(pointer) = site.callee {
                    count(pointer);
                }
            }
            _ => {}
        }
    }
    program.variables.iter().flat_map(|variable| &variable.initializer).for_each(|initial| count(initial.value));
    uses
}

pub struct Steps<'p> {
    task: &'p Task,
    preparer: Preparer<'p>,
    /// By location: where its step is, counted from one; zero where it was not reached yet.
    prepared: Vec<u32>,
    steps: Vec<Step>,
}

impl<'p> Steps<'p> {
    pub fn new(task: &'p Task, homes: &'p [Home]) -> Self {
        let preparer = Preparer { program: &task.program, homes };
        Steps { task, preparer, prepared: vec![0; task.program.locations.len()], steps: Vec::new() }
    }

    /// The step at this location.
    pub fn at(&mut self, location: LocationId) -> &Step {
        if self.prepared[location.index()] == 0 {
            self.steps.push(self.prepare(location));
            self.prepared[location.index()] = self.steps.len() as u32;
        }
        &self.steps[self.prepared[location.index()] as usize - 1]
    }

    fn prepare(&self, location: LocationId) -> Step {
        let program = &*self.task.program;
        let function = program.location(location).function;
        if program.function(function).body.is_some_and(|body| body.exit == location) {
            return Step::Exit;
        }
        match program.location(location).leaving.as_slice() {
            [] => Step::Dead,
            &[edge] => self.edge(edge),
            &[a, b] => self.branch(a, b),
            _ => Step::Refused("it has a place that is left in more than two ways", None),
        }
    }

    fn branch(&self, a: EdgeId, b: EdgeId) -> Step {
        let (a, b) = (self.task.program.edge(a), self.task.program.edge(b));
        match (&a.op, &b.op) {
            (Op::Assume { condition, holds }, Op::Assume { condition: other, holds: opposite })
                if condition == other && holds != opposite =>
            {
                let (yes, no) = if *holds { (a.to, b.to) } else { (b.to, a.to) };
                Step::Branch { condition: self.preparer.node(*condition), yes, no }
            }
            _ => Step::Refused("it has a branch without a condition", None),
        }
    }

    fn edge(&self, id: EdgeId) -> Step {
        let program = &*self.task.program;
        let edge = program.edge(id);
        let next = edge.to;
        if self.task.is_target(id) {
            return Step::Error;
        }
        match &edge.op {
            Op::Skip => Step::Go(next),
            Op::Assign { target, value } => {
                Step::Assign { to: self.preparer.target(*target), value: self.source(*value), next }
            }
            Op::Declare(variable) => Step::Declare { variable: *variable, next },
            Op::Havoc { target } => Step::Forget { to: self.preparer.target(*target), next },
            Op::Return(None) => Step::Go(next),
            Op::Return(Some(value)) => {
                let result = program.function(program.function_of_edge(id)).result;
                match result.map(|result| self.variable(result)) {
                    Some(to) => Step::Return { to, value: self.source(*value), next },
                    None => Step::Refused("it returns a value from a function without a result", None),
                }
            }
            Op::Call(site) => self.call(*site, next),
            Op::External(site) => self.external(*site, next),
            Op::Input { function, target } => match program.result_type(*function) {
                Some(ty) => Step::Input { to: target.map(|target| self.preparer.target(target)), ty, next },
                None => Step::Refused("it reads inputs", None),
            },
            Op::Assume { .. } => Step::Refused("it has a branch without a condition", None),
            Op::Resume(_) => Step::Refused("it returns without a call", None),
            Op::Unsupported(unsupported) => {
                let what = program.unsupported.get(unsupported.index()).map(|one| one.what.as_str().into());
                Step::Refused("it has something unsupported", what)
            }
        }
    }

    /// A variable of the function as the destination of a write.
    pub fn variable(&self, id: VarId) -> Target {
        let (program, ty) = (&*self.task.program, self.task.program.variable(id).ty);
        let shape = crate::value::Shape::of(&program.types, ty);
        match (self.preparer.homes[id.index()], shape, program.types.size_of(ty)) {
            (Home::Register(slot), ..) => Target::Register(slot),
            (Home::Frame(slot), Some(shape), _) => Target::Scalar(Place::Frame(slot), shape),
            (Home::Frame(slot), None, Some(size)) => Target::Bytes(Place::Frame(slot), size as usize),
            _ => Target::Refused("it uses a type without a size"),
        }
    }

    /// Both sides of an initialiser.
    pub fn assignment(&self, place: ExprId, value: ExprId) -> (Target, Source) {
        (self.preparer.target(place), self.source(value))
    }

    /// The destination of a call's result.
    pub fn result(&self, site: CallSiteId) -> Option<Target> {
        self.task.program.call_site(site).result.map(|place| self.preparer.target(place))
    }

    fn source(&self, value: ExprId) -> Source {
        let program = &*self.task.program;
        if program.types.is_scalar(program.exprs.ty(value)) {
            Source::Scalar(self.preparer.node(value))
        } else if program.exprs.kind(value) == ExprKind::Zeroed {
            Source::Zero
        } else {
            Source::Bytes(self.preparer.place(value))
        }
    }

    fn call(&self, site: CallSiteId, entry: LocationId) -> Step {
        let call = self.task.program.call_site(site);
        let Callee::Function(callee) = call.callee else {
            return Step::Refused("it calls something that is not a function", None);
        };
        let arguments = call.arguments.iter().map(|&argument| self.source(argument)).collect();
        Step::Call { site, callee, arguments, entry }
    }

    fn external(&self, site: CallSiteId, next: LocationId) -> Step {
        let program = &*self.task.program;
        let call = program.call_site(site);
        let Callee::Function(function) = call.callee else {
            return Step::Refused("it calls something that is not a function", None);
        };
        let argument = |&argument: &ExprId| (self.source(argument), program.exprs.ty(argument));
        let arguments = call.arguments.iter().map(argument).collect();
        Step::External { function, arguments, result: self.result(site), next }
    }
}
