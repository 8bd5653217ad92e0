// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// Over the integers 4 * x is positive where x is.
int main(void) {
  int x = __VERIFIER_nondet_int(), k = 0;
  if (x <= 0) return 0;
  while (k < 2) k++;
  if (4 * x <= 0) reach_error();
  return 0;
}
