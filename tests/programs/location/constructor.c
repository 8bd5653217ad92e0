extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
__attribute__((constructor)) static void before_main(void) { reach_error(); }
int main(void) { return 0; }
