// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The value of the iteration before is not that of this one. */
int main(void) {
    int x = 0, before = 0;
    while (__VERIFIER_nondet_int()) {
        before = x;
        x = __VERIFIER_nondet_int();
        if (x > 5 && before < 0) reach_error();
    }
    return 0;
}
