// claim: solved
// Two zeros are equal, and their reciprocals are not.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x == 0.0) {
    if (1.0 / x < 0.0) reach_error();
  }
  return 0;
}
