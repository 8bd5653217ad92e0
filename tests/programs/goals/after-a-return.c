extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int f(int n) { return n + 1; }
int main(void) { int n = f(__VERIFIER_nondet_int()); if (n == 5) reach_error(); return 0; }
