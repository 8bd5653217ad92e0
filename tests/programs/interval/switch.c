// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  int r, n = __VERIFIER_nondet_int();
  switch (n) { case 1: r = 10; break; case 2: r = 20; break; case 3 ... 7: r = n; break; default: r = 0; }
  if (r < 0 || r > 20) reach_error();
  return 0;
}
