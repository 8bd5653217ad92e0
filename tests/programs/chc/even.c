// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// Parity is kept even where the sum wraps.
int main(void) {
  unsigned x = 10;
  while (__VERIFIER_nondet_int()) x += 2;
  if (x % 2 == 1) reach_error();
  return 0;
}
