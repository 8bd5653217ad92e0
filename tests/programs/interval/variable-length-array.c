// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), k = 3;
  if (n < 5 || n > 50) return 0;
  int v[n]; v[4] = 1;
  if (k != 3) reach_error();
  return 0;
}
