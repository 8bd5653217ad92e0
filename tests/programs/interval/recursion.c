extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int deepest;
static int f(int n) { int here = n; if (n > 0) { f(n - 1); if (here != n) return 0; if (here == 3) deepest = 1; } return here; }
int main(void) {
  f(4);
  if (deepest) reach_error();
  return 0;
}
