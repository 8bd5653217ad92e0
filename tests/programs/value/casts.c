// claim: solved
// Conversions cut and extend as C says.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i = -1;
  unsigned u = (unsigned)i;
  short s = (short)70000;
  signed char c = (signed char)200;
  unsigned long long l = (unsigned long long)i;
  _Bool b = (_Bool)256;
  if (u != 4294967295u || s != 4464 || c != -56 || l != 18446744073709551615ull || b != 1) reach_error();
  if ((int)3.99 != 3 || (int)-3.99 != -3) reach_error();
  return 0;
}
