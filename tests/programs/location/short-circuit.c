extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int fail(void) {
  reach_error();
  return 1;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  return x > 5 && (x < 3 || fail());
}
