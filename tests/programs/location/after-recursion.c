extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
int main(void) {
  if (depth(4) == 4) {
    reach_error();
  }
  return 0;
}
