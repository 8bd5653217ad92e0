// claim: unknown path
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 1;
  if (x != 1) {
    reach_error();
  }
  return 0;
}
