// Arithmetic that detects overflow: all combinations of types, with and without a place for the result.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
extern long long __VERIFIER_nondet_longlong(void);
struct fields { int small : 5; unsigned flag : 3; };
static int calls;
static int once(int x) { calls++; return x; }
#define EACH(A, a, B, b, R) do { \
  R sum, difference, product; A x = (A)(a); B y = (B)(b); \
  int o1 = __builtin_add_overflow(x, y, &sum), o2 = __builtin_sub_overflow(x, y, &difference), o3 = __builtin_mul_overflow(x, y, &product); \
  printf("%d%d%d %lld %lld %lld ", o1, o2, o3, (long long)sum, (long long)difference, (long long)product); \
  printf("%d%d%d\n", __builtin_add_overflow_p(x, y, (R)0), __builtin_sub_overflow_p(x, y, (R)0), __builtin_mul_overflow_p(x, y, (R)0)); \
} while (0)
#define RESULTS(A, B) EACH(A, a, B, b, signed char); EACH(A, a, B, b, unsigned short); EACH(A, a, B, b, int); EACH(A, a, B, b, unsigned); \
  EACH(A, a, B, b, long); EACH(A, a, B, b, unsigned long long); EACH(A, a, B, b, long long)
static void mixed(long long a, long long b) {
  RESULTS(char, unsigned char); RESULTS(int, int); RESULTS(unsigned, int); RESULTS(unsigned, unsigned); RESULTS(long, unsigned short);
  RESULTS(long long, long long); RESULTS(unsigned long long, long long); RESULTS(long long, unsigned); RESULTS(unsigned long long, unsigned long long);
}
static void typed(long long a, long long b) {
  int i; unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull;
  printf("%d%d%d ", __builtin_sadd_overflow(a, b, &i), __builtin_ssub_overflow(a, b, &i), __builtin_smul_overflow(a, b, &i)); printf("%d\n", i);
  printf("%d%d%d ", __builtin_uadd_overflow(a, b, &u), __builtin_usub_overflow(a, b, &u), __builtin_umul_overflow(a, b, &u)); printf("%u\n", u);
  printf("%d%d ", __builtin_saddl_overflow(a, b, &l), __builtin_usubl_overflow(a, b, &ul)); printf("%ld %lu\n", l, ul);
  printf("%d%d ", __builtin_smulll_overflow(a, b, &ll), __builtin_umulll_overflow(a, b, &ull)); printf("%lld %llu\n", ll, ull);
}
int main(void) {
  long long n = __VERIFIER_nondet_longlong(); int m = __VERIFIER_nondet_int();
  long long values[] = {n, m, -1, -0x7fffffffffffffffLL - 1, 3037000500LL};
  int count = sizeof values / sizeof *values;
  for (int i = 0; i < count; i++) for (int j = 0; j < count; j++) { mixed(values[i], values[j]); typed(values[i], values[j]); }
  struct fields f = {0, 0};
  printf("%d%d%d\n", __builtin_add_overflow_p(m % 16, 3, f.small), __builtin_mul_overflow_p(m & 7, 2, f.flag), __builtin_sub_overflow_p(m & 3, 2, f.flag));
  int result, r = __builtin_mul_overflow(once(3), once(m), &result);
  printf("%d %d %d\n", r, result, calls);
#ifdef __SIZEOF_INT128__
  __int128 wide = (__int128)n << 60, target; unsigned __int128 uwide = -(unsigned __int128)m, utarget;
  printf("%d ", __builtin_mul_overflow(wide, m, &target)); printf("%llx\n", (long long)(target >> 64));
  printf("%d ", __builtin_add_overflow(uwide, n, &utarget)); printf("%llx\n", (long long)(utarget >> 64));
  printf("%d ", __builtin_sub_overflow(uwide, wide, &target)); printf("%llx\n", (long long)(target >> 64));
  printf("%d%d\n", __builtin_mul_overflow_p(uwide, uwide, 0), __builtin_mul_overflow_p(uwide, uwide, (unsigned __int128)0));
#endif
  return r;
}
