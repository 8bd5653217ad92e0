// claim: solved
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    _Bool truth = __VERIFIER_nondet_bool();
    int number = truth;
    if (number != 0 && number != 1) reach_error();
    return 0;
}
