// claim: unknown call of `checked`, which promises to have no effects
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
static __attribute__((const)) int checked(int x) {
    if (x > 100) abort();
    return x;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 1234567) {
        checked(n);
        reach_error();
    }
    return 0;
}
