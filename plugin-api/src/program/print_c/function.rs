//! A function's automaton as C with `goto`: locations in an order that lets most edges fall through, labels only where
//! something jumps.

use super::super::{
    CallSiteId, Callee, Edge, EdgeId, ExprId, ExprKind, Function, FunctionId, LocationId, Op, Span, Type, VarId,
};
use super::types::parameter_list;
use super::{PrintOptions, Printer, Used};
use crate::library::never_returns;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What stands on one line of a body.
enum Line {
    Label(LocationId),
    Statement(String, Span),
    Goto(LocationId),
    /// `if (condition) goto target;`
    GotoIf(String, LocationId, Span),
}

impl Printer<'_> {
    /// The definition of a function that has a body.
    pub(super) fn function_definition(&mut self, id: FunctionId, options: &PrintOptions) -> String {
        let function = self.program.function(id);
        // Only what this body mentions is declared in it.
        let outer = std::mem::take(&mut self.used);
        let lines = self.body(function, options);
        let body = render(self, &lines, options);
        let header = self.function_header(function);
        let locals = self.local_declarations(function);
        let inner = std::mem::replace(&mut self.used, outer);
        self.used.add(inner);
        format!("{header}\n{{\n{locals}{body}}}\n")
    }

    /// The declaration that fits the definition. Parameter types are those of the variables: a variable-length array
    /// is a pointer there.
    pub(super) fn function_prototype(&mut self, function: &Function) -> String {
        let Type::Function { prototyped, result, .. } = *self.program.types.get(function.ty) else {
            return self.function_header(function);
        };
        if prototyped {
            return self.function_header(function);
        }
        let declarator = format!("{}()", function.name);
        format!("{}{}", self.linkage(function), self.declaration(result, &declarator))
    }

    /// `static int f(int a, char *b)`, or the old style for a function that has no prototype.
    fn function_header(&mut self, function: &Function) -> String {
        let Type::Function { result, variadic, prototyped, .. } = *self.program.types.get(function.ty) else {
            return format!("int {}()", function.name);
        };
        self.need_complete(result);
        let mut named = Vec::new();
        let mut declared = Vec::new();
        for &parameter in &function.parameters {
            let variable = self.program.variable(parameter);
            self.need_complete(variable.ty);
            named.push(variable.unique_name.clone());
            declared.push(self.declaration(variable.ty, &variable.unique_name));
        }
        let linkage = self.linkage(function);
        if prototyped {
            let declarator = format!("{}{}", function.name, parameter_list(declared, variadic));
            return format!("{linkage}{}", self.declaration(result, &declarator));
        }
        let declarator = format!("{}({})", function.name, named.join(", "));
        let old_style: String = declared.iter().map(|d| format!("\n  {d};")).collect();
        format!("{linkage}{}{old_style}", self.declaration(result, &declarator))
    }

    /// Everything but `main` is static: a function that is called like one of the C library must not replace it.
    fn linkage(&self, function: &Function) -> &'static str {
        if function.name == self.program.function(self.program.main).name { "" } else { "static " }
    }

    fn local_declarations(&mut self, function: &Function) -> String {
        let mut out = String::new();
        let locals = function.locals.iter().chain(&function.result);
        let mentioned: Vec<VarId> = locals.copied().filter(|v| self.used.variables.contains(v)).collect();
        for id in mentioned {
            let variable = self.program.variable(id);
            self.need_complete(variable.ty);
            let _ = writeln!(out, "  {};", self.variable_declaration(variable));
        }
        out
    }

    fn body(&mut self, function: &Function, options: &PrintOptions) -> Vec<Line> {
        let Some(body) = function.body else { return Vec::new() };
        let order: Vec<LocationId> = self.print_order(body.entry).into_iter().filter(|&at| at != body.exit).collect();
        let mut lines = Vec::new();
        for (position, &at) in order.iter().enumerate() {
            lines.push(Line::Label(at));
            self.location(function, at, order.get(position + 1).copied(), options, &mut lines);
        }
        // Falling off the end returns.
        lines.push(Line::Label(body.exit));
        lines
    }

    /// Reverse postorder in which the first way out of a location comes right after it.
    fn print_order(&self, entry: LocationId) -> Vec<LocationId> {
        let successors = |at| self.program.local_successors(at).map(|(_, to)| to).collect::<Vec<_>>();
        let mut seen = BTreeSet::from([entry]);
        let mut order = Vec::new();
        let mut stack = vec![(entry, successors(entry))];
        while let Some((at, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) => {
                    if seen.insert(next) {
                        stack.push((next, successors(next)));
                    }
                }
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// The lines for the edges that leave one location.
    fn location(
        &mut self,
        function: &Function,
        at: LocationId,
        next: Option<LocationId>,
        options: &PrintOptions,
        lines: &mut Vec<Line>,
    ) {
        let program = self.program;
        let is_resume = |id: &EdgeId| matches!(program.edge(*id).op, Op::Resume(_));
        let leaving: Vec<&Edge> =
            program.location(at).leaving.iter().filter(|id| !is_resume(id)).map(|&id| program.edge(id)).collect();
        match leaving[..] {
            [] => self.dead_end(at, lines),
            [first, second] if complementary(first, second).is_some() => {
                let Some((condition, yes, no)) = complementary(first, second) else { return };
                let span = first.span;
                if next == Some(yes) {
                    lines.push(Line::GotoIf(self.negated_condition(condition), no, span));
                    lines.push(Line::Goto(yes));
                } else {
                    lines.push(Line::GotoIf(self.condition(condition).text, yes, span));
                    lines.push(Line::Goto(no));
                }
            }
            [edge] if !matches!(edge.op, Op::Assume { .. }) => self.edge(function, edge, options, lines),
            _ => self.choice(function, &leaving, options, lines),
        }
    }

    /// Several ways that are not the two sides of one condition: the first that can be taken is, others by chance.
    fn choice(&mut self, function: &Function, leaving: &[&Edge], options: &PrintOptions, lines: &mut Vec<Line>) {
        for edge in leaving {
            if let Op::Assume { condition, holds } = edge.op {
                let text = if holds { self.condition(condition).text } else { self.negated_condition(condition) };
                lines.push(Line::GotoIf(text, edge.to, edge.span));
            }
        }
        let others: Vec<&&Edge> = leaving.iter().filter(|e| !matches!(e.op, Op::Assume { .. })).collect();
        for (position, edge) in others.iter().enumerate() {
            let mut inner = Vec::new();
            self.edge(function, edge, options, &mut inner);
            if position + 1 == others.len() {
                lines.extend(inner);
                continue;
            }
            self.used.any_value.insert(("__tandem_any_int".into(), "int __tandem_any_int(void)".into()));
            lines.push(Line::Statement("if (__tandem_any_int()) {".into(), edge.span));
            lines.extend(inner);
            lines.push(Line::Statement("}".into(), edge.span));
        }
        if others.is_empty() {
            self.give_up(lines);
        }
    }

    /// No way leads on: a violated assumption, or the rest of a call that does not return.
    fn dead_end(&mut self, at: LocationId, lines: &mut Vec<Line>) {
        let program = self.program;
        let entering = &program.location(at).entering;
        let after_end = entering
            .iter()
            .all(|&id| program.called_function(id).is_some_and(|f| never_returns(&program.function(f).name)));
        if entering.is_empty() || !after_end {
            self.give_up(lines);
        }
    }

    fn give_up(&mut self, lines: &mut Vec<Line>) {
        let own_assume = self.program.function_named("__VERIFIER_assume");
        if own_assume.is_none_or(|f| self.program.function(f).body.is_none()) {
            self.used.assume = true;
            lines.push(Line::Statement("__VERIFIER_assume(0);".into(), Span::NOWHERE));
        }
        self.abort(lines);
    }

    fn abort(&mut self, lines: &mut Vec<Line>) {
        let own = self.program.function_named("abort").is_some_and(|f| self.program.function(f).body.is_some());
        self.used.abort |= !own;
        let text = if own { "__builtin_trap();" } else { "abort();" };
        lines.push(Line::Statement(text.into(), Span::NOWHERE));
    }

    /// A single edge other than an assumption, and the jump to where it leads.
    fn edge(&mut self, function: &Function, edge: &Edge, options: &PrintOptions, lines: &mut Vec<Line>) {
        let statement = |text: String| Line::Statement(text, edge.span);
        let mut to = Some(edge.to);
        match &edge.op {
            Op::Skip | Op::Assume { .. } | Op::Resume(_) => {}
            Op::Assign { target, value } => lines.push(statement(self.assignment(*target, *value))),
            Op::Declare(variable) => {
                if options.zero_declared {
                    lines.push(statement(self.zeroed_variable(*variable)));
                }
            }
            Op::External(site) if options.zero_declared && self.is_frame_allocation(*site) => {
                lines.push(statement(self.zeroed_allocation(*site)));
            }
            Op::Input { .. } | Op::External(_) => lines.push(statement(self.call_statement(&edge.op))),
            Op::Havoc { target } => lines.push(statement(self.any_value(*target))),
            Op::Call(site) => {
                lines.push(statement(self.call_statement(&edge.op)));
                to = self.program.return_location(*site);
                if to.is_none() {
                    self.give_up(lines);
                }
            }
            Op::Return(value) => {
                let returns_value = function.result.is_some();
                match value {
                    Some(value) if returns_value => {
                        lines.push(statement(format!("return {};", self.assigned(*value).text)));
                        to = None;
                    }
                    // In a function that should return a value, fall off the end as the original does.
                    None if returns_value => {}
                    _ => {
                        lines.push(statement("return;".into()));
                        to = None;
                    }
                }
            }
            Op::Unsupported(what) => {
                let what = self.program.unsupported.get(what.index()).map_or("", |entry| entry.what.as_str());
                lines.push(statement(format!("/* unsupported: {} */", what.replace("*/", "* /"))));
                self.abort(lines);
                to = None;
            }
        }
        if let Some(to) = to {
            lines.push(Line::Goto(to));
        }
    }

    fn assignment(&mut self, target: ExprId, value: ExprId) -> String {
        let ty = self.program.exprs.ty(target);
        let place = self.any_type(target);
        let is_aggregate = self.program.types.is_aggregate(ty);
        if self.program.exprs.kind(value) == ExprKind::Zeroed {
            return if is_aggregate { memset_zero(&place.text) } else { format!("{} = 0;", place.text) };
        }
        if matches!(self.program.types.get(ty), Type::Array { .. } | Type::IncompleteArray { .. }) {
            let value = self.any_type(value).text;
            return format!("__builtin_memcpy(&({}), &({value}), sizeof({}));", place.text, place.text);
        }
        format!("{} = {};", place.text, self.assigned(value).text)
    }

    /// The memory of a variable-length array is allocated where its lifetime begins.
    fn is_frame_allocation(&self, site: CallSiteId) -> bool {
        let site = self.program.call_site(site);
        matches!(site.callee, Callee::Function(f) if self.program.function(f).name == "__builtin_alloca")
            && site.arguments.len() == 1
            && site.result.is_some()
    }

    fn zeroed_allocation(&mut self, site: CallSiteId) -> String {
        let site = self.program.call_site(site);
        let allocation = self.call(site);
        let size = site.arguments.first().map_or("0".into(), |&size| self.assigned(size).text);
        let value = format!("__builtin_memset({allocation}, 0, {size})");
        match site.result {
            Some(target) => format!("{} = {value};", self.any_type(target).text),
            None => format!("{value};"),
        }
    }

    fn zeroed_variable(&mut self, id: VarId) -> String {
        self.used.variables.insert(id);
        let variable = self.program.variable(id);
        if self.program.types.is_aggregate(variable.ty) {
            memset_zero(&variable.unique_name)
        } else {
            format!("{} = 0;", variable.unique_name)
        }
    }
}

fn memset_zero(place: &str) -> String {
    format!("__builtin_memset(&({place}), 0, sizeof({place}));")
}

/// The condition and both targets, if these are the two sides of one condition.
fn complementary(a: &Edge, b: &Edge) -> Option<(ExprId, LocationId, LocationId)> {
    match (&a.op, &b.op) {
        (&Op::Assume { condition, holds: a_holds }, &Op::Assume { condition: b_condition, holds: b_holds })
            if condition == b_condition && a_holds != b_holds =>
        {
            Some(if a_holds { (condition, a.to, b.to) } else { (condition, b.to, a.to) })
        }
        _ => None,
    }
}

/// Lines as text: a jump to the label that follows is left out, and so are labels that nothing jumps to.
fn render(printer: &Printer<'_>, lines: &[Line], options: &PrintOptions) -> String {
    let falls_through = |position: usize, to: LocationId| {
        lines[position + 1..]
            .iter()
            .take_while(|line| matches!(line, Line::Label(_)))
            .any(|line| matches!(line, Line::Label(at) if *at == to))
    };
    let mut targets = BTreeSet::new();
    for (position, line) in lines.iter().enumerate() {
        match line {
            Line::Goto(to) if !falls_through(position, *to) => {
                targets.insert(*to);
            }
            Line::GotoIf(_, to, _) => {
                targets.insert(*to);
            }
            _ => {}
        }
    }
    let mut out = String::new();
    let mut last_line = (String::new(), 0);
    let mut pending_label = false;
    for (position, line) in lines.iter().enumerate() {
        if options.line_directives
            && let Line::Statement(_, span) | Line::GotoIf(_, _, span) = line
            && span.is_somewhere()
        {
            let here = (printer.program.file_name(*span).to_string(), span.line);
            if here != last_line {
                let _ = writeln!(out, "#line {} {}", here.1, super::constant::string(here.0.as_bytes()));
                last_line = here;
            }
        }
        match line {
            Line::Label(at) if targets.contains(at) => {
                let _ = writeln!(out, "L{}:", at.index());
                pending_label = true;
                continue;
            }
            Line::Label(_) => continue,
            Line::Goto(to) if falls_through(position, *to) => continue,
            Line::Statement(text, _) => {
                let _ = writeln!(out, "  {text}");
            }
            Line::Goto(to) => {
                let _ = writeln!(out, "  goto L{};", to.index());
            }
            Line::GotoIf(condition, to, _) => {
                let _ = writeln!(out, "  if ({condition}) goto L{};", to.index());
            }
        }
        pending_label = false;
    }
    if pending_label {
        out.push_str("  ;\n");
    }
    out
}

impl Used {
    pub(super) fn add(&mut self, other: Used) {
        self.functions.extend(other.functions);
        self.variables.extend(other.variables);
        self.composites.extend(other.composites);
        self.tags.extend(other.tags);
        self.any_value.extend(other.any_value);
        self.assume |= other.assume;
        self.abort |= other.abort;
    }
}
