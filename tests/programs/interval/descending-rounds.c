// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
// Widening alone goes beyond 70: no constant of the program is the bound of `i` behind the inner loop.
int main(void) {
  int i = 0, j;
  while (i < 7 * 10) {
    for (j = 0; j < 3 * 4; j++) ;
    if (j != 12) reach_error();
    i = i + 1;
  }
  if (i != 70) reach_error();
  return 0;
}
