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
// memset and memcpy, also between objects of different types.
int a[6];
unsigned char b[24];
short c[200];
int main(void) {
  a[2] = __VERIFIER_nondet_int();
  memcpy(b, a, sizeof a);
  memset(c, b[8], sizeof c);
  memset(a, 0, sizeof a);
  check(a[2] == 0 && (c[7] & 255) == b[8]);
  return 0;
}
