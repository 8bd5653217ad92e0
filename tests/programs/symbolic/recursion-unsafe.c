// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

unsigned depth(unsigned n) {
  if (n == 0) {
    return 0;
  }
  if (n % 2 == 0) {
    return 1 + depth(n / 2);
  }
  return 1 + depth(n - 1);
}

int main(void) {
  unsigned char n = __VERIFIER_nondet_int();
  if (depth(n) == 15) {
    reach_error();
  }
  return 0;
}
