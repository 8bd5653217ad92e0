// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  int x = 1, y = 2; int *p = &x, **q = &p;
  *p = 3; *q = &y; *p = 4;
  if (x != 3 || y != 4) reach_error();
  p = __VERIFIER_nondet_int() ? &x : &y; **q = 7;
  if (x != 3 && x != 7) { if (x < 3 || x > 7) reach_error(); }
  return 0;
}
