//! Puts code into a program: new locations and edges, branches on expressions, and calls that must not happen.
//! Locations and edges of the original program keep their numbers, so that they mean the same in the result.

use std::collections::{BTreeMap, BTreeSet};
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::execution::ComparedValues;
use tandem_plugin_api::service::formulas::Expressions;

/// The function to call where a check fails; no C program has a function of this name.
pub const FAILED: &str = "__tandem_check_failed";

/// A program that is being changed.
pub struct Editor {
    pub program: Program,
    /// All expressions, those of the program included.
    pub expressions: Expressions,
    /// Conditions that were inserted.
    pub parts: usize,
    /// The function that is called where something must not happen.
    failed: String,
}

impl Editor {
    /// `failed` names the function that is called where something must not happen; it is declared if the program does
    /// not have it.
    pub fn new(original: &Program, failed: &str) -> Self {
        let (program, expressions) = (original.clone(), Expressions::of(original));
        Editor { program, expressions, parts: 0, failed: failed.to_string() }
    }

    pub fn finish(mut self) -> Program {
        self.program.types = self.expressions.types;
        self.program.exprs = self.expressions.exprs;
        self.program
    }

    pub fn location(&mut self, function: FunctionId) -> LocationId {
        self.program.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
        LocationId::new(self.program.locations.len() - 1)
    }

    pub fn edge(&mut self, from: LocationId, to: LocationId, op: Op) -> EdgeId {
        let id = EdgeId::new(self.program.edges.len());
        self.program.edges.push(Edge { from, to, op, span: Span::NOWHERE, settles: None });
        self.program.locations[from.index()].leaving.push(id);
        self.program.locations[to.index()].entering.push(id);
        id
    }

    /// Moves the edges that leave a location to a new location behind it.
    pub fn split(&mut self, location: LocationId) -> LocationId {
        let function = self.program.location(location).function;
        let behind = self.location(function);
        let leaving = std::mem::take(&mut self.program.locations[location.index()].leaving);
        for &edge in &leaving {
            self.program.edges[edge.index()].from = behind;
        }
        self.program.locations[behind.index()].leaving = leaving;
        behind
    }

    /// A new location to which an edge leads from now on; the caller adds the way from there to the edge's old target.
    pub fn cut(&mut self, edge: EdgeId) -> LocationId {
        let to = self.program.edge(edge).to;
        let function = self.program.location(to).function;
        let between = self.location(function);
        self.program.locations[to.index()].entering.retain(|other| *other != edge);
        self.program.locations[between.index()].entering.push(edge);
        self.program.edges[edge.index()].to = between;
        between
    }

    /// A new global variable with the value zero, as a place.
    pub fn global(&mut self, name: &str, kind: IntKind) -> ExprId {
        let ty = self.expressions.types.int(kind);
        let id = VarId::new(self.program.variables.len());
        self.program.variables.push(Variable {
            name: name.to_string(),
            unique_name: name.to_string(),
            ty,
            storage: Storage::Global,
            function: None,
            span: Span::NOWHERE,
            address_taken: false,
            align: None,
            initializer: Vec::new(),
        });
        self.expressions.exprs.intern(ExprKind::Var(id), ty)
    }

    /// An integer constant of the type of another expression.
    pub fn constant_like(&mut self, like: ExprId, value: i128) -> ExprId {
        let ty = self.expressions.exprs.ty(like);
        self.expressions.exprs.intern(ExprKind::Int(value), ty)
    }

