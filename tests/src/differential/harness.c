/* Runs one compiled C program on many input vectors and writes a trace of each run.
 *
 *   program VECTORS FIRST MILLISECONDS MOST_INPUTS FILL STATUS
 *
 * All symbols of the program carry the prefix p_, so that nothing of it replaces what this file or the C library uses.
 * Each vector runs in a forked child. A trace is a line per event (calls of functions that the program does not define,
 * with their arguments and result, and printed text; at the end the values of global variables), then a line "= ..." that
 * says how the run ended.
 *
 * Runs are made comparable: inputs depend on the vector's number alone, allocated memory lies at a fixed address and is
 * filled with FILL, and a run ends after so many inputs or so much time. What main returns counts unless STATUS is 0. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOG_SIZE (1u << 18)
/* Far from where the kernel puts code, heap and stack. */
#define ARENA_START ((char *)(sizeof(void *) == 8 ? 0x100000000000ull : 0x20000000ull))
#define ARENA_SIZE (128u << 20)
#define STACK_SIZE (32ul << 20)
#define WEAK __attribute__((weak))

struct log {
  unsigned used;
  int ended;
  char text[LOG_SIZE];
};

static struct log *trace;
static unsigned long long state;
static int strategy;
static long inputs_left;
static int fill, status_counts;
static char *arena_next = ARENA_START;
static char *stack_start;
static void *alternate_stack;

extern int p_main();

/* ---- the trace ---- */

/* Global variables that both versions have, from the generated stubs. */
struct global { const char *name; const unsigned char *start; unsigned long size; };
extern const struct global harness_globals[];

static void log_globals(void) {
  for (const struct global *g = harness_globals; g->name; g++) {
    if (!g->start) continue;
    unsigned hash = 2166136261u;
    for (unsigned long i = 0; i < g->size; i++) hash = (hash ^ g->start[i]) * 16777619u;
    if (trace->used + 200 > LOG_SIZE) return;
    trace->used += snprintf(trace->text + trace->used, 150, "finally %.100s: %x\n", g->name, hash);
  }
}

/* A run that a limit cuts has no defined last state. */
static void end(const char *how, long value) {
  if (!trace->ended) {
    trace->ended = 1;
    int cut = !strncmp(how, "cut", 3) && strcmp(how, "cut by inputs") != 0;
    if (!cut && strcmp(how, "signal")) log_globals();
    trace->used += snprintf(trace->text + trace->used, 64, "= %s %ld\n", how, value);
  }
  _exit(0);
}

static void event(const char *text, size_t length) {
  if (trace->used + length + 80 > LOG_SIZE) end("cut by trace", 0);
  memcpy(trace->text + trace->used, text, length);
  trace->used += length;
  trace->text[trace->used++] = '\n';
}

static char line[4096];
static size_t line_used;

static void add(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(line + line_used, sizeof line - line_used, format, list);
  va_end(list);
  if (n > 0) line_used += (size_t)n;
  if (line_used >= sizeof line) line_used = sizeof line - 1;
}

static void flush_line(void) {
  event(line, line_used);
  line_used = 0;
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  char *at = info->si_addr;
  if (signal == SIGVTALRM || signal == SIGALRM) end("cut by time", 0);
  if (signal == SIGSEGV && at < stack_start - STACK_SIZE + (1 << 20) && stack_start - at < (long)(16 * STACK_SIZE))
    end("cut by stack", 0);
  end("signal", signal);
}

/* ---- input values ---- */

static unsigned long long next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545F4914F6CDD1Dull;
}

static unsigned long long boundary(int bits) {
  static const int shift[] = {1, 2, 7, 8, 15, 16, 31, 32, 63, 64};
  int width = shift[next() % 10];
  if (width > bits) width = bits;
  unsigned long long top = width == 64 ? 0 : 1ull << width;
  return (width == 64 || next() % 2 ? top : top >> 1) + next() % 3 - 1;
}

/* The low bits of an integer. Small numbers lead further into most programs than random ones. */
static unsigned long long pick(int bits) {
  if (inputs_left-- <= 0) end("cut by inputs", 0);
  int how = strategy;
  if (how >= 6) how = 2 + next() % 6;
  switch (how) {
    case 0: return 0;
    case 1: return 1;
    case 2: return next() % 8;
    case 3: return next() % 17 - 8;
    case 4: return next() % 120;
    case 5: return boundary(bits);
    default: return next();
  }
}

