// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
  if (l <= 0 || l >= 1000000 || n >= 1000000) return 0;
  for (int k = 1; k < n; k++) {
    for (int i = l; i < n; i++) if (i < 1) reach_error();
    if (__VERIFIER_nondet_int()) l = l + 1;
  }
  return 0;
}