    /// An operator on operands of one type; comparisons are `int`, all else has the type of the operands.
    pub fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let operands = self.expressions.exprs.ty(lhs);
        let ty = if op.is_comparison() { self.expressions.types.int(IntKind::Int) } else { operands };
        self.expressions.exprs.intern(ExprKind::Binary { op, lhs, rhs }, ty)
    }

    /// The parts of a conjunction.
    pub fn conjuncts(&self, root: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            match self.expressions.exprs.kind(id) {
                ExprKind::And { lhs, rhs } => work.extend([rhs, lhs]),
                _ => found.push(id),
            }
        }
        found
    }

    /// Whether code can be made for a condition: `&&`, `||` and `?:` become branches, and must not be inside of other
    /// operators.
    pub fn can_branch(&self, id: ExprId) -> bool {
        match self.expressions.exprs.kind(id) {
            ExprKind::And { lhs, rhs } | ExprKind::Or { lhs, rhs } => self.can_branch(lhs) && self.can_branch(rhs),
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|part| self.can_branch(part))
            }
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => self.can_branch(operand),
            _ => self.truth_value(id).map_or_else(|| self.is_plain(id), |operand| self.can_branch(operand)),
        }
    }

    /// The operand that decides `e != 0` or a cast of a truth value, where `e` is a truth value itself.
    fn truth_value(&self, id: ExprId) -> Option<ExprId> {
        let exprs = &self.expressions.exprs;
        let is_truth = |id: ExprId| {
            matches!(
                exprs.kind(id),
                ExprKind::And { .. } | ExprKind::Or { .. } | ExprKind::Unary { op: UnaryOp::LogicalNot, .. }
            )
        };
        match exprs.kind(id) {
            ExprKind::Cast(inner) if is_truth(inner) => Some(inner),
            ExprKind::Binary { op: BinaryOp::Ne, lhs, rhs } if exprs.as_int(rhs) == Some(0) && is_truth(lhs) => {
                Some(lhs)
            }
            _ => None,
        }
    }

    fn is_plain(&self, id: ExprId) -> bool {
        let mut plain = true;
        self.expressions.exprs.walk(id, &mut |part| {
            let kind = self.expressions.exprs.kind(part);
            plain &= !matches!(
                kind,
                ExprKind::And { .. } | ExprKind::Or { .. } | ExprKind::Conditional { .. } | ExprKind::Zeroed
            );
        });
        plain
    }

    /// Goes to `yes` where the condition holds, and to `no` elsewhere.
    pub fn branch(&mut self, at: LocationId, id: ExprId, yes: LocationId, no: LocationId) {
        self.branch_if_defined(at, id, [yes, no], None);
    }

    /// Goes to the first place where the condition holds, to the second where it does not, and to `undefined`, if that
    /// is given, where its evaluation would divide by zero, overflow in a division, or shift too far.
    pub fn branch_if_defined(
        &mut self,
        at: LocationId,
        id: ExprId,
        to: [LocationId; 2],
        undefined: Option<LocationId>,
    ) {
        let function = self.program.location(at).function;
        let [yes, no] = to;
        match self.expressions.exprs.kind(id) {
            ExprKind::And { lhs, rhs } => {
                let middle = self.location(function);
                self.branch_if_defined(at, lhs, [middle, no], undefined);
                self.branch_if_defined(middle, rhs, to, undefined);
            }
            ExprKind::Or { lhs, rhs } => {
                let middle = self.location(function);
                self.branch_if_defined(at, lhs, [yes, middle], undefined);
                self.branch_if_defined(middle, rhs, to, undefined);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (first, second) = (self.location(function), self.location(function));
                self.branch_if_defined(at, condition, [first, second], undefined);
                self.branch_if_defined(first, then, to, undefined);
                self.branch_if_defined(second, otherwise, to, undefined);
            }
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => {
                self.branch_if_defined(at, operand, [no, yes], undefined);
            }
            _ => match self.truth_value(id) {
                Some(operand) => self.branch_if_defined(at, operand, to, undefined),
                None => {
                    let at = undefined.map_or(at, |undefined| self.defined(at, id, undefined));
                    self.parts += 1;
                    self.take_addresses(id);
                    self.edge(at, yes, Op::Assume { condition: id, holds: true });
                    self.edge(at, no, Op::Assume { condition: id, holds: false });
                }
            },
        }
    }

    /// A location that is reached only where the operators of an expression are defined.
    fn defined(&mut self, mut at: LocationId, root: ExprId, undefined: LocationId) -> LocationId {
        let function = self.program.location(at).function;
        let mut conditions = Vec::new();
        for (op, lhs, rhs) in self.partial_operators(root) {
            let signed = |editor: &Self, id| editor.word_shape(id).is_some_and(|(_, signed)| signed);
            let (bits, zero) = (self.word_shape(lhs).map_or(0, |(bits, _)| bits), self.constant_like(rhs, 0));
            if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                conditions.push((self.binary(BinaryOp::Ne, rhs, zero), None));
                if signed(self, lhs) && bits > 0 {
                    let (minus, least) =
                        (self.constant_like(rhs, -1), self.constant_like(lhs, i128::MIN >> (128 - bits)));
                    let large = self.binary(BinaryOp::Ne, lhs, least);
                    conditions.push((self.binary(BinaryOp::Ne, rhs, minus), Some(large)));
                }
            } else {
                let width = self.constant_like(rhs, bits.into());
                conditions.push((self.binary(BinaryOp::Lt, rhs, width), None));
                if signed(self, rhs) {
                    conditions.push((self.binary(BinaryOp::Ge, rhs, zero), None));
                }
            }
        }
        for (condition, or) in conditions {
            let next = self.location(function);
            let otherwise = or.map_or(undefined, |_| self.location(function));
            self.branch(at, condition, next, otherwise);
            if let Some(or) = or {
                self.branch(otherwise, or, next, undefined);
            }
            at = next;
        }
        at
    }

    /// The divisions and shifts of integers whose second operand does not show that they are defined, inner ones first.
    pub fn partial_operators(&self, root: ExprId) -> Vec<(BinaryOp, ExprId, ExprId)> {
        let exprs = &self.expressions.exprs;
        let mut found = Vec::new();
        exprs.walk(root, &mut |id| {
            let ExprKind::Binary { op, lhs, rhs } = exprs.kind(id) else { return };
            let Some((bits, _)) = self.word_shape(lhs) else { return };
            let is_total = match op {
                BinaryOp::Div | BinaryOp::Rem => exprs.as_int(rhs).is_some_and(|divisor| divisor != 0 && divisor != -1),
                BinaryOp::Shl | BinaryOp::Shr => {
                    exprs.as_int(rhs).is_some_and(|by| (0..i128::from(bits)).contains(&by))
                }
                _ => true,
            };
            if !is_total {
                found.push((op, lhs, rhs));
            }
        });
        found.reverse();
        found
    }

    fn word_shape(&self, id: ExprId) -> Option<(u32, bool)> {
        self.expressions.types.word_shape(self.expressions.exprs.ty(id))
    }

    /// Whether an expression reads memory that may not be there: through pointers, or elements that are not shown to be
    /// inside.
    pub fn reads_beyond(&self, root: ExprId) -> bool {
        let exprs = &self.expressions.exprs;
        let mut beyond = false;
        exprs.walk(root, &mut |id| match exprs.kind(id) {
            ExprKind::Deref(_) => beyond = true,
            ExprKind::Index { base, index } => {
                let inside = |length: u64| exprs.as_int(index).is_some_and(|at| (0..i128::from(length)).contains(&at));
                beyond |= match self.expressions.types.get(exprs.ty(base)) {
                    Type::Array { length, .. } => !inside(*length),
                    _ => true,
                };
            }
            _ => {}
        });
        beyond
    }

    /// Notes that objects whose address an inserted expression takes can be reached through a pointer from now on.
    fn take_addresses(&mut self, id: ExprId) {
        let mut taken = Vec::new();
        self.expressions.exprs.walk(id, &mut |part| {
            let ExprKind::AddressOf(mut place) = self.expressions.exprs.kind(part) else { return };
            while let ExprKind::Field { base, .. } | ExprKind::Index { base, .. } = self.expressions.exprs.kind(place) {
                place = base;
            }
            if let ExprKind::Var(variable) = self.expressions.exprs.kind(place) {
                taken.push(variable);
            }
        });
        taken.into_iter().for_each(|variable| self.program.variables[variable.index()].address_taken = true);
    }

    /// Compares all places that expressions mention with zero, one after the other, so that an execution that records
    /// comparisons has their values. The edges, each with its place, go to `probes`.
    pub fn probe(&mut self, mut at: LocationId, roots: &[ExprId], probes: &mut Vec<(EdgeId, ExprId)>) -> LocationId {
        let mut places = BTreeSet::new();
        for &root in roots {
            self.expressions.exprs.walk(root, &mut |id| {
                let ty = self.expressions.exprs.ty(id);
                let is_word = self.expressions.types.is_integer(ty) || self.expressions.types.is_pointer(ty);
                if is_word && self.is_fixed_place(id) {
                    places.insert(id);
                }
            });
        }
        let function = self.program.location(at).function;
        for place in places {
            let zero = self.constant_like(place, 0);
            let condition = self.binary(BinaryOp::Ne, place, zero);
            let next = self.location(function);
            for holds in [true, false] {
                probes.push((self.edge(at, next, Op::Assume { condition, holds }), place));
            }
            at = next;
        }
        at
    }

    /// Whether a place can be read in every state.
    fn is_fixed_place(&self, id: ExprId) -> bool {
        match self.expressions.exprs.kind(id) {
            ExprKind::Var(_) => true,
            ExprKind::Field { base, .. } => self.is_fixed_place(base),
            ExprKind::Index { base, index } => {
                self.is_fixed_place(base) && self.expressions.exprs.as_int(index).is_some()
            }
            _ => false,
        }
    }

    /// An edge that must not be taken: a call of the function that the editor was made with.
    pub fn fail(&mut self, from: LocationId, to: LocationId) -> EdgeId {
        let callee = Callee::Function(self.failure_function());
        let site = CallSiteId::new(self.program.call_sites.len());
        let call = self.edge(from, to, Op::External(site));
        self.program.call_sites.push(CallSite { callee, arguments: Vec::new(), result: None, call, resume: None });
        call
    }

    fn failure_function(&mut self) -> FunctionId {
        if let Some(known) = self.program.function_named(&self.failed) {
            return known;
        }
        let void = self.expressions.types.intern(Type::Void);
        let kind = Type::Function { result: void, parameters: Vec::new(), variadic: false, prototyped: true };
        let ty = self.expressions.types.intern(kind);
        let id = FunctionId::new(self.program.functions.len());
        self.program.functions.push(Function::declared(self.failed.clone(), ty));
        id
    }
}

/// The last values of probed places, each as the place in C and the value.
pub fn probed_values(
    program: &Program,
    probes: &[(EdgeId, ExprId)],
    compared: &[ComparedValues],
) -> Vec<(String, String)> {
    let mut last = BTreeMap::new();
    for compared in compared {
        if let Some((_, place)) = probes.iter().find(|(edge, _)| *edge == compared.edge) {
            last.insert(*place, compared.left);
        }
    }
    let shown = |place, bits: u64| {
        let is_signed = program.types.word_shape(program.exprs.ty(place)).is_some_and(|(_, signed)| signed);
        if is_signed { (bits as i64).to_string() } else { bits.to_string() }
    };
    last.into_iter().map(|(place, bits)| (program.expr_to_c(place), shown(place, bits))).collect()
}
