// claim: solved
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
// Each assumption binds two inputs, and all of them leave one solution.
unsigned char x[14], y[6], z[6];
int main(void) {
  x[0] = __VERIFIER_nondet_uchar();
  x[1] = __VERIFIER_nondet_uchar();
  x[2] = __VERIFIER_nondet_uchar();
  x[3] = __VERIFIER_nondet_uchar();
  x[4] = __VERIFIER_nondet_uchar();
  x[5] = __VERIFIER_nondet_uchar();
  x[6] = __VERIFIER_nondet_uchar();
  x[7] = __VERIFIER_nondet_uchar();
  x[8] = __VERIFIER_nondet_uchar();
  x[9] = __VERIFIER_nondet_uchar();
  x[10] = __VERIFIER_nondet_uchar();
  x[11] = __VERIFIER_nondet_uchar();
  x[12] = __VERIFIER_nondet_uchar();
  x[13] = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x[0] < x[1]);
  __VERIFIER_assume(x[1] < x[2]);
  __VERIFIER_assume(x[2] < x[3]);
  __VERIFIER_assume(x[3] < x[4]);
  __VERIFIER_assume(x[4] < x[5]);
  __VERIFIER_assume(x[5] < x[6]);
  __VERIFIER_assume(x[6] < x[7]);
  __VERIFIER_assume(x[7] < x[8]);
  __VERIFIER_assume(x[8] < x[9]);
  __VERIFIER_assume(x[9] < x[10]);
  __VERIFIER_assume(x[10] < x[11]);
  __VERIFIER_assume(x[11] < x[12]);
  __VERIFIER_assume(x[12] < x[13]);
  __VERIFIER_assume(x[13] <= 13);
  y[0] = __VERIFIER_nondet_uchar();
  z[0] = __VERIFIER_nondet_uchar();
  y[1] = __VERIFIER_nondet_uchar();
  z[1] = __VERIFIER_nondet_uchar();
  y[2] = __VERIFIER_nondet_uchar();
  z[2] = __VERIFIER_nondet_uchar();
  y[3] = __VERIFIER_nondet_uchar();
  z[3] = __VERIFIER_nondet_uchar();
  y[4] = __VERIFIER_nondet_uchar();
  z[4] = __VERIFIER_nondet_uchar();
  y[5] = __VERIFIER_nondet_uchar();
  z[5] = __VERIFIER_nondet_uchar();
  if (x[0] < y[0])
    __VERIFIER_assume(z[0] == x[0]);
  else
    __VERIFIER_assume(z[0] == y[0]);
  if (x[1] < y[1])
    __VERIFIER_assume(z[1] == x[1]);
  else
    __VERIFIER_assume(z[1] == y[1]);
  if (x[2] < y[2])
    __VERIFIER_assume(z[2] == x[2]);
  else
    __VERIFIER_assume(z[2] == y[2]);
  if (x[3] < y[3])
    __VERIFIER_assume(z[3] == x[3]);
  else
    __VERIFIER_assume(z[3] == y[3]);
  if (x[4] < y[4])
    __VERIFIER_assume(z[4] == x[4]);
  else
    __VERIFIER_assume(z[4] == y[4]);
  if (x[5] < y[5])
    __VERIFIER_assume(z[5] == x[5]);
  else
    __VERIFIER_assume(z[5] == y[5]);
  __VERIFIER_assume(z[0] == 0 && z[5] == 5);
  reach_error();
  return 0;
}
