// claim: solved
// Assumptions restrict a path in the middle of a function call, not at a branch.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 10 && x < 20);
  int y = __VERIFIER_nondet_int();
  if (y == x) {
    __VERIFIER_assume(y % 10 == 0);
    reach_error();
  }
  return 0;
}
