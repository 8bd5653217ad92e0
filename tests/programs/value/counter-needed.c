// claim: solved
// The counter does matter.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i;
  for (i = 0; i < 1500; i++) {
    if (i == 1400) reach_error();
  }
  return 0;
}
