//! A function's automaton while it is being built. Locations are local numbers; joining two of them makes one an alias,
//! so that jumps need no edges.

use super::nonlocal_jumps::Return;
use super::{Fail, Lowered, Lowerer};
use lang_c::span::Span as AstSpan;
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::program::*;

/// A location of the draft.
pub(super) type Place = u32;

#[derive(Clone, Debug)]
pub(super) enum DraftOp {
    Plain(Op),
    /// Whether it becomes a call edge, an external one or a dispatch over function pointers is known when all functions
    /// are known.
    Call {
        callee: Callee,
        arguments: Vec<ExprId>,
        result: Option<ExprId>,
    },
}

#[derive(Clone, Debug)]
pub(super) struct DraftEdge {
    pub from: Place,
    pub to: Place,
    pub op: DraftOp,
    pub span: Span,
    pub settles: Option<Outcome>,
}

/// The target of a branch, and the outcome of a decision that the branch settles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub place: Place,
    pub settles: Option<Outcome>,
}

/// Where `break` or `continue` goes, and how many variable-length arrays are alive there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub place: Place,
    pub arrays: usize,
}

/// A `switch` whose body is being lowered.
#[derive(Default)]
pub(super) struct OpenSwitch {
    /// Low and high value (equal but for GNU ranges), and where to go.
    pub cases: Vec<(i128, i128, Place)>,
    pub default: Option<Place>,
    /// The promoted type of the controlling expression.
    pub ty: Option<TypeId>,
}

pub(super) struct Draft {
    pub function: FunctionId,
    aliases: Vec<Place>,
    pub edges: Vec<DraftEdge>,
    /// Where the next operation goes.
    pub at: Place,
    pub entry: Place,
    pub exit: Place,
    pub labels: FxHashMap<String, Place>,
    /// Labels in order of appearance, for the program's list.
    pub named_labels: Vec<(String, Place)>,
    pub breaks: Vec<Exit>,
    pub continues: Vec<Exit>,
    /// Variable-length arrays that are alive and may be declared again: where the stack was before each of them.
    pub arrays: Vec<ExprId>,
    /// Those that are alive at each label so far.
    pub label_arrays: FxHashMap<String, Vec<ExprId>>,
    pub switches: Vec<OpenSwitch>,
    pub loops: Vec<(Place, Span)>,
    pub result: Option<VarId>,
    pub result_type: TypeId,
    /// Names under some `&` in this function: variables that a call may change.
    pub addressed: FxHashSet<String>,
    pub locals: Vec<VarId>,
    /// The edges that are made now will be thrown away.
    pub is_scratch: bool,
    /// In a variadic function: has the address of the variadic arguments.
    pub variadic: Option<VarId>,
    /// The calls of `setjmp`.
    pub returns: Vec<Return>,
    /// Where a jump out of the function goes first; see `unwinding`.
    pub unwinding: Option<Place>,
}

impl Draft {
    pub fn new(function: FunctionId, result_type: TypeId) -> Self {
        let mut draft = Draft {
            function,
            aliases: Vec::new(),
            edges: Vec::new(),
            at: 0,
            entry: 0,
            exit: 0,
            labels: FxHashMap::default(),
            named_labels: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            arrays: Vec::new(),
            label_arrays: FxHashMap::default(),
            switches: Vec::new(),
            loops: Vec::new(),
            result: None,
            result_type,
            addressed: FxHashSet::default(),
            locals: Vec::new(),
            is_scratch: false,
            variadic: None,
            returns: Vec::new(),
            unwinding: None,
        };
        draft.entry = draft.place();
        draft.exit = draft.place();
        draft.at = draft.entry;
        draft
    }

    /// A fresh location without edges.
    pub fn place(&mut self) -> Place {
        let id = self.aliases.len() as Place;
        self.aliases.push(id);
        id
    }

    pub fn places(&self) -> usize {
        self.aliases.len()
    }

    /// The location that `place` has become.
    pub fn resolve(&self, mut place: Place) -> Place {
        while self.aliases[place as usize] != place {
            place = self.aliases[place as usize];
        }
        place
    }

    pub fn add(&mut self, from: Place, target: Target, op: DraftOp, span: Span) {
        self.edges.push(DraftEdge { from, to: target.place, op, span, settles: target.settles });
    }

    /// Ends the current location in `target`: they become one. `at` must have no leaving edges, which holds for every
    /// location that statements end in. A location that would be joined with itself (`L: goto L;`) gets an edge.
    pub fn join(&mut self, target: Place, span: Span) {
        let (from, to) = (self.resolve(self.at), self.resolve(target));
        if from == to || from == self.resolve(self.entry) {
            self.edges.push(DraftEdge { from, to, op: DraftOp::Plain(Op::Skip), span, settles: None });
        } else {
            self.aliases[from as usize] = to;
        }
        self.at = self.place();
    }

    /// Like `join`, and goes on at `target`.
    pub fn continue_at(&mut self, target: Place, span: Span) {
        self.join(target, span);
        self.at = target;
    }

