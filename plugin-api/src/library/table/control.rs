//! What ends the program, jumps, calls back, or handles signals.

use super::super::effects::{Effects, Models};
use super::super::entry::{Entry, ends, hidden, input, stateful};

const CALLS_MALLOC: Effects = Effects::CALLS_MALLOC;

pub const FUNCTIONS: &[Entry] = &[
    ends("void abort(void)").implicit().modelled(Models::SINGLE_RUN),
    ends("void exit(int status)").also(&["_exit", "_Exit"]).implicit().modelled(Models::SINGLE_RUN),
    ends("void quick_exit(int status)"),
    ends("void __assert_fail(const char *text, const char *file, unsigned line, const char *function)")
        .modelled(Models::SINGLE_RUN),
    ends("void __assert(const char *text, const char *file, int line)"),
    ends("void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)"),
    // Of other C libraries.
    ends("void __assert_rtn(const char *function, const char *file, int line, const char *text)"),
    ends("void __assert_func(const char *file, int line, const char *function, const char *text)"),
    ends("void _assert(const char *text, const char *file, unsigned line)"),
    ends("void __stack_chk_fail(void)").also(&["__chk_fail", "__fortify_fail"]),
    stateful("int *__errno_location(void)"),
    // What was registered for the end of the program runs, or a function that prints its name.
    hidden("void err(int status, const char *format, ...)").also(&["errx"]).with(Effects::NEVER_RETURNS).format(1),
    hidden("void verr(int status, const char *format, va_list list)")
        .also(&["verrx"])
        .with(Effects::NEVER_RETURNS)
        .format(1),
    hidden("void error(int status, int number, const char *format, ...)").format(2).with(CALLS_MALLOC),
    hidden("void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)")
        .format(4)
        .with(CALLS_MALLOC),
    hidden("int on_exit(void (*function)(int, void *), void *argument)"),
    hidden("int atexit(void (*function)(void))").modelled(Models::C_TEXT),
    hidden("int at_quick_exit(void (*function)(void))"),
    hidden("void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *))")
        .modelled(Models::C_TEXT),
    hidden(
        "void qsort_r(void *array, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *more)",
    ),
    hidden(
        "void *bsearch(const void *key, const void *array, size_t count, size_t size, \
         int (*compare)(const void *, const void *))",
    )
    .modelled(Models::C_TEXT),
    hidden("void *lfind(const void *key, const void *array, size_t *count, size_t size, int (*compare)(const void *, const void *))")
        .modelled(Models::C_TEXT),
    hidden("void *lsearch(const void *key, void *array, size_t *count, size_t size, int (*compare)(const void *, const void *))")
        .modelled(Models::C_TEXT),
    hidden("__sighandler_t signal(int number, __sighandler_t handler)").also(&["sigset"]),
    hidden("int sigaction(int number, const struct sigaction *action, struct sigaction *old)"),
    hidden("int setjmp(struct __jmp_buf_tag *buffer)").also(&["_setjmp"]).modelled(Models::LOWERED),
    hidden("int __sigsetjmp(struct __jmp_buf_tag *buffer, int mask)").also(&["sigsetjmp"]).modelled(Models::LOWERED),
    hidden("void longjmp(struct __jmp_buf_tag *buffer, int value)")
        .also(&["_longjmp", "siglongjmp", "__longjmp_chk"])
        .with(Effects::NEVER_RETURNS)
        .modelled(Models::LOWERED),
    hidden("void makecontext(ucontext_t *context, void (*function)(void), int count, ...)"),
    hidden("int swapcontext(ucontext_t *old, const ucontext_t *context)"),
    hidden("int setcontext(const ucontext_t *context)"),
    hidden("int fork(void)").also(&["vfork", "_Fork"]),
    hidden("int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)"),
    // They may end the program, by a signal or by another program in its place.
    input("int raise(int signal)").also(&["gsignal"]),
    input("int kill(int process, int signal)").also(&["killpg"]),
    input("unsigned alarm(unsigned seconds)"),
    input("int pause(void)"),
    input("int daemon(int stay, int keep)"),
    input("int reboot(int command)"),
    input("int execv(const char *path, char *const arguments[])").also(&["execvp"]),
    input("int execve(const char *path, char *const arguments[], char *const environment[])").also(&["execvpe"]),
    input("int execl(const char *path, const char *argument, ...)").also(&["execlp", "execle"]),
    input("int system(const char *command)"),
];
