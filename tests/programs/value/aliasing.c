// claim: solved
// A write through one pointer changes what another points to.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1;
  int *p = &x, *q = &x;
  *p = 2;
  if (*q == 2) reach_error();
  return 0;
}
