extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// Divisibility by three is not kept where the sum wraps.
int main(void) {
  unsigned x = 0;
  while (__VERIFIER_nondet_int()) x += 1000000002u;
  if (x % 3 != 0) reach_error();
  return 0;
}
