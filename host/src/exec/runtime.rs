//! Host functions that compiled code calls: inputs, library models, fuel, copies, wide arithmetic.
//! They leave a run through `escape`, so no frame of theirs may own anything when they do.
#![allow(unsafe_code)]

use super::context::{Context, Ending};
use super::library::{self, Call, Stop};
use super::translate::External;
use super::trap::escape;
use std::arch::naked_asm;
use tandem_plugin_api::program::constant::{Constant, float_binary, float_to_float, float_to_int, int_to_float};
use tandem_plugin_api::program::{BinaryOp, EdgeId, FloatKind, FunctionId};
use tandem_plugin_api::service::execution::{ConsumedInput, MAX_RECORDED, WhenInputsEnd};

/// Steps between two looks at the stop signal.
pub const SLICE: u64 = 1 << 20;

/// The names of host functions, for the linker.
pub fn symbols() -> [(String, *const u8); 9] {
    [
        ("escape", escape as *const () as *const u8),
        ("refuel", refuel_preserving as *const () as *const u8),
        ("input", input as *const () as *const u8),
        ("library", library_call as *const () as *const u8),
        ("copy", copy as *const () as *const u8),
        ("fill", fill as *const () as *const u8),
        ("wide_float", wide_float as *const () as *const u8),
        ("wide_divide", wide_divide as *const () as *const u8),
        ("trace", trace as *const () as *const u8),
    ]
    .map(|(name, address)| (name.to_owned(), address))
}

/// Ends the run from inside a host function.
///
/// # Safety
/// Only from a function that compiled code called with this context.
unsafe fn end(context: *mut Context, ending: Ending, edge: u32) -> ! {
    // SAFETY: the context is that of the run under way; nothing on the stack in between owns anything.
    unsafe {
        (*context).end(ending, EdgeId(edge));
        escape(context)
    }
}

/// Calls [`refuel`] and leaves all registers as they are.
///
/// # Safety
/// For compiled code only, which passes its own context.
#[unsafe(naked)]
unsafe extern "C" fn refuel_preserving(context: *mut Context, edge: u32) {
    naked_asm!(
        "push rax",
        "push rcx",
        "push rdx",
        "push rsi",
        "push rdi",
        "push r8",
        "push r9",
        "push r10",
        "push r11",
        "sub rsp, 256",
        "movups [rsp], xmm0",
        "movups [rsp + 16], xmm1",
        "movups [rsp + 32], xmm2",
        "movups [rsp + 48], xmm3",
        "movups [rsp + 64], xmm4",
        "movups [rsp + 80], xmm5",
        "movups [rsp + 96], xmm6",
        "movups [rsp + 112], xmm7",
        "movups [rsp + 128], xmm8",
        "movups [rsp + 144], xmm9",
        "movups [rsp + 160], xmm10",
        "movups [rsp + 176], xmm11",
        "movups [rsp + 192], xmm12",
        "movups [rsp + 208], xmm13",
        "movups [rsp + 224], xmm14",
        "movups [rsp + 240], xmm15",
        "call {refuel}",
        "movups xmm0, [rsp]",
        "movups xmm1, [rsp + 16]",
        "movups xmm2, [rsp + 32]",
        "movups xmm3, [rsp + 48]",
        "movups xmm4, [rsp + 64]",
        "movups xmm5, [rsp + 80]",
        "movups xmm6, [rsp + 96]",
        "movups xmm7, [rsp + 112]",
        "movups xmm8, [rsp + 128]",
        "movups xmm9, [rsp + 144]",
        "movups xmm10, [rsp + 160]",
        "movups xmm11, [rsp + 176]",
        "movups xmm12, [rsp + 192]",
        "movups xmm13, [rsp + 208]",
        "movups xmm14, [rsp + 224]",
        "movups xmm15, [rsp + 240]",
        "add rsp, 256",
        "pop r11",
        "pop r10",
        "pop r9",
        "pop r8",
        "pop rdi",
        "pop rsi",
        "pop rdx",
        "pop rcx",
        "pop rax",
        "ret",
        refuel = sym refuel,
    )
}

