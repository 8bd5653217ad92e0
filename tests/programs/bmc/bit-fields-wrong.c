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
// Bit-fields keep their low bits and leave their neighbours alone. The claim is wrong for some inputs.
struct bits { unsigned a : 3; int b : 7; long long c : 33; _Bool d : 1; } s;
int main(void) {
  int x = __VERIFIER_nondet_int();
  s.b = -3;
  s.a = x;
  s.c = x;
  check(s.a == x || x != 12);
  return 0;
}
