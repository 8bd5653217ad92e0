// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* Needs two iterations without an error before the one in question. */
int main(void) {
    int a = 1, b = 2, c = 3;
    while (__VERIFIER_nondet_int()) {
        int t = a;
        a = b; b = c; c = t;
        if (a == b) reach_error();
    }
    return 0;
}
