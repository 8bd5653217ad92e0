extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int down(int n) { return n <= 0 ? 7 : down(n - 1); }
int main(void) { if (down(6) == 7) reach_error(); return 0; }
