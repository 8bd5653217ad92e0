//! Jumps out of functions: `setjmp` and `longjmp`, and `goto` from a function inside a function to a label around it.
//! A jump leaves the number of its target in a global variable and returns; each caller looks there after its calls.

use super::draft::{Draft, Place};
use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::*;

/// The global variables that a jump uses, and the labels that functions inside functions jump to.
#[derive(Default)]
pub(super) struct NonlocalJumps {
    pub globals: Option<Globals>,
    /// By the function that has the labels: the variable that numbers its call, and the labels.
    pub labels: FxHashMap<FunctionId, (VarId, Vec<String>)>,
}

#[derive(Clone, Copy)]
pub(super) struct Globals {
    /// The target of a jump that is under way; 0 if there is no such jump.
    pub target: VarId,
    /// The value that `setjmp` will return, or the number of a label.
    pub value: VarId,
    /// How many targets have a number so far.
    pub count: VarId,
}

/// A call of `setjmp` in a function.
pub(super) struct Return {
    /// Has the number of the target since the call was last executed.
    pub own: VarId,
    pub result: VarId,
    pub after: Place,
}

fn is_setjmp(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__builtin_setjmp")
}

fn is_longjmp(name: &str) -> bool {
    matches!(name, "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "__builtin_longjmp")
}

impl Draft {
    /// Where the function goes on while a jump out of it, or back into it, is under way.
    fn unwinding(&mut self) -> Place {
        match self.unwinding {
            Some(place) => place,
            None => {
                let place = self.place();
                *self.unwinding.insert(place)
            }
        }
    }
}

impl Lowerer<'_> {
    /// A call of a function of the `setjmp` family; `None` for others.
    pub fn nonlocal_jump(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let arguments = call.node.arguments.as_slice();
        match arguments {
            [buffer] | [buffer, _] if is_setjmp(name) => self.set_jump(buffer, call.span).map(Some),
            [buffer, value] if is_longjmp(name) => self.long_jump(buffer, value, call.span).map(Some),
            _ => Ok(None),
        }
    }

    fn jump_globals(&mut self) -> Globals {
        if let Some(globals) = self.nonlocal.globals {
            return globals;
        }
        let (size, int) = (self.common.size, self.common.int);
        let mut global = |name: &str, ty| {
            let id = self.new_variable(name, ty, Storage::Global, None, AstSpan::none());
            self.defined_globals.insert(id);
            id
        };
        let globals = Globals {
            target: global("__tandem_jump", size),
            value: global("__tandem_jump_value", int),
            count: global("__tandem_jump_count", size),
        };
        *self.nonlocal.globals.insert(globals)
    }

    /// The first word of a buffer, which has the number of the target.
    fn buffer_word(&mut self, buffer: &Node<ast::Expression>) -> Lowered<ExprId> {
        let pointer = self.value(buffer)?.expr;
        if !self.types.is_pointer(self.exprs.ty(pointer)) {
            return self.invalid("`setjmp` and `longjmp` take a `jmp_buf`", buffer.span);
        }
        let word = self.types.pointer_to(self.common.size);
        let pointer = self.cast(pointer, word);
        Ok(self.deref(pointer))
    }

    fn set_jump(&mut self, buffer: &Node<ast::Expression>, span: AstSpan) -> Lowered<Value> {
        let globals = self.jump_globals();
        let word = self.buffer_word(buffer)?;
        let (own, result) = (self.temporary(self.common.size, span)?, self.temporary(self.common.int, span)?);
        let count = self.variable_expr(globals.count);
        let one = self.size_constant(1);
        let next = self.binary(BinaryOp::Add, count, one);
        let own_place = self.variable_expr(own);
        let result_place = self.variable_expr(result);
        let zero = self.int_constant(0, self.common.int);
        for (target, value) in [(count, next), (own_place, count), (word, own_place), (result_place, zero)] {
            self.emit(Op::Assign { target, value }, span)?;
        }
        let at = self.span(span);
        let draft = self.draft(span)?;
        let after = draft.place();
        draft.continue_at(after, at);
        draft.returns.push(Return { own, result, after });
        Ok(result_place.into())
    }

    fn long_jump(
        &mut self,
        buffer: &Node<ast::Expression>,
        value: &Node<ast::Expression>,
        span: AstSpan,
    ) -> Lowered<Value> {
        let globals = self.jump_globals();
        let word = self.buffer_word(buffer)?;
        let word = self.save(word, span)?;
        let int = self.common.int;
        let given = self.value(value)?.expr;
        let given = self.convert(given, int, value.span)?;
        // `longjmp(b, 0)` makes `setjmp` give 1.
        let zero = self.int_constant(0, int);
        let given = self.save(given, span)?;
        let is_zero = self.binary(BinaryOp::Eq, given, zero);
        let given = self.binary(BinaryOp::Add, given, is_zero);
        self.leave_for(globals, word, given, span)?;
        self.no_value()
    }

    /// Leaves the function for a target; the number 0 stands for no target.
    fn leave_for(&mut self, globals: Globals, target: ExprId, value: ExprId, span: AstSpan) -> Lowered<()> {
        let draft = self.draft(span)?;
        let (known, unknown) = (draft.place(), draft.place());
        let target_to = |place| super::draft::Target { place, settles: None };
        self.branch_on(target, target_to(known), target_to(unknown), span)?;
        self.draft(span)?.at = unknown;
        let what = "`longjmp` with a buffer that no `setjmp` has filled".to_owned();
        self.emit_unsupported(what, self.span(span), span)?;
        self.draft(span)?.at = known;
        let (target_place, value_place) = (self.variable_expr(globals.target), self.variable_expr(globals.value));
        self.emit(Op::Assign { target: value_place, value }, span)?;
        self.emit(Op::Assign { target: target_place, value: target }, span)?;
        let unwinding = self.draft(span)?.unwinding();
        self.join(unwinding, span)
    }

    /// `goto` in a function inside a function, to a label of one of the functions around it. False for other labels.
    pub fn nonlocal_goto(&mut self, label: &str, span: AstSpan) -> Lowered<bool> {
        let function = self.draft(span)?.function;
        let levels = self.label_addresses.levels_to(label);
        let mut owner = function;
        for _ in 0..levels {
            let Some((_, around)) = self.nested.functions.get(&owner) else { return Ok(false) };
            owner = *around;
        }
        if owner == function {
            return Ok(false);
        }
        let globals = self.jump_globals();
        let frame = match self.nonlocal.labels.get(&owner) {
            Some((frame, _)) => *frame,
            None => {
                let size = self.common.size;
                let frame = self.new_variable("__tandem_frame", size, Storage::Local, Some(owner), span);
                self.nonlocal.labels.insert(owner, (frame, Vec::new()));
                frame
            }
        };
        let number = self.nonlocal.labels.get_mut(&owner).map_or(0, |(_, labels)| {
            labels.iter().position(|known| known == label).unwrap_or_else(|| {
                labels.push(label.to_owned());
                labels.len() - 1
            })
        });
        let int = self.common.int;
        let value = self.int_constant(number as i128, int);
        let target = self.variable_expr(frame);
        self.leave_for(globals, target, value, span)?;
        Ok(true)
    }
}
