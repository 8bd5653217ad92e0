//! Programs built by hand, in few words.

use crate::program::*;

pub(super) struct Build {
    pub program: Program,
}

impl Build {
    pub(super) fn new(model: DataModel) -> Self {
        let program = Program {
            source_sha256: String::new(),
            name: "built.c".into(),
            files: vec![SourceFile { name: "built.c".into() }],
            types: Types::new(model),
            exprs: Exprs::default(),
            variables: Vec::new(),
            functions: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            call_sites: Vec::new(),
            decisions: Vec::new(),
            loops: Vec::new(),
            unsupported: Vec::new(),
            main: FunctionId(0),
        };
        Build { program }
    }

    pub(super) fn int_type(&mut self, kind: IntKind) -> TypeId {
        self.program.types.int(kind)
    }

    pub(super) fn float_type(&mut self, kind: FloatKind) -> TypeId {
        self.program.types.intern(Type::Float(kind))
    }

    pub(super) fn pointer(&mut self, to: TypeId) -> TypeId {
        self.program.types.pointer_to(to)
    }

    pub(super) fn array(&mut self, element: TypeId, length: u64) -> TypeId {
        self.program.types.intern(Type::Array { element, length })
    }

    pub(super) fn function_type(&mut self, result: TypeId, parameters: &[TypeId]) -> TypeId {
        let parameters = parameters.to_vec();
        self.program.types.intern(Type::Function { result, parameters, variadic: false, prototyped: true })
    }

    pub(super) fn composite(
        &mut self,
        name: &str,
        is_union: bool,
        fields: Vec<Field>,
        size: u64,
        align: u64,
    ) -> TypeId {
        let id = CompositeId::new(self.program.types.composites.len());
        let name = name.to_string();
        let composite = Composite { name, is_union, fields, size, align, complete: true, packed: false };
        self.program.types.composites.push(composite);
        self.program.types.intern(Type::Composite(id))
    }

    pub(super) fn variable(&mut self, name: &str, ty: TypeId, storage: Storage) -> ExprId {
        let id = VarId::new(self.program.variables.len());
        let function = None;
        self.program.variables.push(Variable {
            name: name.into(),
            unique_name: format!("{name}_u"),
            ty,
            storage,
            function,
            span: Span::NOWHERE,
            address_taken: false,
            align: None,
            initializer: Vec::new(),
        });
        self.expr(ExprKind::Var(id), ty)
    }

    pub(super) fn global(&mut self, name: &str, kind: IntKind) -> ExprId {
        let ty = self.int_type(kind);
        self.variable(name, ty, Storage::Global)
    }

    pub(super) fn expr(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.program.exprs.intern(kind, ty)
    }

    pub(super) fn int(&mut self, value: i128, kind: IntKind) -> ExprId {
        let ty = self.int_type(kind);
        self.expr(ExprKind::Int(value), ty)
    }

