//! Code that runs before and after `main`: constructors, destructors, and functions that were given to `atexit`. Calls
//! of them are put at the entry of `main`, before its returns, and before calls of `exit`.

use super::draft::DraftOp;
use super::{Lowered, Lowerer};
use lang_c::span::Span as AstSpan;
use tandem_plugin_api::program::*;

/// Calls the functions that were given to `atexit`; the model of `atexit` defines it.
const RUN_HANDLERS: &str = "__tandem_run_exit_handlers";

impl Lowerer<'_> {
    /// At the entry of `main`: constructs outside of all functions that the front end does not support, then the
    /// constructors.
    pub fn begin_main(&mut self, span: AstSpan) -> Lowered<()> {
        let source = self.source;
        if source.has_toplevel_asm {
            self.emit_unsupported("assembly at file scope".to_owned(), self.span(span), span)?;
        }
        if let Some(what) = self.linkage.unclear.clone() {
            self.emit_unsupported(what, self.span(span), span)?;
        }
        for (what, position) in &source.unknown {
            let at = Span { line: position.line, column: position.column, ..self.span(span) };
            self.emit_unsupported(what.clone(), at, span)?;
        }
        for constructor in self.linkage.constructors.clone() {
            self.run(&constructor, span)?;
        }
        Ok(())
    }

    /// Whether a function runs when the program ends in an orderly way.
    fn has_exit_functions(&self) -> bool {
        !self.linkage.destructors.is_empty() || self.defined.contains(RUN_HANDLERS)
    }

    fn runs_around_main(&self) -> bool {
        !self.linkage.constructors.is_empty() || self.has_exit_functions()
    }

    /// Before a return of `main`: saves the value, so that functions that run now do not change it any more.
    pub fn before_return(&mut self, value: Option<ExprId>, span: AstSpan) -> Lowered<Option<ExprId>> {
        let function = self.draft(span)?.function;
        if self.functions[function.index()].name != "main" || !self.has_exit_functions() {
            return Ok(value);
        }
        let value = value.map(|value| self.save(value, span)).transpose()?;
        self.end_program(span)?;
        Ok(value)
    }

    /// Before a call: if it ends the program, the functions that run at its end are called first.
    pub fn before_call(&mut self, callee: Callee, arguments: &mut [ExprId], span: AstSpan) -> Lowered<()> {
        let Callee::Function(id) = callee else { return Ok(()) };
        let name = self.functions[id.index()].name.as_str();
        if name == "main" && self.runs_around_main() {
            return self.unsupported("call of `main` in a program with constructors or exit functions", span);
        }
        if !matches!(name, "exit" | "__builtin_exit") || self.defined.contains(name) || !self.has_exit_functions() {
            return Ok(());
        }
        for argument in arguments {
            *argument = self.save(*argument, span)?;
        }
        self.end_program(span)
    }

    /// Whether the address of a function must not be taken: a call through it would skip the functions that run at the
    /// end.
    pub fn is_hidden_exit(&self, name: &str) -> bool {
        name == "exit" && !self.defined.contains(name) && self.has_exit_functions()
    }

    fn end_program(&mut self, span: AstSpan) -> Lowered<()> {
        if self.defined.contains(RUN_HANDLERS) {
            self.run(RUN_HANDLERS, span)?;
        }
        for destructor in self.linkage.destructors.clone() {
            self.run(&destructor, span)?;
        }
        Ok(())
    }

    /// Calls a function of the program without arguments.
    fn run(&mut self, name: &str, span: AstSpan) -> Lowered<()> {
        let void = self.common.void;
        let function = self.library_function(name, void, &[], span);
        let op = DraftOp::Call { callee: Callee::Function(function), arguments: Vec::new(), result: None };
        self.emit_draft(op, span)
    }
}
