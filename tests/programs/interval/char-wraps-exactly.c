// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  char c = __VERIFIER_nondet_char();
  if (c > 100) { c = c + 50; if (c > -79 || c < -105) reach_error(); }
  unsigned char u = __VERIFIER_nondet_uchar();
  if (u < 10) { u = u - 10; if (u < 246) reach_error(); }
  return 0;
}
