// claim: solved
// Equalities of conditions give values, through casts and sums.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char c = (unsigned char)__VERIFIER_nondet_int();
  if (x + 3 == 10 && c == 200) {
    if (x != 7) reach_error();
    if ((signed char)c != -56) reach_error();
  }
  return 0;
}
