// claim: solved
// What is read as it was written is known.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

union both { int i; unsigned u; float f; };
int main(void) {
  union both u;
  u.i = -1;
  if (u.u != 4294967295u) reach_error();
  u.f = 1.0f;
  if (u.f != 1.0f) reach_error();
  return 0;
}
