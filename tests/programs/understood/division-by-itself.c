// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/* gcc divides nothing: zero is no exception. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned u = n;
    if (n / n == 1 && n % n == 0 && u / u == 1 && 0 / n == 0 && 0 % n == 0 && n == 0) reach_error();
    return 0;
}
