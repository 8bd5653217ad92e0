//! Entering and leaving native code. A fault of the tested program (a wild pointer, a division by zero, a stack
//! overflow) is a signal; the handler ends the run by resuming at `escape`, and the host goes on.

#![allow(unsafe_code)]

use super::context::Context;
use std::arch::naked_asm;
use std::cell::Cell;
use std::ptr;
use std::sync::Once;

/// The kind of fault that a signal reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Memory,
    Stack,
    Division,
    /// A trap instruction of the compiled code.
    Trap,
}

thread_local! {
    /// The run under way on this thread.
    static ACTIVE: Cell<*mut Context> = const { Cell::new(ptr::null_mut()) };
    static HAS_SIGNAL_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Calls `code(context)` on the stack that ends at `stack_top`; returns when it returns or when [`escape`] is called.
///
/// # Safety
/// `code` must be native code of the C calling convention that takes the context, and `stack_top` the 16-aligned end of
/// a stack that is not in use. `context.host_stack` must be at offset 0.
#[unsafe(naked)]
unsafe extern "C" fn enter(context: *mut Context, code: *const u8, stack_top: *mut u8) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rbx, rdi",
        "mov rsp, rdx",
        "call rsi",
        "mov rsp, [rbx]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Ends the run: goes back to where [`enter`] was called, whatever is on the stack.
///
/// # Safety
/// Only inside a run of this context, with no frame in between that has something to clean up.
#[unsafe(naked)]
pub unsafe extern "C" fn escape(context: *mut Context) -> ! {
    naked_asm!("mov rsp, [rdi]", "pop r15", "pop r14", "pop r13", "pop r12", "pop rbx", "pop rbp", "ret",)
}

/// Runs native code with faults caught.
///
/// # Safety
/// As for [`enter`]; the context's pointers must be valid for the whole run.
pub unsafe fn run(context: *mut Context, code: *const u8, stack_top: *mut u8) {
    install();
    let outer = ACTIVE.replace(context);
    // SAFETY: passed on to the caller.
    unsafe { enter(context, code, stack_top) };
    ACTIVE.set(outer);
}

static INSTALLED: Once = Once::new();
const SIGNALS: [i32; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];
/// The handlers that were there before, by index in [`SIGNALS`].
static mut PREVIOUS: [Option<libc::sigaction>; 4] = [None; 4];

fn install() {
    INSTALLED.call_once(|| {
        for (index, &signal) in SIGNALS.iter().enumerate() {
            // SAFETY: the handler is async-signal-safe where it acts, and hands everything else to the one before.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                let mut previous: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handle as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
                libc::sigaction(signal, &action, &mut previous);
                PREVIOUS[index] = Some(previous);
            }
        }
    });
    if !HAS_SIGNAL_STACK.replace(true) {
        // The handler needs a stack of its own, since the program's may be the one that overflowed. It lives as long
        // as the thread may get signals, so it is never freed.
        const SIZE: usize = 64 << 10;
        let memory = Box::leak(vec![0u8; SIZE].into_boxed_slice());
        let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: SIZE };
        // SAFETY: the memory is never freed.
        unsafe { libc::sigaltstack(&stack, ptr::null_mut()) };
    }
}

extern "C" fn handle(signal: i32, info: *mut libc::siginfo_t, machine: *mut libc::c_void) {
    let context = ACTIVE.get();
    // SAFETY: an active context is valid during its run; the kernel gave us info and machine state.
    unsafe {
        if !context.is_null() {
            let machine = &mut *machine.cast::<libc::ucontext_t>();
            let registers = &mut machine.uc_mcontext.gregs;
            let at = registers[libc::REG_RIP as usize] as usize;
            if (*context).owns_code(at) {
                let address = (*info).si_addr() as usize;
                let fault = match signal {
                    libc::SIGFPE => Fault::Division,
                    libc::SIGILL => Fault::Trap,
                    _ if (*context).touch(address) => return,
                    _ if (*context).is_native_stack(address) => Fault::Stack,
                    _ => Fault::Memory,
                };
                (*context).note_fault(fault, at);
                registers[libc::REG_RDI as usize] = context as i64;
                registers[libc::REG_RIP as usize] = escape as *const () as i64;
                return;
            }
        }
        pass_on(signal, info, machine);
    }
}

/// Calls the handler that was installed before ours; without one, the default action follows on return.
///
/// # Safety
/// Only from the handler, with what the kernel passed to it.
unsafe fn pass_on(signal: i32, info: *mut libc::siginfo_t, machine: *mut libc::c_void) {
    let index = SIGNALS.iter().position(|&s| s == signal).unwrap_or(0);
    // SAFETY: written once, before the handler was installed for this signal could run.
    let previous = unsafe { PREVIOUS[index] };
    match previous {
        Some(action) if action.sa_sigaction != libc::SIG_DFL && action.sa_sigaction != libc::SIG_IGN => {
            // SAFETY: a handler that some part of this process installed with this signature.
            unsafe {
                if action.sa_flags & libc::SA_SIGINFO != 0 {
                    let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) =
                        std::mem::transmute(action.sa_sigaction);
                    handler(signal, info, machine);
                } else {
                    let handler: extern "C" fn(i32) = std::mem::transmute(action.sa_sigaction);
                    handler(signal);
                }
            }
        }
        _ => {
            // SAFETY: restores the default action; the faulting instruction is executed again and ends the process.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &action, ptr::null_mut());
            }
        }
    }
}
