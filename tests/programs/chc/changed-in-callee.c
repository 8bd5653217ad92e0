// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int g = 0;
void bump(int by) { g += by; }
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100) return 0;
  while (i < n) { bump(i); i++; }
  if (g == 6) reach_error();
  return 0;
}
