// claim: solved
// Constants decide 50,000 iterations: a long path, and the only one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 50000; i++) {
    sum += i;
  }
  int x = __VERIFIER_nondet_int();
  if (x > 0 && sum != 1249975000u) {
    reach_error();
  }
  return 0;
}
