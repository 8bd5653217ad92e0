extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/* The divisor is not constant for gcc. */
int main(void) {
    int n = __VERIFIER_nondet_int(), one = -1;
    if (n / one == n && n != 0) reach_error();
    if (5 / n == 0 && n == 0) reach_error();
    return 0;
}
