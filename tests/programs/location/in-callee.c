extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void fail(int n) {
  if (n == 3) {
    reach_error();
  }
}
int main(void) {
  for (int i = 0; i < 5; i++) {
    fail(i);
  }
  return 0;
}
