//! From a `Program` to native code, by Cranelift: one native function for each function that `main` may reach.
//! Scalars that nothing points to live in registers; everything else lives in the sandbox.

mod address;
mod arithmetic;
mod calls;
mod convert;
mod function;
mod indeterminate;
mod inline;
mod instrument;
mod select;
mod switch;
mod values;
mod wide;

use super::ExecError;
use super::code::{CodeMap, FunctionCode};
use super::counters::Derived;
use super::image::Layout;
use super::library;
use super::runtime;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};
use rustc_hash::FxHashSet;
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::execution::ExecutionOptions;

pub(super) use instrument::Counting;

/// A function that is called but has no body.
#[derive(Clone, Debug)]
pub enum External {
    Library(library::Function),
    /// A convention of the field: it returns some value (here zero) and touches nothing.
    Unknown,
}

/// Native code and what is needed to run it.
pub struct Compiled {
    /// Owns the code, which is freed with the executable.
    pub module: Option<JITModule>,
    pub entry: usize,
    pub code: CodeMap,
    pub externals: Vec<External>,
    pub derived: Derived,
}

/// Host functions that native code calls.
#[derive(Clone, Copy)]
pub(super) struct Imports {
    pub escape: FuncId,
    pub refuel: FuncId,
    pub input: FuncId,
    pub library: FuncId,
    pub copy: FuncId,
    pub fill: FuncId,
    pub wide_float: FuncId,
    pub wide_divide: FuncId,
    pub trace: FuncId,
}

/// The shared state of all function translations.
pub(super) struct Shared<'a> {
    pub program: &'a Program,
    pub layout: &'a Layout,
    pub options: &'a ExecutionOptions,
    pub targets: FxHashSet<EdgeId>,
    /// By function, for those that are compiled.
    pub functions: Vec<Option<FuncId>>,
    pub imports: Imports,
    /// By function: whether the program's stack pointer changes inside it.
    pub moves_stack: Vec<bool>,
    pub inlining: inline::Inlining,
}

fn stack_movers(program: &Program) -> Vec<bool> {
    let mut moves = vec![false; program.functions.len()];
    for edge in program.edge_ids() {
        let Some(callee) = program.called_function(edge) else { continue };
        let callee = program.function(callee);
        let by_address = callee.result.is_some_and(|r| !program.types.is_scalar(program.variable(r).ty));
        if by_address || calls::is_alloca(&callee.name) {
            moves[program.function_of_edge(edge).index()] = true;
        }
    }
    moves
}

pub fn compile(program: &Program, layout: &Layout, options: &ExecutionOptions) -> Result<Compiled, ExecError> {
    let mut module = new_module()?;
    let imports = declare_imports(&mut module)?;
    let reachable = program.reachable_functions();
    let moves_stack = stack_movers(program);
    let inlining = inline::Inlining::new(program, layout, &moves_stack);
    let mut functions = vec![None; program.functions.len()];
    for id in 0..program.functions.len() {
        if reachable[id] && !inlining.inlined[id] {
            let signature = signature(program, &module, FunctionId::new(id));
            let name = format!("f{id}");
            functions[id] = Some(module.declare_function(&name, Linkage::Local, &signature).map_err(internal)?);
        }
    }
    let targets = options.targets.iter().copied().collect();
    let shared = Shared { program, layout, options, targets, functions, imports, moves_stack, inlining };
    let externals = externals(program);
    let mut builder_context = FunctionBuilderContext::new();
    let mut sizes = Vec::new();
    let mut derived = Derived::default();
    for id in 0..program.functions.len() {
        if let Some(func) = shared.functions[id] {
            let (size, counting) = define(&mut module, &mut builder_context, &shared, FunctionId::new(id), func)?;
            sizes.push((func, size));
            derived.take(counting);
        }
    }
    let start = define_start(&mut module, &mut builder_context, &shared)?;
    module.finalize_definitions().map_err(internal)?;
    let code = sizes.into_iter().map(|(func, (size, edges))| {
        let start = module.get_finalized_function(func) as usize;
        FunctionCode { range: start..start + size, edges }
    });
    let code = CodeMap::new(code.collect());
    let entry = module.get_finalized_function(start) as usize;
    Ok(Compiled { module: Some(module), entry, code, externals, derived: derived.finish() })
}

fn internal(error: impl std::fmt::Display) -> ExecError {
    ExecError::new(format!("the program cannot be compiled to native code: {error}"))
}

/// By function: the effect of a call if it has no body.
fn externals(program: &Program) -> Vec<External> {
    let model = |f: &Function| library::Function::named(&f.name).map_or(External::Unknown, External::Library);
    program.functions.iter().map(model).collect()
}

/// Functions call each other with offsets of 32 bits, so all code must be in one place: if the system chose the place
/// of each piece, some could end up behind a sandbox, which is 4 GiB large.
const CODE_RESERVED: usize = 1 << 30;

