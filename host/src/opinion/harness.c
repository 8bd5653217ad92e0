/* Follows the program's text in the same file. Gives it the inputs of one run, and reports a call of the error function.
 *
 * Inputs come from standard input, 64 bits each, in the order in which they are read. Reports go to standard error, which
 * the program itself cannot use. The program can open no file and start no process: a filter allows only the system calls that
 * memory and printing need. All names begin with __tandem_, and no header is included, so that no name clashes with one of
 * the program; functions of the program are replaced by a jump at their beginning. */
#pragma pack()

#ifdef __x86_64__
#define __TANDEM_ARCHITECTURE 0xC000003Eu
enum { __tandem_read = 0, __tandem_write = 1, __tandem_open = 2, __tandem_mprotect = 10, __tandem_dup2 = 33,
       __tandem_prctl = 157, __tandem_prlimit = 302, __tandem_exit_group = 231 };
static const unsigned __tandem_allowed[] = {0, 1, 5, 9, 10, 11, 12, 14, 15, 25, 60, 202, 231, 262, 318};
#else
#define __TANDEM_ARCHITECTURE 0x40000003u
enum { __tandem_read = 3, __tandem_write = 4, __tandem_open = 5, __tandem_mprotect = 125, __tandem_dup2 = 63,
       __tandem_prctl = 172, __tandem_prlimit = 340, __tandem_exit_group = 252 };
static const unsigned __tandem_allowed[] = {1, 3, 4, 45, 90, 91, 108, 119, 125, 163, 173, 175, 192, 197, 240, 252, 300, 355};
#endif

/* The tracing functions must not trace themselves. */
__attribute__((no_sanitize_coverage)) static long __tandem_system(long number, long a, long b, long c, long d, long e) {
  long result;
#ifdef __x86_64__
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                   : "rcx", "r11", "memory");
#else
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory");
#endif
  return result;
}

enum { __tandem_inputs = 100, __tandem_told = 101, __tandem_traced = 102 };

static void __tandem_tell(const char *text) {
  long length = 0;
  while (text[length]) length++;
  __tandem_system(__tandem_write, __tandem_told, (long)text, length, 0, 0);
}

static void __tandem_tell_number(unsigned long long number) {
  char text[18] = " ", *at = text + 17;
  for (*at = 0; at > text + 1; number >>= 4) *--at = "0123456789abcdef"[number & 15];
  __tandem_tell(text);
}

#ifdef __TANDEM_TRACE
/* The places where the program was: the first ones are written at once, since it may crash; of the others, the last ones. */
enum { __tandem_first = 2000, __tandem_last = 4000 };
static unsigned long long __tandem_places[__tandem_last], __tandem_place;

