// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  while (n > 0) {
    n--;
  }
  return n;
}
