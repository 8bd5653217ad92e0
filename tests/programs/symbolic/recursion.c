// claim: solved
// Locals of calls that are open at the same time are not mixed up.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int sum(int n, int k) {
  int mine = n * k;
  if (n <= 0) {
    return 0;
  }
  int rest = sum(n - 1, k);
  return mine + rest;
}

int main(void) {
  int k = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (n > 8 || n < 0 || k < 0 || k > 100) {
    return 0;
  }
  if (2 * sum(n, k) != n * (n + 1) * k) {
    reach_error();
  }
  return 0;
}
