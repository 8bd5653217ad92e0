// claim: unknown executing its inputs does not
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
// A variable without a value may have any, but execution happens to find another one: neither a proof nor an alarm.
int main(void) {
  int x, y = __VERIFIER_nondet_int();
  if (y == 3)
    x = 1;
  check(y == 3 || x != 4711);
  return 0;
}
