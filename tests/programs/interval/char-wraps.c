extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  char c = __VERIFIER_nondet_char();
  if (c > 100) { c = c + 50; if (c < 0) reach_error(); }
  return 0;
}
