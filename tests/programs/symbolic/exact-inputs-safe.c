// claim: solved
// The same question twice, with answers that exclude each other.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  int odd = 0;
  if (a & 1) {
    odd = 1;
  }
  if (a * a % 2 == 0 && odd) {
    reach_error();
  }
  return 0;
}
