// claim: solved
// Each call has variables of its own.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int down(int n) {
  int here = n;
  if (n > 0) down(n - 1);
  return here;
}
int main(void) {
  if (down(5) != 5) reach_error();
  return 0;
}