    /// Places from number `first` on that something leads to and nothing leaves, except for the current one, for
    /// labels, and for places behind calls that do not return.
    pub fn open_ends(&self, first: usize, noreturn: &FxHashSet<FunctionId>) -> Vec<Place> {
        let (mut entered, mut left) = (FxHashSet::default(), FxHashSet::default());
        for edge in &self.edges {
            left.insert(self.resolve(edge.from));
            let ends = matches!(&edge.op, DraftOp::Call { callee: Callee::Function(id), .. } if noreturn.contains(id));
            if !ends {
                entered.insert(self.resolve(edge.to));
            }
        }
        let kept: FxHashSet<Place> =
            self.labels.values().chain([&self.at, &self.exit]).map(|&place| self.resolve(place)).collect();
        let new = (first..self.places()).map(|place| place as Place).filter(|&place| self.resolve(place) == place);
        new.filter(|place| entered.contains(place) && !left.contains(place) && !kept.contains(place)).collect()
    }

    pub fn label(&mut self, name: &str) -> Place {
        if let Some(&place) = self.labels.get(name) {
            return place;
        }
        let place = self.place();
        self.labels.insert(name.to_owned(), place);
        place
    }
}

impl Lowerer<'_> {
    /// The function being lowered; at file scope nothing can be executed.
    pub fn draft(&mut self, span: AstSpan) -> Lowered<&mut Draft> {
        let at = self.span(span);
        let what = match self.one_expression {
            true => "a call, or something else that does more than compute a value",
            false => "initialiser that is not constant",
        };
        self.current.as_mut().ok_or_else(|| Fail::Unsupported { what: what.into(), span: at })
    }

    /// Appends an operation at the current location.
    pub fn emit(&mut self, op: Op, span: AstSpan) -> Lowered<()> {
        self.emit_draft(DraftOp::Plain(op), span)
    }

    pub fn emit_draft(&mut self, op: DraftOp, span: AstSpan) -> Lowered<()> {
        let at = self.span(span);
        let draft = self.draft(span)?;
        let (from, to) = (draft.at, draft.place());
        draft.add(from, Target { place: to, settles: None }, op, at);
        draft.at = to;
        Ok(())
    }

    /// A fresh temporary of the current function.
    pub fn temporary(&mut self, ty: TypeId, span: AstSpan) -> Lowered<VarId> {
        let function = self.draft(span)?.function;
        let id = self.add_variable(Variable {
            name: "__tandem_tmp".into(),
            unique_name: String::new(),
            ty,
            storage: Storage::Temporary,
            function: Some(function),
            span: self.span(span),
            address_taken: false,
            align: None,
            initializer: Vec::new(),
        });
        self.draft(span)?.locals.push(id);
        Ok(id)
    }

    pub fn add_variable(&mut self, variable: Variable) -> VarId {
        let id = VarId::new(self.variables.len());
        self.variables.push(variable);
        self.parted.forget(id);
        id
    }

    /// The place that a variable is.
    pub fn variable_expr(&mut self, id: VarId) -> ExprId {
        let ty = self.variables[id.index()].ty;
        self.exprs.intern(ExprKind::Var(id), ty)
    }

    pub fn assign(&mut self, target: ExprId, value: ExprId, span: AstSpan) -> Lowered<()> {
        if self.retarget(target, value) {
            return Ok(());
        }
        self.emit(Op::Assign { target, value }, span)
    }

    /// `x = f()` needs no temporary: where the value is the result of the operation just emitted, that operation
    /// writes to the variable itself.
    fn retarget(&mut self, target: ExprId, value: ExprId) -> bool {
        let is_variable = matches!(self.exprs.kind(target), ExprKind::Var(_));
        if !is_variable || self.exprs.ty(target) != self.exprs.ty(value) || !self.is_temporary(value) {
            return false;
        }
        let Some(draft) = &mut self.current else { return false };
        let at = draft.at;
        let Some(edge) = draft.edges.last_mut().filter(|edge| edge.to == at) else { return false };
        let result = match &mut edge.op {
            DraftOp::Call { result, .. } => result,
            DraftOp::Plain(Op::Input { target, .. }) => target,
            _ => return false,
        };
        if *result != Some(value) {
            return false;
        }
        *result = Some(target);
        true
    }

    fn is_temporary(&self, value: ExprId) -> bool {
        match self.exprs.kind(value) {
            ExprKind::Var(id) => self.variables[id.index()].storage == Storage::Temporary,
            _ => false,
        }
    }

    /// Keeps a value for later in a temporary of its own.
    pub fn save(&mut self, value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        // A temporary is written once before it is read.
        if self.is_temporary(value) {
            return Ok(value);
        }
        // The copy of a bit-field promotes by its width, not by its declared type.
        let value = match self.bit_field_type(value) {
            Some(ty) => self.cast(value, ty),
            None => value,
        };
        let ty = self.exprs.ty(value);
        let temporary = self.temporary(ty, span)?;
        let place = self.variable_expr(temporary);
        self.assign(place, value, span)?;
        Ok(place)
    }

    /// Lowers without effect, for `sizeof e` and `typeof(e)`: the edges are thrown away.
    pub fn unevaluated<T>(&mut self, work: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let mut scratch = match &self.current {
            Some(draft) => Draft::new(draft.function, draft.result_type),
            None => Draft::new(self.within.unwrap_or(FunctionId(0)), self.common.void),
        };
        scratch.is_scratch = true;
        let saved = self.current.replace(scratch);
        let (variables, decisions) = (self.variables.len(), self.decisions.len());
        let result = work(self);
        // String literals are shared by content, so they stay.
        if self.variables[variables..].iter().all(|v| v.storage == Storage::Temporary) {
            self.variables.truncate(variables);
        }
        self.decisions.truncate(decisions);
        self.current = saved;
        result
    }
}