static double pick_float(void) {
  static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-40, 1e-310, 1e30, 1e300, 3.4028234663852886e38};
  unsigned long long r = pick(64);
  switch (next() % 6) {
    case 0: return special[next() % 10];
    case 1: return (double)(long long)(r % 2000) / 8.0 - 100.0;
    case 2: return next() % 8 == 0 ? __builtin_inf() : next() % 8 == 0 ? __builtin_nan("") : 0.1 * (double)(r % 50);
    default: return (double)(long long)(int)r;
  }
}

/* Called by the generated stubs, see stubs.rs. */
void harness_call(const char *name) { add("%s(", name); }
void harness_int(long long value) { add(" %lld", value); }
void harness_float(long double value) { add(" %La", value); }
void harness_pointer(const void *p) {
  const char *at = p;
  if (!p) add(" null");
  else if (at >= ARENA_START && at < ARENA_START + ARENA_SIZE) add(" heap+%ld", (long)(at - ARENA_START));
  else add(" pointer");
}
void harness_void(void) {
  add(" )");
  flush_line();
}
long long harness_pick_int(int bits, int is_signed) {
  unsigned long long value = pick(bits);
  if (bits == 1) value &= 1;
  else if (bits < 64) {
    value &= (1ull << bits) - 1;
    if (is_signed && value >> (bits - 1)) value -= 1ull << bits;
  }
  add(" ) = %lld", (long long)value);
  flush_line();
  return (long long)value;
}
long double harness_pick_float(int size) {
  double value = pick_float();
  if (size == 4) value = (float)value;
  add(" ) = %a", value);
  flush_line();
  return value;
}
static void *allocate(size_t size, int byte);
void *harness_pick_pointer(void) {
  void *value = pick(8) % 3 == 0 ? 0 : allocate(4096, 0);
  add(" ) =");
  harness_pointer(value);
  flush_line();
  return value;
}

/* ---- memory ---- */

static void *allocate(size_t size, int byte) {
  size_t room = (size + 31) / 16 * 16;
  if (room < size || room > (size_t)(ARENA_START + ARENA_SIZE - arena_next)) return 0;
  char *block = arena_next + 16;
  *(size_t *)arena_next = size;
  arena_next += room + 16;
  if (byte) memset(block, byte, size);
  return block;
}

WEAK void *p_malloc(size_t size) { return allocate(size, fill); }
WEAK void *p_calloc(size_t n, size_t size) {
  size_t all;
  return __builtin_mul_overflow(n, size, &all) ? 0 : allocate(all, 0);
}
WEAK void *p_realloc(void *old, size_t size) {
  char *block = allocate(size, fill);
  if (block && old) {
    size_t had = *(size_t *)((char *)old - 16);
    memcpy(block, old, had < size ? had : size);
  }
  return block;
}
WEAK void *p_valloc(size_t size) { return allocate(size, fill); }
/* Freed memory is not used again: a use after free reads what was there, in every version alike. */
WEAK void p_free(void *p) {}
WEAK void p_cfree(void *p) {}

/* Values that the program does not determine, and outputs of inline assembly: zero in both versions. */
#define ANY(T, n) T p___tandem_any_##n(void) { return 0; }
ANY(_Bool, bool) ANY(char, char) ANY(signed char, schar) ANY(unsigned char, uchar) ANY(short, short)
ANY(unsigned short, ushort) ANY(int, int) ANY(unsigned, uint) ANY(long, long) ANY(unsigned long, ulong)
ANY(long long, longlong) ANY(unsigned long long, ulonglong) ANY(float, float) ANY(double, double)
ANY(long double, longdouble) ANY(void *, pointer)
#ifdef __SIZEOF_INT128__
ANY(__int128, int128) ANY(unsigned __int128, uint128)
#endif
void p___tandem_any_bytes(void *start, unsigned long size) { memset(start, 0, size); }

/* ---- how runs end ---- */

