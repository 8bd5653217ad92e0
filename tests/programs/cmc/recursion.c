// claim: solved
// The residual program has clones of a recursive function.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int depth;
static int sum(int n) {
  depth++;
  if (n <= 0) {
    return 0;
  }
  int rest = sum(n - 1);
  return rest + n;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 1) {
    if (sum(4) != 10) {
      reach_error();
    }
  } else {
    int n = 0;
    while (n < 20) {
      n++;
    }
    if (sum(3) != 6 || depth != 4 || n != 20) {
      reach_error();
    }
  }
  return 0;
}
