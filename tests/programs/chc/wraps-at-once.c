// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// Reached only by an overflow in the first iteration.
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 2147483640) return 0;
  int y = x;
  while (__VERIFIER_nondet_int()) { x += 5; y = x; }
  if (y < 0) reach_error();
  return 0;
}
