// claim: solved
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
// Two elements of many thousands must differ: with zeros after the vector they never do.
int a[150000], b[150000];
int main(void) {
  for (int i = 0; i < 150000; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < 150000; i++)
    if (i != 140000)
      a[i] = b[i];
  for (int i = 0; i < 150000; i++)
    if (a[i] != b[i])
      reach_error();
  return 0;
}
