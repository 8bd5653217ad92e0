// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
static int f(int n) { if (n <= 0) return 0; if (n > 10) return 10; return f(n - 1); }
int main(void) {
  int r = f(__VERIFIER_nondet_int());
  if (r < 0 || r > 10) reach_error();
  return 0;
}
