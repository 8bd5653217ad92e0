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
// Calls through pointers.
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*table[2])(int) = { twice, square };
int main(void) {
  int (*f)(int) = table[__VERIFIER_nondet_int() & 1];
  int r = f(3);
  check(r == (f == twice ? 6 : 9));
  return 0;
}
