// claim: solved
// An error after six iterations of a loop that nothing bounds.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 0;
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (input < 0) {
      return 0;
    }
    if (state < 5 && input == state * 3 + 1) {
      state++;
    } else if (state == 5 && input > 1000) {
      reach_error();
    } else {
      state = 0;
    }
  }
}
