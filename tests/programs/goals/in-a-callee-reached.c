extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static void check(int n) { if (n < 0) reach_error(); }
static void skip(int n) { while (n) n--; }
int main(void) { skip(3); check(__VERIFIER_nondet_int()); return 0; }
