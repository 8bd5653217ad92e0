// claim: unknown division that gcc leaves out
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if ((5 / n) * 0 == 0 && n == 0) reach_error();
    return 0;
}
