//! Joins the drafts of all functions into one `Program`: calls get their edges, calls through pointers their
//! candidates, locations their numbers; what no path of a function reaches is left out.

use super::Lowerer;
use super::draft::{Draft, DraftEdge, DraftOp, Place};
use super::finish;
use super::mmx;
use super::nested_chain;
use super::unwinding;
use crate::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::*;

pub(super) fn assemble(mut lowerer: Lowerer<'_>, files: Vec<SourceFile>) -> Result<Program, Diagnostic> {
    let main = lowerer.functions.iter().position(|f| f.name == "main");
    let Some(main) = main.filter(|&id| lowerer.drafts[id].is_some()) else {
        return Err(Diagnostic::new("the program has no function `main`")
            .in_file(lowerer.name)
            .help("tandem analyses whole programs; add a `main` that calls what you want to analyse"));
    };
    let mut drafts = std::mem::take(&mut lowerer.drafts);
    finish::mark_addressed_functions(&mut lowerer, &drafts);
    unwinding::link(&mut lowerer, &mut drafts);
    nested_chain::link(&mut lowerer, &mut drafts);
    mmx::check(&mut lowerer, &mut drafts, FunctionId::new(main));
    let mut assembler =
        Assembler { lowerer, locations: Vec::new(), edges: Vec::new(), call_sites: Vec::new(), loops: Vec::new() };
    assembler.allocate_bodies(&drafts);
    for (id, draft) in drafts.iter().enumerate() {
        if let Some(draft) = draft {
            assembler.function(FunctionId::new(id), draft);
        }
    }
    Ok(finish::finish(assembler, FunctionId::new(main), files))
}

pub(super) struct Assembler<'a> {
    pub lowerer: Lowerer<'a>,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub call_sites: Vec<CallSite>,
    pub loops: Vec<Loop>,
}

/// Where the edges of one function go while it is assembled.
struct Context<'d> {
    function: FunctionId,
    draft: &'d Draft,
    places: FxHashMap<Place, LocationId>,
}

