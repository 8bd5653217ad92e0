// claim: solved
// Inputs must be found for the path through the states.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 0;
  while (1) {
    int in = __VERIFIER_nondet_int();
    if (state == 0 && in == 4711) state = 1;
    else if (state == 1 && in == -3) state = 2;
    else if (state == 2 && in * 3 == 21) reach_error();
    else if (in == 0) return 0;
  }
}
