extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
static int one(int n) { return 1; } static int same(int n) { return n; }
int main(void) {
  int (*f)(int) = __VERIFIER_nondet_int() ? one : same;
  if (f(5) == 5) reach_error();
  return 0;
}