fn new_module() -> Result<JITModule, ExecError> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "speed"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        // Deep recursion of the program ends at the guard page of its native stack, which is touched in order.
        ("enable_probestack", "false"),
        // Functions of the program take and return `long double` and `__int128` as 128 bits.
        ("enable_llvm_abi_extensions", "true"),
    ] {
        flags.set(name, value).map_err(internal)?;
    }
    let isa = cranelift_native::builder().map_err(internal)?.finish(settings::Flags::new(flags)).map_err(internal)?;
    let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
    builder.symbols(runtime::symbols());
    let memory = ArenaMemoryProvider::new_with_size(CODE_RESERVED)
        .map_err(|_| ExecError::new("no address space for native code (1 GiB is reserved, not used)"))?;
    builder.memory_provider(Box::new(memory));
    Ok(JITModule::new(builder))
}

fn declare_imports(module: &mut JITModule) -> Result<Imports, ExecError> {
    let mut declare = |name: &str, parameters: &[types::Type], result: Option<types::Type>| {
        let mut signature = module.make_signature();
        // Called from within loops: a call that leaves all registers alone does not make the loop slower.
        if name == "refuel" {
            signature.call_conv = CallConv::PreserveAll;
        }
        signature.params.extend(parameters.iter().map(|&ty| AbiParam::new(ty)));
        signature.returns.extend(result.map(AbiParam::new));
        module.declare_function(name, Linkage::Import, &signature).map_err(internal)
    };
    let (int, long) = (types::I32, types::I64);
    Ok(Imports {
        escape: declare("escape", &[long], None)?,
        refuel: declare("refuel", &[long, int], None)?,
        input: declare("input", &[long, int, int, int], Some(long))?,
        library: declare("library", &[long, int, int, long, int], Some(long))?,
        copy: declare("copy", &[long, int, long, long, long], None)?,
        fill: declare("fill", &[long, int, long, long, int], None)?,
        wide_float: declare("wide_float", &[long, int, long, long, long, long], Some(long))?,
        wide_divide: declare("wide_divide", &[long, int, long, long, long, long], None)?,
        trace: declare("trace", &[long, int, long], None)?,
    })
}

/// The type of a scalar in registers. Extended floats are their bits.
pub(super) fn machine_type(program: &Program, ty: TypeId) -> types::Type {
    let model = program.types.model;
    match program.types.get(ty) {
        Type::Int(kind) => match kind.size(model) {
            1 => types::I8,
            2 => types::I16,
            4 => types::I32,
            8 => types::I64,
            _ => types::I128,
        },
        Type::Float(FloatKind::Float) => types::F32,
        Type::Float(FloatKind::Double) => types::F64,
        Type::Float(FloatKind::LongDouble | FloatKind::Float128) => types::I128,
        _ => pointer_type(model),
    }
}

/// Also how aggregates are passed: by their address.
pub(super) fn pointer_type(model: DataModel) -> types::Type {
    match model {
        DataModel::Ilp32 => types::I32,
        DataModel::Lp64 => types::I64,
    }
}

/// Context, then where an aggregate result goes, then the parameters.
fn signature(program: &Program, module: &JITModule, id: FunctionId) -> Signature {
    let function = program.function(id);
    let mut signature = module.make_signature();
    signature.params.push(AbiParam::new(types::I64));
    if let Some(result) = function.result {
        let ty = program.variable(result).ty;
        if program.types.is_scalar(ty) {
            signature.returns.push(AbiParam::new(machine_type(program, ty)));
        } else {
            signature.params.push(AbiParam::new(pointer_type(program.types.model)));
        }
    }
    for &parameter in &function.parameters {
        signature.params.push(AbiParam::new(machine_type(program, program.variable(parameter).ty)));
    }
    // 128-bit values in registers need the LLVM convention, which cranelift has by default for its fast one only.
    signature.call_conv = CallConv::Fast;
    signature
}

/// Size of the code, and the edge that each part of it belongs to.
type Extent = (usize, Vec<(u32, EdgeId)>);

fn define(
    module: &mut JITModule,
    builder_context: &mut FunctionBuilderContext,
    shared: &Shared<'_>,
    id: FunctionId,
    func: FuncId,
) -> Result<(Extent, Counting), ExecError> {
    let mut context = module.make_context();
    context.func.signature = signature(shared.program, module, id);
    let builder = FunctionBuilder::new(&mut context.func, builder_context);
    let counting = function::translate(builder, module, shared, id);
    module.define_function(func, &mut context).map_err(internal)?;
    let Some(compiled) = context.compiled_code() else { return Ok(((0, Vec::new()), counting)) };
    let size = compiled.code_info().total_size as usize;
    let places = compiled.buffer.get_srclocs_sorted().iter();
    let edges = places.filter(|p| !p.loc.is_default()).map(|p| (p.start, EdgeId(p.loc.bits()))).collect();
    Ok(((size, edges), counting))
}

/// `start(context)`: calls `main` and keeps what it returns.
fn define_start(
    module: &mut JITModule,
    builder_context: &mut FunctionBuilderContext,
    shared: &Shared<'_>,
) -> Result<FuncId, ExecError> {
    let mut signature = module.make_signature();
    signature.params.push(AbiParam::new(types::I64));
    let start = module.declare_function("start", Linkage::Local, &signature).map_err(internal)?;
    let mut context = module.make_context();
    context.func.signature = signature;
    let builder = FunctionBuilder::new(&mut context.func, builder_context);
    function::translate_start(builder, module, shared);
    module.define_function(start, &mut context).map_err(internal)?;
    Ok(start)
}
