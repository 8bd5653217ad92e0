// claim: solved
// One input of 32 needs the deepest calls.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

unsigned depth(unsigned n) {
  if (n == 0) {
    return 0;
  }
  if (n & 1) {
    return 1 + depth(n - 1);
  }
  return 1 + depth(n >> 1);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() & 31;
  if (depth(n) == 9) {
    reach_error();
  }
  return 0;
}
