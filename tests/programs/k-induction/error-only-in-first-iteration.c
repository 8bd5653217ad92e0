// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The states after the first iteration are harmless. */
int main(void) {
    int first = 1;
    while (__VERIFIER_nondet_int()) {
        if (first && __VERIFIER_nondet_int() == 3) reach_error();
        first = 0;
    }
    return 0;
}
