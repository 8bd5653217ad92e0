// claim: solved
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static void check(int n) { if (n < 0) reach_error(); }
int main(void) { int i; for (i = 0; i < 5; i++) check(i); return 0; }
