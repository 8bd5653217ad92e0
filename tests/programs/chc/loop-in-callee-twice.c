// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// The loop of a function that is called twice: an invariant of one call need not hold in the other.
int up(int from, int n) { int x = from; while (n > 0) { x++; n--; } return x; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 50) return 0;
  int a = up(0, n), b = up(10, n);
  if (b - a != 10 || a == 2 && b == 12) reach_error();
  return 0;
}
