// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
typedef __typeof__(sizeof(0)) size;
extern void *malloc(size);
extern void *calloc(size, size);
extern void free(void *);
extern void *memset(void *, int, size);
extern void *memcpy(void *, const void *, size);
void reach_error(void) { abort(); }
static void check(int c) { if (!c) reach_error(); }
// Narrow integers, shifts, division, and comparisons of mixed types.
int main(void) {
  int x = __VERIFIER_nondet_int();
  signed char c = x;
  unsigned u = __VERIFIER_nondet_uint();
  unsigned long long wide = (unsigned long long)u << 20;
  check(c == (int)((unsigned)x << 24) >> 24 && wide >> 20 == u && x / 7 * 7 + x % 7 == x);
  return 0;
}
