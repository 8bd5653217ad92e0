// claim: solved
// The state goes round; the error needs two steps at once.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 0, blocked = 0;
  while (__VERIFIER_nondet_int()) {
    if (state == 0) state = 1;
    else if (state == 1) { state = 2; blocked = 1; }
    else { if (!blocked) reach_error(); state = 0; blocked = 0; }
  }
  return 0;
}
