// claim: solved
// A pointer leads to the variable of an outer call, not of the one that runs.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void set(int *outer, int n) {
  int mine = n;
  if (n > 0) set(&mine, n - 1);
  if (outer) *outer = 100 + n;
  if (n == 1 && mine == 100) reach_error();
}
int main(void) {
  set(0, 2);
  return 0;
}
