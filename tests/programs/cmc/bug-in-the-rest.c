// claim: solved
// The error lies in what the first verifier leaves.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int c) {
  if (!c) {
    reach_error();
  }
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 3) {
    while (y < 5) {
      y++;
    }
    check(y == 5);
  } else {
    unsigned n = 0, a = (unsigned)x, b = a;
    while (n < 30) {
      n++;
      a = a * 3 + 1;
      b = b * 3 + 1;
      check(n <= 30);
    }
    check(a != b || x != 2);
  }
  return 0;
}
