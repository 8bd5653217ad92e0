// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  int i = 0, a = 0, b = 0, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  while (i < n) {
    if (__VERIFIER_nondet_int()) { a += 1; b += 2; } else { a += 2; b += 1; }
    i++;
  }
  if (a + b == 3 * n && n == 3 && a == 5) reach_error();
  return 0;
}