__attribute__((used, no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void) {
  unsigned long long place = (unsigned long)__builtin_return_address(0);
  if (__tandem_place < __tandem_first)
    __tandem_system(__tandem_write, __tandem_traced, (long)&place, sizeof place, 0, 0);
  else
    __tandem_places[(__tandem_place - __tandem_first) % __tandem_last] = place;
  __tandem_place++;
}

__attribute__((no_sanitize_coverage)) static void __tandem_flush(void) {
  long many = __tandem_place > __tandem_first ? (long)(__tandem_place - __tandem_first) : 0;
  long first = many > __tandem_last ? many % __tandem_last : 0, rest = many > __tandem_last ? __tandem_last - first : many;
  __tandem_system(__tandem_write, __tandem_traced, (long)(__tandem_places + first), rest * 8, 0, 0);
  __tandem_system(__tandem_write, __tandem_traced, (long)__tandem_places, first * 8, 0, 0);
}
#else
static void __tandem_flush(void) {}
#endif

static void __tandem_end(const char *text) {
  __tandem_tell(text);
  __tandem_flush();
  for (;;) __tandem_system(__tandem_exit_group, 0, 0, 0, 0, 0);
}

__attribute__((used)) static void __tandem_reached(void) { __tandem_end("reached"); }
__attribute__((used)) static void __tandem_abort(void) { __tandem_end("aborted"); }
__attribute__((used)) static void __tandem_unfit(void) { __tandem_end("unfit: an input of more than 64 bits"); }
__attribute__((used)) static void __tandem_assume(int holds) {
  if (!holds) __tandem_end("violated an assumption");
}

static unsigned long __tandem_asked;

static unsigned long long __tandem_next(void) {
  __tandem_asked++;
  static unsigned long long values[2048];
  static long have, used;
  if (used == have) {
    long bytes = 0, more;
    do {
      more = __tandem_system(__tandem_read, __tandem_inputs, (long)((char *)values + bytes),
                             (long)sizeof values - bytes, 0, 0);
      if (more > 0) bytes += more;
    } while (more > 0 && bytes % 8);
    have = bytes / 8;
    used = 0;
    if (!have) __tandem_end("asked for more inputs");
  }
  return values[used++];
}

/* The report of a program that ends by itself: how many inputs it read, and a number for each of its global variables. */
struct __tandem_global { const void *at; unsigned long size; };
static const struct __tandem_global __tandem_globals[];

__attribute__((destructor(101))) static void __tandem_over(void) {
  __tandem_tell("over");
  __tandem_tell_number(__tandem_asked);
  for (const struct __tandem_global *global = __tandem_globals; global->at; global++) {
    unsigned long long number = 0xcbf29ce484222325ull;
    for (unsigned long i = 0; i < global->size; i++)
      number = (number ^ ((const unsigned char *)global->at)[i]) * 0x100000001b3ull;
    __tandem_tell_number(number);
  }
  __tandem_flush();
}

struct __tandem_replaced { void *old; void *new; };
static const struct __tandem_replaced __tandem_replacements[];

/* Puts a jump at the beginning of each function that is replaced. */
static void __tandem_replace(void) {
  for (const struct __tandem_replaced *at = __tandem_replacements; at->old; at++) {
    unsigned char *code = at->old;
    unsigned long page = (unsigned long)code & ~4095ul;
    if (__tandem_system(__tandem_mprotect, (long)page, 8192, 7, 0, 0) &&
        __tandem_system(__tandem_mprotect, (long)page, 4096, 7, 0, 0))
      __tandem_end("unfit: code cannot be changed on this system");
    int distance = (int)((long)at->new - (long)(code + 5));
    code[0] = 0xE9;
    __builtin_memcpy(code + 1, &distance, 4);
  }
}

struct __tandem_filter { unsigned short code; unsigned char yes, no; unsigned value; };

static void __tandem_enclose(void) {
  enum { allowed = sizeof __tandem_allowed / sizeof *__tandem_allowed };
  static struct __tandem_filter filter[allowed + 6];
  struct { unsigned short length; struct __tandem_filter *start; } program = {0, filter};
  struct __tandem_filter *next = filter;
  *next++ = (struct __tandem_filter){0x20, 0, 0, 4};
  *next++ = (struct __tandem_filter){0x15, 1, 0, __TANDEM_ARCHITECTURE};
  *next++ = (struct __tandem_filter){0x06, 0, 0, 0x80000000u};
  *next++ = (struct __tandem_filter){0x20, 0, 0, 0};
  for (int i = 0; i < allowed; i++)
    *next++ = (struct __tandem_filter){0x15, (unsigned char)(allowed - i), 0, __tandem_allowed[i]};
  *next++ = (struct __tandem_filter){0x06, 0, 0, 0x00050001u};
  *next++ = (struct __tandem_filter){0x06, 0, 0, 0x7FFF0000u};
  program.length = (unsigned short)(next - filter);
  if (__tandem_system(__tandem_prctl, 38, 1, 0, 0, 0) || __tandem_system(__tandem_prctl, 22, 2, (long)&program, 0, 0))
    __tandem_end("unfit: the program cannot be enclosed on this system");
}

__attribute__((constructor(101))) static void __tandem_begin(void) {
  unsigned long long stack[2] = {112 << 20, 112 << 20}, core[2] = {0, 0};
  __tandem_system(__tandem_dup2, 0, __tandem_inputs, 0, 0, 0);
  __tandem_system(__tandem_dup2, 2, __tandem_told, 0, 0, 0);
#ifdef __TANDEM_TRACE
  long trace = __tandem_system(__tandem_open, (long)"trace", 01101, 0600, 0, 0);
  __tandem_system(__tandem_dup2, trace, __tandem_traced, 0, 0, 0);
#endif
  long nothing = __tandem_system(__tandem_open, (long)"/dev/null", 2, 0, 0, 0);
  for (int i = 0; i < 3; i++) __tandem_system(__tandem_dup2, nothing, i, 0, 0, 0);
  __tandem_system(__tandem_prlimit, 0, 3, (long)stack, 0, 0);
  __tandem_system(__tandem_prlimit, 0, 4, (long)core, 0, 0);
  __tandem_replace();
  __tandem_enclose();
}
