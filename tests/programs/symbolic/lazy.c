// claim: solved
// With checks at targets only, closed paths are followed, and must not become alarms.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  for (int i = 0; i < 4; i++) {
    if (x > i * 10) {
      y++;
    }
  }
  if (x < 15 && y > 2) {
    reach_error();
  }
  if (x == 25 && y == 3) {
    return 1;
  }
  return 0;
}