/// # Safety
/// For compiled code only, which passes its own context.
unsafe extern "C" fn refuel(context: *mut Context, edge: u32) {
    // SAFETY: compiled code passes its own context.
    let (stopped, left) = unsafe { ((*context).host.stop.reason().is_some(), (*context).host.steps_left) };
    if stopped || left == 0 {
        let ending = if stopped { Ending::Cancelled } else { Ending::StepLimit };
        // SAFETY: called by compiled code.
        unsafe { end(context, ending, edge) }
    }
    let slice = left.min(SLICE);
    // SAFETY: as above.
    unsafe {
        (*context).host.steps_left -= slice;
        // The fuel is below zero by the steps that were spent without a check.
        (*context).fuel += slice as i64;
    }
}

/// # Safety
/// For compiled code only, which passes its own context.
unsafe extern "C" fn input(context: *mut Context, function: u32, bits: u32, edge: u32) -> u64 {
    // SAFETY: compiled code passes its own context.
    let host = unsafe { &mut (*context).host };
    let value = match (host.inputs.get(host.next_input), host.when_inputs_end) {
        (Some(&value), _) => Some(value),
        (None, WhenInputsEnd::Stop) => None,
        (None, WhenInputsEnd::Zero) => Some(0),
        (None, WhenInputsEnd::Random(_)) => Some(random(&mut host.random)),
    };
    let Some(value) = value.filter(|_| host.consumed.len() < MAX_RECORDED) else {
        // SAFETY: called by compiled code.
        unsafe { end(context, Ending::InputsEnded, edge) }
    };
    host.next_input += 1;
    let value = if bits >= 64 { value } else { value & ((1 << bits) - 1) };
    host.consumed.push(ConsumedInput { function: FunctionId(function), edge: EdgeId(edge), bits: value });
    value
}

/// splitmix64; small values are as likely as large ones.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    match z & 7 {
        0 | 1 => z >> 32 & 1,
        2 => (z >> 32 & 15) as i64 as u64,
        3 => -((z >> 32 & 15) as i64) as u64,
        4 => z >> 32 & 0xff,
        _ => z.rotate_left(17),
    }
}

/// # Safety
/// For compiled code only, which passes its own context.
unsafe extern "C" fn library_call(
    context: *mut Context,
    function: u32,
    edge: u32,
    arguments: *const u64,
    count: u32,
) -> u64 {
    let outcome = {
        // SAFETY: compiled code passes its own context and a list of that many arguments.
        let (context, arguments) = unsafe { (&mut *context, std::slice::from_raw_parts(arguments, count as usize)) };
        let host = &mut context.host;
        // The highest bit says that the result is not used.
        let for_effect = function >> 31 != 0;
        match host.externals.get((function & !(1 << 31)) as usize) {
            Some(External::Library(model)) => {
                let model = if for_effect { model.without_result() } else { *model };
                let mut call =
                    Call { memory: &mut host.memory, state: &mut host.library, model: host.model, arguments };
                library::Function::call(model, &mut call)
            }
            _ => Ok(0),
        }
    };
    let stop = match outcome {
        Ok(result) => return result,
        Err(stop) => stop,
    };
    let ending = match stop {
        Stop::Exit(status) => {
            // SAFETY: as above.
            unsafe { (*context).status = status };
            Ending::Exited
        }
        Stop::Abort => Ending::Aborted,
        Stop::OutOfMemory => Ending::OutOfMemory,
        Stop::MemoryFault => Ending::MemoryFault,
        Stop::Unsupported => Ending::Unsupported,
    };
    // SAFETY: called by compiled code; nothing is owned here.
    unsafe { end(context, ending, edge) }
}

/// # Safety
/// For compiled code only, which passes its own context.
unsafe extern "C" fn copy(context: *mut Context, edge: u32, to: u64, from: u64, length: u64) {
    // SAFETY: compiled code passes its own context.
    let memory = unsafe { &mut (*context).host.memory };
    let done = (|| {
        let length = u32::try_from(length).ok()?;
        let (to, from) = (u32::try_from(to).ok()?, u32::try_from(from).ok()?);
        let source = memory.bytes(from, length)?.as_ptr();
        let target = memory.bytes_mut(to, length)?.as_mut_ptr();
        // SAFETY: both ranges were checked and are accessible; they may overlap.
        unsafe { std::ptr::copy(source, target, length as usize) };
        Some(())
    })();
    if done.is_none() {
        // SAFETY: called by compiled code.
        unsafe { end(context, Ending::MemoryFault, edge) }
    }
}