impl Assembler<'_> {
    /// Entry and exit first, so that calls can name them.
    fn allocate_bodies(&mut self, drafts: &[Option<Draft>]) {
        for (id, draft) in drafts.iter().enumerate() {
            if draft.is_some() {
                let function = FunctionId::new(id);
                let (entry, exit) = (self.location(function), self.location(function));
                self.lowerer.functions[id].body = Some(Body { entry, exit });
            }
        }
    }

    fn location(&mut self, function: FunctionId) -> LocationId {
        let id = LocationId::new(self.locations.len());
        self.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
        id
    }

    fn function(&mut self, function: FunctionId, draft: &Draft) {
        let Some(body) = self.lowerer.functions[function.index()].body else { return };
        let reachable = reachable_places(draft);
        let mut context = Context { function, draft, places: FxHashMap::default() };
        context.places.insert(draft.resolve(draft.entry), body.entry);
        context.places.insert(draft.resolve(draft.exit), body.exit);
        for edge in &draft.edges {
            if reachable[draft.resolve(edge.from) as usize] {
                self.edge(&mut context, edge);
            }
        }
        for &(head, keyword) in &draft.loops {
            if let Some(&head) = context.places.get(&draft.resolve(head)) {
                self.loops.push(Loop { function, head, keyword });
            }
        }
        let labels = draft.named_labels.iter().filter_map(|(name, place)| {
            context.places.get(&draft.resolve(*place)).map(|&location| (name.clone(), location))
        });
        self.lowerer.functions[function.index()].labels = labels.collect();
        self.lowerer.functions[function.index()].locals = draft.locals.clone();
    }

    fn place(&mut self, context: &mut Context<'_>, place: Place) -> LocationId {
        let place = context.draft.resolve(place);
        if let Some(&id) = context.places.get(&place) {
            return id;
        }
        let id = self.location(context.function);
        context.places.insert(place, id);
        id
    }

    fn edge(&mut self, context: &mut Context<'_>, edge: &DraftEdge) {
        let (from, to) = (self.place(context, edge.from), self.place(context, edge.to));
        match &edge.op {
            DraftOp::Plain(op) => {
                self.push(from, to, op.clone(), edge.span, edge.settles);
            }
            DraftOp::Call { callee: Callee::Function(callee), arguments, result } => {
                self.direct_call(from, to, *callee, arguments.clone(), *result, edge.span);
            }
            DraftOp::Call { callee: Callee::Pointer(pointer), arguments, result } => {
                self.indirect_call(context.function, from, to, *pointer, arguments, *result, edge.span);
            }
        }
    }

    fn push(&mut self, from: LocationId, to: LocationId, op: Op, span: Span, settles: Option<Outcome>) -> EdgeId {
        let id = EdgeId::new(self.edges.len());
        self.edges.push(Edge { from, to, op, span, settles });
        self.locations[from.index()].leaving.push(id);
        self.locations[to.index()].entering.push(id);
        id
    }

    fn unsupported(&mut self, from: LocationId, to: LocationId, what: String, span: Span) {
        let id = UnsupportedId::new(self.lowerer.unsupported.len());
        self.lowerer.unsupported.push(Unsupported { what, span });
        self.push(from, to, Op::Unsupported(id), span, None);
    }

    fn direct_call(
        &mut self,
        from: LocationId,
        to: LocationId,
        callee: FunctionId,
        arguments: Vec<ExprId>,
        result: Option<ExprId>,
        span: Span,
    ) {
        let site = CallSiteId::new(self.call_sites.len());
        let Some(body) = self.lowerer.functions[callee.index()].body else {
            let call = self.push(from, to, Op::External(site), span, None);
            self.call_sites.push(CallSite { callee: Callee::Function(callee), arguments, result, call, resume: None });
            return;
        };
        if !self.result_fits(callee, result) {
            let what = format!(
                "call of `{}` before its declaration, which gives it another result type",
                self.lowerer.functions[callee.index()].name
            );
            return self.unsupported(from, to, what, span);
        }
        let arguments = self.fit_arguments(callee, arguments);
        let call = self.push(from, body.entry, Op::Call(site), span, None);
        let resume = self.push(body.exit, to, Op::Resume(site), span, None);
        self.call_sites.push(CallSite {
            callee: Callee::Function(callee),
            arguments,
            result,
            call,
            resume: Some(resume),
        });
    }

    fn result_fits(&self, callee: FunctionId, result: Option<ExprId>) -> bool {
        let Some(result) = result else { return true };
        let own = self.lowerer.functions[callee.index()].result;
        own.is_some_and(|own| self.lowerer.variables[own.index()].ty == self.lowerer.exprs.ty(result))
    }

    /// Arguments of calls without a prototype get the types of the parameters; extra ones are dropped, as the callee
    /// cannot name them.
    fn fit_arguments(&mut self, callee: FunctionId, mut arguments: Vec<ExprId>) -> Vec<ExprId> {
        let parameters = self.lowerer.functions[callee.index()].parameters.clone();
        arguments.truncate(parameters.len());
        for (argument, parameter) in arguments.iter_mut().zip(parameters) {
            let ty = self.lowerer.variables[parameter.index()].ty;
            if self.lowerer.types.is_scalar(ty) {
                *argument = self.lowerer.cast(*argument, ty);
            }
        }
        arguments
    }

    /// A call through a pointer: compare with every function it may be, as CPAchecker does.
    #[expect(clippy::too_many_arguments, reason = "the parts of one edge")]
    fn indirect_call(
        &mut self,
        function: FunctionId,
        from: LocationId,
        to: LocationId,
        pointer: ExprId,
        arguments: &[ExprId],
        result: Option<ExprId>,
        span: Span,
    ) {
        let mut at = from;
        for candidate in finish::candidates(&self.lowerer, pointer, result) {
            let address = self.lowerer.function_address(candidate);
            let pointer_type = self.lowerer.exprs.ty(pointer);
            let address = self.lowerer.cast(address, pointer_type);
            let condition = self.lowerer.binary(BinaryOp::Eq, pointer, address);
            let (hit, next) = (self.location(function), self.location(function));
            self.push(at, hit, Op::Assume { condition, holds: true }, span, None);
            self.push(at, next, Op::Assume { condition, holds: false }, span, None);
            if finish::misses_arguments(&self.lowerer, pointer, candidate) {
                let name = &self.lowerer.functions[candidate.index()].name;
                let what = format!("call of the variadic function `{name}` through a pointer without a prototype");
                self.unsupported(hit, to, what, span);
            } else {
                self.direct_call(hit, to, candidate, arguments.to_vec(), result, span);
            }
            at = next;
        }
        let site = CallSiteId::new(self.call_sites.len());
        let call = self.push(at, to, Op::External(site), span, None);
        self.call_sites.push(CallSite {
            callee: Callee::Pointer(pointer),
            arguments: arguments.to_vec(),
            result,
            call,
            resume: None,
        });
    }
}

/// For each (resolved) place, whether a path inside the function leads there.
fn reachable_places(draft: &Draft) -> Vec<bool> {
    let mut leaving: FxHashMap<Place, Vec<Place>> = FxHashMap::default();
    for edge in &draft.edges {
        leaving.entry(draft.resolve(edge.from)).or_default().push(draft.resolve(edge.to));
    }
    let mut reached = vec![false; draft.places()];
    let mut work = vec![draft.resolve(draft.entry)];
    while let Some(place) = work.pop() {
        if !std::mem::replace(&mut reached[place as usize], true) {
            work.extend(leaving.get(&place).into_iter().flatten());
        }
    }
    reached
}
