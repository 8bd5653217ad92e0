// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void forever(void) {
again:
  goto again;
}
int main(void) {
  forever();
  reach_error();
  return 0;
}
