// claim: solved
// Each branch needs one value; together they need a solver.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  unsigned b = __VERIFIER_nondet_uint();
  if (a * 7 + 3 == 1234567) {
    if ((b ^ 0xdeadbeefu) == (unsigned)a << 3) {
      reach_error();
    }
  }
  return 0;
}
