extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// x has any value.
int main(void) {
  int x, i = 0, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10) return 0;
  while (i < n) i++;
  if (x == 77) reach_error();
  return 0;
}
