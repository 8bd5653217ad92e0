// A bit-field keeps its low bits only.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct flags { unsigned a : 3; unsigned b : 5; };
int main(void) {
  struct flags f;
  f.a = 9;
  f.b = 31;
  if (f.a == 1 && f.b == 31) reach_error();
  return 0;
}
