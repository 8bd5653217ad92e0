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
// Narrow integers, shifts, division, and comparisons of mixed types. The claim is wrong for some inputs.
int main(void) {
  int x = __VERIFIER_nondet_int();
  signed char c = x;
  unsigned u = __VERIFIER_nondet_uint();
  unsigned long long wide = (unsigned long long)u << 20;
  check((unsigned)c < 200 || c < -2 || c > 0);
  return 0;
}
