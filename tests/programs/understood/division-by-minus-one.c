// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/* gcc negates: the lowest number is no exception. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    int quotient = n / -1, rest = n % -1;
    if (quotient == n && n != 0 && rest == 0) reach_error();
    return 0;
}
