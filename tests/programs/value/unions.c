// claim: solved
// Writing one member changes the other.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

union both { int i; unsigned char c[4]; };
int main(void) {
  union both u;
  u.i = 0;
  u.c[0] = 7;
  if (u.i != 0) reach_error();
  return 0;
}
