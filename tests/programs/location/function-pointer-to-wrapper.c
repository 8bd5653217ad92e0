extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void fail(void) { reach_error(); }
static void fine(void) {}
static void (*table[2])(void) = {fine, fail};
int main(void) {
  table[__VERIFIER_nondet_int() & 1]();
  return 0;
}
