extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void late(void);
int main(void) {
  late();
  return 0;
}
static void late(void) { reach_error(); }
