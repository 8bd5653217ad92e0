// claim: solved
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
// All zeros reach the error only if an uninitialised variable happens to be zero; other inputs reach it always.
int main(void) {
  int x = __VERIFIER_nondet_int();
  int junk;
  if (x == 4711)
    junk = 0;
  if (junk == 0)
    reach_error();
  return 0;
}