    pub(super) fn cast(&mut self, inner: ExprId, ty: TypeId) -> ExprId {
        self.expr(ExprKind::Cast(inner), ty)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let ty = if op.is_comparison() { self.int_type(IntKind::Int) } else { self.program.exprs.ty(lhs) };
        self.expr(ExprKind::Binary { op, lhs, rhs }, ty)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ExprId {
        let ty = match op {
            UnaryOp::LogicalNot => self.int_type(IntKind::Int),
            _ => self.program.exprs.ty(operand),
        };
        self.expr(ExprKind::Unary { op, operand }, ty)
    }

    pub(super) fn deref(&mut self, pointer: ExprId) -> ExprId {
        let ty = self.program.types.pointee(self.program.exprs.ty(pointer)).expect("a pointer");
        self.expr(ExprKind::Deref(pointer), ty)
    }

    pub(super) fn address_of(&mut self, place: ExprId) -> ExprId {
        let ty = self.program.exprs.ty(place);
        let ty = self.pointer(ty);
        self.expr(ExprKind::AddressOf(place), ty)
    }

    pub(super) fn field(&mut self, base: ExprId, field: u32) -> ExprId {
        let Type::Composite(id) = *self.program.types.get(self.program.exprs.ty(base)) else {
            panic!("not a composite")
        };
        let ty = self.program.types.composite(id).fields[field as usize].ty;
        self.expr(ExprKind::Field { base, field }, ty)
    }

    pub(super) fn index(&mut self, base: ExprId, at: i128) -> ExprId {
        let index = self.int(at, IntKind::Int);
        let ty = self.program.types.element(self.program.exprs.ty(base)).expect("an array");
        self.expr(ExprKind::Index { base, index }, ty)
    }

    pub(super) fn initial(&mut self, place: ExprId, value: ExprId) {
        let mut root = place;
        let id = loop {
            match self.program.exprs.kind(root) {
                ExprKind::Var(id) => break id,
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => root = base,
                other => panic!("{other:?} is not a constant place"),
            }
        };
        self.program.variables[id.index()].initializer.push(Initial { place, value });
    }

    /// A function without parameters; its body is what `edges` then adds.
    pub(super) fn function(&mut self, name: &str, ty: TypeId, defined: bool) -> FunctionId {
        let id = FunctionId::new(self.program.functions.len());
        let Type::Function { result, .. } = *self.program.types.get(ty) else { panic!("not a function type") };
        let returns = *self.program.types.get(result) != Type::Void;
        self.program.functions.push(Function::declared(name, ty));
        if defined {
            let (entry, exit) = (self.location(id), self.location(id));
            self.program.functions[id.index()].body = Some(Body { entry, exit });
            if returns {
                let result = self.variable(&format!("{name}_result"), result, Storage::Result);
                let ExprKind::Var(result) = self.program.exprs.kind(result) else { return id };
                self.program.functions[id.index()].result = Some(result);
            }
        }
        id
    }

    pub(super) fn local(&mut self, function: FunctionId, name: &str, ty: TypeId) -> ExprId {
        let place = self.variable(name, ty, Storage::Local);
        if let ExprKind::Var(id) = self.program.exprs.kind(place) {
            self.program.functions[function.index()].locals.push(id);
        }
        place
    }

    pub(super) fn location(&mut self, function: FunctionId) -> LocationId {
        self.program.locations.push(Location { function, leaving: Vec::new(), entering: Vec::new() });
        LocationId::new(self.program.locations.len() - 1)
    }

    pub(super) fn edge(&mut self, from: LocationId, to: LocationId, op: Op) -> EdgeId {
        let id = EdgeId::new(self.program.edges.len());
        self.program.edges.push(Edge { from, to, op, span: Span::NOWHERE, settles: None });
        self.program.locations[from.index()].leaving.push(id);
        self.program.locations[to.index()].entering.push(id);
        id
    }

    /// Two edges for the two sides of a condition.
    pub(super) fn branch(&mut self, from: LocationId, condition: ExprId, yes: LocationId, no: LocationId) {
        self.edge(from, yes, Op::Assume { condition, holds: true });
        self.edge(from, no, Op::Assume { condition, holds: false });
    }

    pub(super) fn body(&self, function: FunctionId) -> Body {
        self.program.function(function).body.expect("a body")
    }

    pub(super) fn call(
        &mut self,
        from: LocationId,
        to: LocationId,
        callee: Callee,
        arguments: Vec<ExprId>,
        result: Option<ExprId>,
    ) {
        let site = CallSiteId::new(self.program.call_sites.len());
        let body = match callee {
            Callee::Function(f) => self.program.function(f).body,
            Callee::Pointer(_) => None,
        };
        self.program.call_sites.push(CallSite { callee, arguments, result, call: EdgeId(0), resume: None });
        match body {
            Some(body) => {
                let call = self.edge(from, body.entry, Op::Call(site));
                let resume = self.edge(body.exit, to, Op::Resume(site));
                self.program.call_sites[site.index()].call = call;
                self.program.call_sites[site.index()].resume = Some(resume);
            }
            None => {
                let call = self.edge(from, to, Op::External(site));
                self.program.call_sites[site.index()].call = call;
            }
        }
    }
}

pub(super) fn plain_field(name: &str, ty: TypeId, offset: u64) -> Field {
    Field { name: name.into(), ty, offset, bits: None, explicit_align: None }
}

pub(super) fn bit_field(name: &str, ty: TypeId, offset: u64, start: u32, width: u32) -> Field {
    Field { name: name.into(), ty, offset, bits: Some(BitField { start, width }), explicit_align: None }
}

/// Compiles C text and runs it; the exit status and what it printed. `None` where there is no gcc for the model.
pub(super) fn compile_and_run(model: DataModel, name: &str, text: &str) -> Option<(i32, String)> {
    let directory = std::env::temp_dir().join(format!("tandem-print-{}-{name}-{}", std::process::id(), model.name()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let (source, binary) = (directory.join("printed.c"), directory.join("printed"));
    std::fs::write(&source, text).expect("a temporary file");
    let machine: &[&str] = if model == DataModel::Ilp32 { &["-m32", "-msse2", "-mfpmath=sse"] } else { &["-m64"] };
    let compiled = std::process::Command::new("gcc")
        .args(machine)
        .args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-o"])
        .args([&binary, &source])
        .output();
    let Ok(compiled) = compiled else {
        crate::kit::testing::skip("gcc is not installed");
        return None;
    };
    let messages = String::from_utf8_lossy(&compiled.stderr).into_owned();
    if !compiled.status.success() && messages.contains("cannot find") {
        crate::kit::testing::skip("gcc-multilib is not installed");
        return None;
    }
    assert!(compiled.status.success(), "gcc refuses {}:\n{messages}\n{text}", source.display());
    let run = std::process::Command::new(&binary).output().expect("the compiled program runs");
    let printed = String::from_utf8_lossy(&run.stdout).into_owned();
    let _ = std::fs::remove_dir_all(&directory);
    Some((run.status.code().unwrap_or(-1), printed))
}
