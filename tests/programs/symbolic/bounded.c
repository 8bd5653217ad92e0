// claim: unknown a loop is followed for 3 iterations only
// The error lies behind the bound: no proof, and no alarm either.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = 0;
  while (__VERIFIER_nondet_int()) {
    n++;
  }
  if (n == 7) {
    reach_error();
  }
  return 0;
}