WEAK void p___VERIFIER_error(void) { end("error", 0); }
WEAK void p_reach_error(void) { end("error", 0); }
WEAK void p___VERIFIER_assume(int holds) { if (!holds) end("assumption violated", 0); }
WEAK void p_abort(void) { end("abort", 0); }
/* Functions of atexit, the last one first, then destructors: in a printed program main calls these by itself. */
static void (*at_exit[32])(void);
static int at_exit_count;
WEAK int p_atexit(void (*function)(void)) {
  if (at_exit_count == 32) return 1;
  at_exit[at_exit_count++] = function;
  return 0;
}
extern void (*__fini_array_start[])(void), (*__fini_array_end[])(void);
static void exit_program(int status) {
  while (at_exit_count > 0) at_exit[--at_exit_count]();
  for (void (**f)(void) = __fini_array_end; f > __fini_array_start;) (*--f)();
  end("exit", status);
}
WEAK void p_exit(int status) { exit_program(status & 255); }
WEAK void p__exit(int status) { end("exit", status & 255); }
WEAK void p__Exit(int status) { end("exit", status & 255); }
WEAK void p___assert_fail(const char *what, const char *file, unsigned at, const char *function) {
  end("assertion failed", 0);
}

/* ---- printing ---- */

static int print_text(const char *text, int length) {
  line_used = 0;
  add("print ");
  for (int i = 0; i < length; i++) {
    if (text[i] == '\n') add("\\n");
    else add("%c", text[i]);
  }
  flush_line();
  return length;
}
static int print_list(const char *format, va_list list) {
  static char text[2048];
  int n = vsnprintf(text, sizeof text, format, list);
  return print_text(text, n < (int)sizeof text ? n : (int)sizeof text - 1);
}
WEAK int p_printf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = print_list(format, list);
  va_end(list);
  return n;
}
WEAK int p_fprintf(void *stream, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = print_list(format, list);
  va_end(list);
  return n;
}
WEAK int p_vprintf(const char *format, va_list list) { return print_list(format, list); }
WEAK int p_vfprintf(void *stream, const char *format, va_list list) { return print_list(format, list); }
WEAK int p_puts(const char *text) { return print_text(text, (int)strlen(text)); }
WEAK int p_fputs(const char *text, void *stream) { return print_text(text, (int)strlen(text)); }
WEAK int p_putchar(int c) { char text = (char)c; print_text(&text, 1); return (unsigned char)c; }
WEAK int p_fflush(void *stream) { return 0; }
WEAK void *p_stdin, *p_stdout, *p_stderr;

/* ---- running ---- */

static void handle(int signal) {
  struct sigaction action = {0};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(signal, &action, 0);
}

static void run_vector(long vector, long milliseconds) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGVTALRM, SIGALRM};
  stack_t alternate = {.ss_sp = alternate_stack, .ss_size = 1 << 16};
  sigaltstack(&alternate, 0);
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) handle(signals[i]);
  struct itimerval timer = {{0, 0}, {milliseconds / 1000, milliseconds % 1000 * 1000}};
  setitimer(ITIMER_VIRTUAL, &timer, 0);
  alarm(30 + 10 * milliseconds / 1000);
  strategy = vector < 2 ? (int)vector : 2 + (int)(vector % 5);
  state = 0x9E3779B97F4A7C15ull * (unsigned long long)(vector + 1);
  for (int i = 0; i < 8; i++) next();
  char *arguments[] = {"program", 0}, *environment[] = {0};
  stack_start = (char *)&timer;
  int status = p_main(1, arguments, environment);
  exit_program(status_counts ? status & 255 : 0);
}

int main(int argc, char **argv) {
  if (argc != 7) return 2;
  long vectors = atol(argv[1]), first = atol(argv[2]), milliseconds = atol(argv[3]);
  inputs_left = atol(argv[4]);
  fill = atoi(argv[5]);
  status_counts = atoi(argv[6]);
  struct rlimit limit = {STACK_SIZE, STACK_SIZE}, no_core = {0, 0};
  setrlimit(RLIMIT_STACK, &limit);
  setrlimit(RLIMIT_CORE, &no_core);
  trace = mmap(0, sizeof *trace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char *arena = mmap(ARENA_START, ARENA_SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  alternate_stack = malloc(1 << 16);
  if (trace == MAP_FAILED || arena != ARENA_START || !alternate_stack) return 3;
  for (long vector = first; vector < first + vectors; vector++) {
    trace->used = 0;
    trace->ended = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return 4;
    if (child == 0) run_vector(vector, milliseconds);
    int status = 0;
    waitpid(child, &status, 0);
    printf("# %ld\n", vector);
    fwrite(trace->text, 1, trace->used, stdout);
    if (!trace->ended) printf("= died %d\n", status);
  }
  return 0;
}
