// An uninitialised variable has any value, also in the second iteration.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  for (int i = 0; i < 2; i++) {
    int x;
    if (i == 1) {
      if (x != 5) reach_error();
    }
    x = 5;
    x = __VERIFIER_nondet_int();
  }
  return 0;
}