/// # Safety
/// For compiled code only, which passes its own context.
unsafe extern "C" fn fill(context: *mut Context, edge: u32, at: u64, length: u64, byte: u32) {
    // SAFETY: compiled code passes its own context.
    let memory = unsafe { &mut (*context).host.memory };
    let bytes = u32::try_from(at).ok().zip(u32::try_from(length).ok());
    match bytes.and_then(|(at, length)| memory.bytes_mut(at, length)) {
        Some(bytes) => bytes.fill(byte as u8),
        // SAFETY: called by compiled code.
        None => unsafe { end(context, Ending::MemoryFault, edge) },
    }
}

/// # Safety
/// For compiled code only, which passes its own context.
unsafe extern "C" fn trace(context: *mut Context, edge: u32, frame: u64) {
    // SAFETY: compiled code passes its own context.
    let host = unsafe { &mut (*context).host };
    if let Some(tracer) = &mut host.tracer {
        tracer.tell(&mut host.memory, edge, frame as u32);
    }
}

/// An operation on floats that the host computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WideCall {
    Binary(BinaryOp, FloatKind),
    Convert(FloatKind, FloatKind),
    FromInt(FloatKind, bool),
    ToInt(FloatKind, u32, bool),
}

const KINDS: [FloatKind; 4] = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128];
const OPS: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
];

/// The number by which compiled code names an operation.
pub fn wide_code(call: WideCall) -> u32 {
    let kind = |k: FloatKind| KINDS.iter().position(|&x| x == k).unwrap_or(0) as u32;
    match call {
        WideCall::Binary(op, k) => OPS.iter().position(|&x| x == op).unwrap_or(0) as u32 | kind(k) << 8,
        WideCall::Convert(from, to) => 1 << 16 | kind(from) << 8 | kind(to),
        WideCall::FromInt(to, signed) => 2 << 16 | kind(to) << 8 | u32::from(signed),
        WideCall::ToInt(from, bits, signed) => 3 << 16 | kind(from) << 8 | (bits / 8) << 1 | u32::from(signed),
    }
}

/// # Safety
/// For compiled code only, which passes its own context.
unsafe extern "C" fn wide_float(
    context: *mut Context,
    code: u32,
    a_low: u64,
    a_high: u64,
    b_low: u64,
    b_high: u64,
) -> u64 {
    let join = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
    let (a, b) = (join(a_low, a_high), join(b_low, b_high));
    let kind = KINDS[(code >> 8 & 3) as usize];
    let small = code & 0xff;
    let result = match code >> 16 {
        0 => match float_binary(OPS[(small as usize).min(9)], a, b, kind) {
            Some(Constant::Float(bits)) => bits,
            Some(Constant::Int(truth)) => truth as u128,
            None => 0,
        },
        1 => float_to_float(a, kind, KINDS[(small & 3) as usize]),
        2 => int_to_float(a as i128, small == 0, kind),
        _ => {
            let (bits, signed) = (small >> 1 << 3, small & 1 != 0);
            match float_to_int(a, kind, bits, signed) {
                Some(value) => value as u128,
                // C leaves the result open. The second operand is the edge.
                // SAFETY: compiled code passes its own context.
                None => unsafe { end(context, Ending::Unsupported, b_low as u32) },
            }
        }
    };
    // SAFETY: compiled code passes its own context.
    unsafe { (*context).wide = [result as u64, (result >> 64) as u64] };
    result as u64
}

/// # Safety
/// For compiled code only, which passes its own context.
unsafe extern "C" fn wide_divide(context: *mut Context, code: u32, a_low: u64, a_high: u64, b_low: u64, b_high: u64) {
    let join = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
    let (a, b) = (join(a_low, a_high), join(b_low, b_high));
    // Compiled code has excluded zero; __divti3 wraps where the quotient does not fit.
    let result = match (code & 1 != 0, code & 2 != 0) {
        (false, false) => a.checked_div(b).unwrap_or(0),
        (true, false) => a.checked_rem(b).unwrap_or(0),
        (false, true) => (a as i128).wrapping_div(b as i128) as u128,
        (true, true) => (a as i128).wrapping_rem(b as i128) as u128,
    };
    // SAFETY: compiled code passes its own context.
    unsafe { (*context).wide = [result as u64, (result >> 64) as u64] };
}
