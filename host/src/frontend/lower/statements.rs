//! Statements: blocks, branches, loops, switches, jumps.

use super::ast_query::declares_type;
use super::draft::{DraftOp, Exit, OpenSwitch, Place, Target};
use super::{Fail, Lowered, Lowerer};
use crate::frontend::text::LOCAL_LABEL;
use lang_c::ast::{self, Statement};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    /// Lowers a statement. A construct that cannot be represented becomes an unsupported edge at its place.
    pub fn statement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        let draft = self.draft(s.span)?;
        let depths = (draft.breaks.len(), draft.continues.len(), draft.switches.len());
        let (places, arrays) = (draft.places(), draft.arrays.len());
        match self.plain_statement(s) {
            Err(Fail::Unsupported { what, span }) => {
                let draft = self.draft(s.span)?;
                draft.breaks.truncate(depths.0);
                draft.continues.truncate(depths.1);
                draft.switches.truncate(depths.2);
                draft.arrays.truncate(arrays);
                self.emit_unsupported(what, span, s.span)?;
                self.close_branches(places, s.span)
            }
            other => other,
        }
    }

    /// After something unsupported in the middle of an expression: branches that were begun when there were `places` of
    /// them lead nowhere, as if these ways were never taken. They become unsupported, too.
    fn close_branches(&mut self, places: usize, span: AstSpan) -> Lowered<()> {
        let at = self.span(span);
        let Some(id) = self.unsupported.len().checked_sub(1).map(UnsupportedId::new) else { return Ok(()) };
        let noreturn = std::mem::take(&mut self.noreturn);
        let draft = self.draft(span)?;
        for place in draft.open_ends(places, &noreturn) {
            let target = Target { place: draft.at, settles: None };
            draft.add(place, target, DraftOp::Plain(Op::Unsupported(id)), at);
        }
        self.noreturn = noreturn;
        Ok(())
    }

    pub fn emit_unsupported(&mut self, what: String, at: Span, span: AstSpan) -> Lowered<()> {
        let id = UnsupportedId::new(self.unsupported.len());
        self.unsupported.push(Unsupported { what, span: at });
        self.emit(Op::Unsupported(id), span)
    }

    fn plain_statement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        match &s.node {
            Statement::Labeled(labeled) => {
                self.label(&labeled.node.label)?;
                self.statement(&labeled.node.statement)
            }
            Statement::Compound(items) => self.block(s.span, |this| this.block_items(items)),
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(e)) => self.discard(e),
            // Each of them is a block, and each statement in it is one, too (C11 6.8.4p3, 6.8.5p5).
            Statement::If(s) => self.block(s.span, |this| this.if_statement(&s.node, s.span)),
            Statement::Switch(s) => self.block(s.span, |this| this.switch_statement(&s.node, s.span)),
            Statement::While(s) => self.block(s.span, |this| this.while_statement(&s.node, s.span)),
            Statement::DoWhile(s) => self.block(s.span, |this| this.do_statement(&s.node, s.span)),
            Statement::For(s) => self.block(s.span, |this| this.for_statement(&s.node, s.span)),
            Statement::Goto(label) if self.nonlocal_goto(&label.node.name, s.span)? => Ok(()),
            Statement::Goto(label) => {
                let place = self.draft(s.span)?.label(&label.node.name);
                self.release_for_label(&label.node.name, s.span)?;
                self.join(place, s.span)
            }
            Statement::Continue => match self.draft(s.span)?.continues.last() {
                Some(&exit) => self.leave_to(exit, s.span),
                None => self.invalid("`continue` outside a loop", s.span),
            },
            Statement::Break => match self.draft(s.span)?.breaks.last() {
                Some(&exit) => self.leave_to(exit, s.span),
                None => self.invalid("`break` outside a loop or switch", s.span),
            },
            Statement::Return(value) => self.return_statement(value.as_deref(), s.span),
            Statement::Asm(asm) => self.inline_asm(asm),
        }
    }

    /// Declarations inside of the block are visible there only, and its arrays live no longer.
    fn block(&mut self, span: AstSpan, lower: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        let arrays = self.draft(span)?.arrays.len();
        self.scopes.enter();
        let outcome = lower(self);
        self.scopes.leave();
        outcome?;
        self.end_arrays(arrays, span)
    }

    /// A statement that belongs to another one, such as the body of a loop.
    fn inner_statement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        self.block(s.span, |this| this.statement(s))
    }

    pub fn block_items(&mut self, items: &[Node<ast::BlockItem>]) -> Lowered<()> {
        let mut rest = items;
        while let Some((item, after)) = rest.split_first() {
            rest = match super::nested::definition(rest) {
                Some((definition, length)) => {
                    self.nested_definition(&definition)?;
                    &rest[length..]
                }
                None => {
                    self.block_item(item)?;
                    after
                }
            };
        }
        Ok(())
    }

    pub fn block_item(&mut self, item: &Node<ast::BlockItem>) -> Lowered<()> {
        match &item.node {
            ast::BlockItem::Statement(s) => self.statement(s),
            ast::BlockItem::StaticAssert(assertion) => self.static_assertion(assertion),
            ast::BlockItem::Declaration(d) => {
                let places = self.draft(d.span)?.places();
                match self.declaration(d) {
                    Err(Fail::Unsupported { what, span }) => {
                        self.emit_unsupported(what, span, d.span)?;
                        self.close_branches(places, d.span)
                    }
                    other => other,
                }
            }
        }
    }

    fn return_statement(&mut self, value: Option<&Node<ast::Expression>>, span: AstSpan) -> Lowered<()> {
        let result = self.draft(span)?.result_type;
        let value = match value {
            None => None,
            Some(e) if result == self.common.void => {
                self.discard(e)?;
                None
            }
            Some(e) => {
                let value = self.value(e)?.expr;
                Some(self.convert(value, result, e.span)?)
            }
        };
        self.emit_return(value, span)
    }

    pub fn label(&mut self, label: &Node<ast::Label>) -> Lowered<()> {
        let at = self.span(label.span);
        match &label.node {
            ast::Label::Identifier(name) => {
                let draft = self.draft(label.span)?;
                let place = draft.label(&name.node.name);
                draft.continue_at(place, at);
                draft.named_labels.push((name.node.name.clone(), place));
                draft.label_arrays.insert(name.node.name.clone(), draft.arrays.clone());
                Ok(())
            }
            ast::Label::Case(value) => self.case(value, value, at),
            ast::Label::CaseRange(range) => self.case(&range.node.low, &range.node.high, at),
            ast::Label::Default => {
                let draft = self.draft(label.span)?;
                let place = draft.place();
                draft.continue_at(place, at);
                match draft.switches.last_mut() {
                    Some(switch) => switch.default = Some(place),
                    None => return self.invalid("`default` outside a switch", label.span),
                }
                Ok(())
            }
        }
    }

    fn case(&mut self, low: &Node<ast::Expression>, high: &Node<ast::Expression>, at: Span) -> Lowered<()> {
        let (from, to) = (self.constant_integer(low)?, self.constant_integer(high)?);
        let Some(ty) = self.draft(low.span)?.switches.last().and_then(|s| s.ty) else {
            return self.invalid("`case` outside a switch", low.span);
        };
        let (from, to) = (self.converted_label(from, ty), self.converted_label(to, ty));
        let draft = self.draft(low.span)?;
        let place = draft.place();
        draft.continue_at(place, at);
        if let Some(switch) = draft.switches.last_mut() {
            switch.cases.push((from, to, place));
        }
        Ok(())
    }

    /// A label has the type of the value that is switched on, which for a bit-field wider than `int` has a width of its
    /// own.
    fn converted_label(&self, value: i128, ty: TypeId) -> i128 {
        self.narrow(ty).map_or_else(|| self.types.wrap(ty, value), |narrow| narrow.cut(value))
    }

    fn if_statement(&mut self, s: &ast::IfStatement, span: AstSpan) -> Lowered<()> {
        let decision = self.decision(DecisionKind::If, 2, keyword(span, 2))?;
        let draft = self.draft(span)?;
        let (yes, no) = (draft.place(), draft.place());
        self.branch(&s.condition, decision.yes(yes), decision.no(no))?;
        self.draft(span)?.at = yes;
        self.inner_statement(&s.then_statement)?;
        let Some(otherwise) = &s.else_statement else {
            let at = self.span(span);
            self.draft(span)?.continue_at(no, at);
            return Ok(());
        };
        let end = self.draft(span)?.place();
        self.join(end, span)?;
        self.draft(span)?.at = no;
        self.inner_statement(otherwise)?;
        let at = self.span(span);
        self.draft(span)?.continue_at(end, at);
        Ok(())
    }

    /// Lowers a loop body with its jump targets in place.
    fn body(&mut self, s: &Node<Statement>, leave: Place, again: Place) -> Lowered<()> {
        let draft = self.draft(s.span)?;
        let arrays = draft.arrays.len();
        draft.breaks.push(Exit { place: leave, arrays });
        draft.continues.push(Exit { place: again, arrays });
        let outcome = self.inner_statement(s);
        let draft = self.draft(s.span)?;
        draft.breaks.pop();
        draft.continues.pop();
        outcome
    }

    /// A fresh loop head, entered from here.
    fn loop_head(&mut self, keyword: AstSpan) -> Lowered<Place> {
        let at = self.span(keyword);
        let draft = self.draft(keyword)?;
        let head = draft.place();
        draft.continue_at(head, at);
        draft.loops.push((head, at));
        Ok(head)
    }

    fn while_statement(&mut self, s: &ast::WhileStatement, span: AstSpan) -> Lowered<()> {
        let head = self.loop_head(keyword(span, 5))?;
        let decision = self.decision(DecisionKind::While, 2, keyword(span, 5))?;
        let draft = self.draft(span)?;
        let (inside, leave) = (draft.place(), draft.place());
        self.branch(&s.expression, decision.yes(inside), decision.no(leave))?;
        self.draft(span)?.at = inside;
        self.body(&s.statement, leave, head)?;
        self.join(head, span)?;
        self.draft(span)?.at = leave;
        Ok(())
    }

    fn do_statement(&mut self, s: &ast::DoWhileStatement, span: AstSpan) -> Lowered<()> {
        let head = self.loop_head(keyword(span, 2))?;
        let draft = self.draft(span)?;
        let (test, leave) = (draft.place(), draft.place());
        self.body(&s.statement, leave, test)?;
        let at = self.span(s.expression.span);
        self.draft(span)?.continue_at(test, at);
        let decision = self.decision(DecisionKind::DoWhile, 2, keyword(span, 2))?;
        self.branch(&s.expression, decision.yes(head), decision.no(leave))?;
        self.draft(span)?.at = leave;
        Ok(())
    }

    fn for_statement(&mut self, s: &ast::ForStatement, span: AstSpan) -> Lowered<()> {
        match &s.initializer.node {
            ast::ForInitializer::Empty => {}
            ast::ForInitializer::StaticAssert(assertion) => self.static_assertion(assertion)?,
            ast::ForInitializer::Expression(e) => self.discard(e)?,
            ast::ForInitializer::Declaration(d) => self.declaration(d)?,
        }
        // gcc knows what the step declares from there on, so also in the body.
        if s.step.as_ref().is_some_and(|step| declares_type(step)) {
            return self.unsupported("type that the last expression of a `for` declares", span);
        }
        let head = self.loop_head(keyword(span, 3))?;
        let draft = self.draft(span)?;
        let (leave, again) = (draft.place(), draft.place());
        if let Some(condition) = &s.condition {
            let decision = self.decision(DecisionKind::For, 2, keyword(span, 3))?;
            let inside = self.draft(span)?.place();
            self.branch(condition, decision.yes(inside), decision.no(leave))?;
            self.draft(span)?.at = inside;
        }
        self.body(&s.statement, leave, again)?;
        let at = self.span(span);
        self.draft(span)?.continue_at(again, at);
        if let Some(step) = &s.step {
            self.discard(step)?;
        }
        self.join(head, span)?;
        self.draft(span)?.at = leave;
        Ok(())
    }

    fn switch_statement(&mut self, s: &ast::SwitchStatement, span: AstSpan) -> Lowered<()> {
        let value = self.value(&s.expression)?.expr;
        let mut value = self.promote(value);
        let ty = self.exprs.ty(value);
        if !self.types.is_integer(ty) {
            return self.invalid("switch on something that is not an integer", s.expression.span);
        }
        if !matches!(self.exprs.kind(value), ExprKind::Var(_) | ExprKind::Int(_)) {
            value = self.save(value, s.expression.span)?;
        }
        let draft = self.draft(span)?;
        let (dispatch, leave) = (draft.at, draft.place());
        // The body is reached by its labels only.
        draft.at = draft.place();
        let arrays = draft.arrays.len();
        draft.breaks.push(Exit { place: leave, arrays });
        draft.switches.push(OpenSwitch { ty: Some(ty), ..OpenSwitch::default() });
        let outcome = self.inner_statement(&s.statement);
        let draft = self.draft(span)?;
        draft.breaks.pop();
        let switch = draft.switches.pop().unwrap_or_default();
        outcome?;
        self.join(leave, span)?;
        self.draft(span)?.at = dispatch;
        self.dispatch(value, &switch, leave, span)?;
        self.draft(span)?.at = leave;
        Ok(())
    }

    /// The chain of comparisons that a switch becomes.
    fn dispatch(&mut self, value: ExprId, switch: &OpenSwitch, leave: Place, span: AstSpan) -> Lowered<()> {
        let default = switch.default.unwrap_or(leave);
        if let Some(constant) = self.exprs.as_int(value) {
            let hit = switch.cases.iter().find(|(from, to, _)| (*from..=*to).contains(&constant));
            return self.join(hit.map_or(default, |case| case.2), span);
        }
        let count = switch.cases.len() as u32;
        let decision = self.new_decision(DecisionKind::Switch, count + 1, keyword(span, 6))?;
        let ty = self.exprs.ty(value);
        for (index, &(from, to, place)) in switch.cases.iter().enumerate() {
            let last = index + 1 == switch.cases.len();
            let next = if last { default } else { self.draft(span)?.place() };
            let outcome = |index: u32| Some(Outcome { decision, index });
            let yes = Target { place, settles: outcome(index as u32) };
            let no = Target { place: next, settles: if last { outcome(count) } else { None } };
            let low = self.int_constant(from, ty);
            if from == to {
                let condition = self.binary(BinaryOp::Eq, value, low);
                self.branch_on(condition, yes, no, keyword(span, 6))?;
            } else {
                let middle = Target { place: self.draft(span)?.place(), settles: None };
                let above = self.binary(BinaryOp::Ge, value, low);
                self.branch_on(above, middle, no, keyword(span, 6))?;
                self.draft(span)?.at = middle.place;
                let high = self.int_constant(to, ty);
                let below = self.binary(BinaryOp::Le, value, high);
                self.branch_on(below, yes, no, keyword(span, 6))?;
            }
            self.draft(span)?.at = next;
        }
        if switch.cases.is_empty() {
            self.join(default, span)?;
        }
        Ok(())
    }

    /// Jumps cannot distinguish labels of the same name; labels of `__label__` have unique names already.
    pub fn check_labels(&mut self, span: AstSpan) -> Lowered<()> {
        let labels = &self.draft(span)?.named_labels;
        let mut seen = rustc_hash::FxHashSet::default();
        match labels.iter().map(|(name, _)| name.clone()).find(|name| !seen.insert(name.clone())) {
            Some(name) => self.unsupported(format!("two labels `{}` in one function", source_label(&name)), span),
            None => Ok(()),
        }
    }

    /// Labels that jumps name, but that no lowered code has: they stand in code that could not be represented, or
    /// nowhere. Jumping there is unsupported.
    pub fn close_labels(&mut self, span: AstSpan) -> Lowered<()> {
        let draft = self.draft(span)?;
        let mut missing: Vec<(String, Place)> =
            draft.labels.iter().map(|(name, &place)| (name.clone(), place)).collect();
        missing.retain(|(_, place)| !draft.named_labels.iter().any(|(_, defined)| defined == place));
        missing.sort();
        for (name, place) in missing {
            let at = self.span(span);
            let id = UnsupportedId::new(self.unsupported.len());
            let what = format!("jump to the label `{}`", source_label(&name));
            self.unsupported.push(Unsupported { what, span: at });
            let draft = self.draft(span)?;
            let exit = Target { place: draft.exit, settles: None };
            draft.add(place, exit, DraftOp::Plain(Op::Unsupported(id)), at);
        }
        Ok(())
    }
}

/// The first letters of a statement: its keyword.
fn keyword(span: AstSpan, length: usize) -> AstSpan {
    AstSpan { start: span.start, end: span.start + length }
}

/// The name of a label in the program's text.
fn source_label(name: &str) -> &str {
    let own = name.strip_prefix(LOCAL_LABEL).and_then(|rest| rest.split_once('_'));
    own.map_or(name, |(_, own)| own)
}
