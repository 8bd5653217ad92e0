// claim: unknown call of `fesetround`: numbers are rounded to the nearest only
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int fesetround(int direction);
int main(void) {
    volatile double one = 1, three = 3;
    volatile double nearest = one / three;
    fesetround(__VERIFIER_nondet_int());
    volatile double other = one / three;
    if (other != nearest) reach_error();
    return 0;
}
