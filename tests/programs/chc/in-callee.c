// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int total = 0, calls = 0;
int add(int x) { calls++; return x + 2; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000) return 0;
  while (calls < n) total = add(total);
  if (total != 2 * calls) reach_error();
  return 0;
}
