extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int id(int x) { return x; }
int main(void) { return id((reach_error(), 3)); }
