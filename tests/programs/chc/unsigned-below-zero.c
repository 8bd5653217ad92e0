// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// n - 1 is no small number if n is zero.
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  if (n > 10) return 0;
  while (i < 3) i++;
  if (n - 1 > 10) reach_error();
  return 0;
}
