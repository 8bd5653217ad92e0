//! The program as AFL++ runs it: inputs come from standard input, the error is a trap, and nothing else that ends a run
//! is a crash.

use crate::inputs::{Width, input_functions};
use std::fmt::Write;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{PrintOptions, Type};

/// The function that is called right before a target.
const TARGET: &str = "__tandem_target";

/// The functions that end a run without an error. They come before the program, so that its own calls go here.
const BEFORE: &str = "\
void __tandem_quiet_end(void) __attribute__((noreturn));
#define abort __tandem_abort
static void __tandem_abort(void) { __tandem_quiet_end(); }
";

const AFTER: &str = "
#undef abort
extern long read(int, void *, unsigned long);
extern void _exit(int);
extern void (*signal(int, void (*)(int)))(int);
extern void *memcpy(void *, const void *, unsigned long);
static unsigned char __tandem_bytes[1 << 16];
static long __tandem_count = -1, __tandem_at;
void __tandem_quiet_end(void) { _exit(0); }
static void __tandem_on_signal(int number) { _exit(0); }
void __tandem_target() { __builtin_trap(); }
void __assert_fail() { _exit(0); }
__attribute__((constructor)) static void __tandem_begin(void) {
  /* Faults of memory and arithmetic are not the error that is looked for: SIGBUS, SIGFPE, SIGSEGV, SIGABRT. */
  signal(7, __tandem_on_signal); signal(8, __tandem_on_signal); signal(11, __tandem_on_signal); signal(6, __tandem_on_signal);
}
/* Not before main: AFL++ forks between constructors and main, and what is read before that is the same in every run. */
static void __tandem_read(void) {
  __tandem_count = 0;
  for (long n; __tandem_count < (long)sizeof __tandem_bytes
       && (n = read(0, __tandem_bytes + __tandem_count, sizeof __tandem_bytes - __tandem_count)) > 0;)
    __tandem_count += n;
}
static unsigned long long __tandem_next(long width) {
  unsigned long long bits = 0;
  if (__tandem_count < 0) __tandem_read();
  if (__tandem_at + width > __tandem_count) _exit(0);
  memcpy(&bits, __tandem_bytes + __tandem_at, width);
  __tandem_at += width;
  return bits;
}
";

pub struct Harness;

impl Harness {
    /// The whole C file.
    pub fn around(program: &Program, targets: &[EdgeId], width: Width) -> String {
        let mut probed = program.clone();
        probed.insert_call_before(targets, TARGET);
        let mut text =
            format!("{BEFORE}{}{AFTER}", probed.to_c(&PrintOptions { only_used: true, ..PrintOptions::default() }));
        for id in input_functions(program) {
            let function = program.function(id);
            let Some(result) = program.result_type(id) else { continue };
            let next = format!("__tandem_next({})", width.0);
            let ty = program.type_to_c(result);
            let value = match program.types.get(result) {
                Type::Void => continue,
                Type::Float(_) => {
                    format!("union {{ unsigned long long bits; {ty} value; }} it; it.bits = {next}; return it.value;")
                }
                Type::Pointer(_) => format!("return ({ty})(unsigned long){next};"),
                _ if ty == "_Bool" => format!("return {next} & 1;"),
                _ => format!("return ({ty}){next};"),
            };
            // Writing to a string does not fail.
            let _ = writeln!(text, "{ty} {}() {{ {value} }}", function.name);
        }
        text
    }
}
