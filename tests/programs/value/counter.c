// claim: solved
// The counter does not matter, and has too many values to be tracked to the end.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int error = 0;
  for (int i = 0;; i++) {
    if (error) reach_error();
    if (__VERIFIER_nondet_int()) break;
  }
  return 0;
}
