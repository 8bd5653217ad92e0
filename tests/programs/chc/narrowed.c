// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// A conversion to char does not keep the value.
int main(void) {
  int x = __VERIFIER_nondet_int(), k = 0;
  if (x < 0 || x > 300) return 0;
  while (k < 2) k++;
  signed char c = (signed char)x;
  if (c < 0) reach_error();
  return 0;
}
