//! Calls as C text, and values that the program does not determine.

use super::super::{CallSite, Callee, ExprId, FloatKind, IntKind, Op, Type, TypeId};
use super::Printer;
use super::expr::Level;

impl Printer<'_> {
    /// `f(a, b)`, without what becomes of the result.
    pub(super) fn call(&mut self, site: &CallSite) -> String {
        let program = self.program;
        match site.callee {
            Callee::Function(id) => {
                self.used.functions.insert(id);
                let function = program.function(id);
                self.call_of_type(function.name.clone(), function.ty, &site.arguments)
            }
            Callee::Pointer(pointer) => {
                let callee = self.exact(pointer).at_least(Level::Postfix);
                match program.types.pointee(program.exprs.ty(pointer)) {
                    Some(ty) => self.call_of_type(callee, ty, &site.arguments),
                    None => format!("((int (*)()){callee})({})", self.arguments(&site.arguments, 0)),
                }
            }
        }
    }

    fn call_of_type(&mut self, callee: String, ty: TypeId, arguments: &[ExprId]) -> String {
        let program = self.program;
        let Type::Function { result, parameters, variadic, prototyped } = program.types.get(ty) else {
            return format!("((int (*)()){callee})({})", self.arguments(arguments, 0));
        };
        self.need_complete(*result);
        if !prototyped {
            return format!("{callee}({})", self.arguments(arguments, 0));
        }
        let fits = arguments.len() == parameters.len() || *variadic && arguments.len() > parameters.len();
        let list = self.arguments(arguments, parameters.len());
        if fits {
            return format!("{callee}({list})");
        }
        // Called before its prototype was seen. Through a variable, since gcc turns a direct call that does not fit
        // into a trap.
        let pointer = self.declaration(*result, "(*callee)()");
        format!("({{ {pointer} = (void *){callee}; callee; }})({list})")
    }

    /// The first `converted` arguments go to parameters of a prototype, the others as they are.
    fn arguments(&mut self, arguments: &[ExprId], converted: usize) -> String {
        let list: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(i, &argument)| if i < converted { self.assigned(argument) } else { self.exact(argument) }.text)
            .collect();
        list.join(", ")
    }

    /// The statement of an edge that calls: `x = f(a);` or `f(a);`.
    pub(super) fn call_statement(&mut self, op: &Op) -> String {
        let program = self.program;
        match op {
            Op::Call(site) | Op::External(site) => {
                let site = program.call_site(*site);
                let call = self.call(site);
                self.with_result(site.result, call)
            }
            Op::Input { function, target } => {
                self.used.functions.insert(*function);
                let call = format!("{}()", program.function(*function).name);
                self.with_result(*target, call)
            }
            _ => String::new(),
        }
    }

    fn with_result(&mut self, target: Option<ExprId>, call: String) -> String {
        match target {
            Some(target) => format!("{} = {call};", self.any_type(target).text),
            None => format!("{call};"),
        }
    }

    /// Sets a place to any value of its type, through a function of the printed program's environment.
    pub(super) fn any_value(&mut self, target: ExprId) -> String {
        let ty = self.program.exprs.ty(target);
        let place = self.any_type(target);
        let short = match self.program.types.get(ty) {
            Type::Int(kind) => int_word(*kind),
            Type::Float(FloatKind::Float) => "float",
            Type::Float(FloatKind::Double) => "double",
            Type::Float(FloatKind::LongDouble) => "longdouble",
            Type::Float(FloatKind::Float128) => "float128",
            Type::Pointer(_) => "pointer",
            _ => {
                let declaration = "void __tandem_any_bytes(void *start, unsigned long size)";
                self.used.any_value.insert(("__tandem_any_bytes".into(), declaration.into()));
                let place = place.at_least(Level::Unary);
                return format!("__tandem_any_bytes(&{place}, sizeof({place}));");
            }
        };
        let name = format!("__tandem_any_{short}");
        let result = match self.program.types.get(ty) {
            Type::Pointer(_) => "void *".to_string(),
            _ => self.declaration(ty, "") + " ",
        };
        self.used.any_value.insert((name.clone(), format!("{result}{name}(void)")));
        format!("{} = {name}();", place.text)
    }
}

/// The word for an integer type in names of functions, as `__VERIFIER_nondet_*` has it.
fn int_word(kind: IntKind) -> &'static str {
    use IntKind::*;
    match kind {
        Bool => "bool",
        Char => "char",
        SChar => "schar",
        UChar => "uchar",
        Short => "short",
        UShort => "ushort",
        Int => "int",
        UInt => "uint",
        Long => "long",
        ULong => "ulong",
        LongLong => "longlong",
        ULongLong => "ulonglong",
        Int128 => "int128",
        UInt128 => "uint128",
    }
}
