extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int fail(void) {
  reach_error();
  return 0;
}
int main(void) {
  while (fail()) {
  }
  return 0;
}
