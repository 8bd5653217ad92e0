// Inputs of several types decide whether the error is reached, an assumption fails, or the program aborts.
extern void __VERIFIER_error(void) __attribute__((noreturn));
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern float __VERIFIER_nondet_float(void);
extern void *__VERIFIER_nondet_pointer(void);
extern int helper(int, char *, double);
extern void abort(void);
extern void exit(int);
int state;
static void check(int holds) { if (!holds) { ERROR: __VERIFIER_error(); } }
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > -100 && n < 1000);
  unsigned char c = __VERIFIER_nondet_uchar();
  if (__VERIFIER_nondet_bool()) state = c; else state = (int)(__VERIFIER_nondet_ulong() % 1000);
  if (__VERIFIER_nondet_float() > 10) state++;
  int *p = __VERIFIER_nondet_pointer();
  if (p) { *p = n; state += *p; }
  state += helper(n, (char *)p, n * 0.5);
  if (state == 5) abort();
  if (state % 7 == 3) exit(state % 100);
  __VERIFIER_assume(state != 4);
  check(state % 5 != 1);
  return state & 255;
}
