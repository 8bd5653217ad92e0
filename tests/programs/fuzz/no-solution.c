extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
// The same as with a solution, but there is none.
int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar(), z = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x < y);
  __VERIFIER_assume(y < z);
  __VERIFIER_assume(z <= 1);
  reach_error();
  return 0;
}
