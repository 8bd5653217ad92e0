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
// Members of a union share their bytes.
union mix { unsigned u; unsigned char b[4]; short s[2]; float f; } m;
int main(void) {
  m.u = __VERIFIER_nondet_uint();
  unsigned char top = m.b[3];
  m.b[0] = 1;
  check(m.u >> 24 == top && (m.s[0] & 255) == 1);
  return 0;
}
