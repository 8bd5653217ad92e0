// claim: solved
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
// Most executions end in loops that never end: each of them must be cheap.
static void assume(int condition) {
  if (!condition)
  stop:
    goto stop;
}
int main(void) {
  int state = 0;
  while (1) {
    int x = __VERIFIER_nondet_int();
    assume(x >= 0 && x <= 7);
    assume(x != state);
    if (state == 0 && x == 5)
      state = 1;
    else if (state == 1 && x == 2)
      state = 2;
    else if (state == 2 && x == 7)
      state = 3;
    else if (state == 3 && x == 4)
      reach_error();
    else
      state = 0;
  }
}
