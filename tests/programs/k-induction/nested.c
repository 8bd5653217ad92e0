// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
    unsigned i = 0, total = 0;
    while (__VERIFIER_nondet_int()) {
        for (i = 0; i < 10; i++) { if (i > 9) reach_error(); }
        if (i != 10) reach_error();
        total = i;
    }
    if (total != 0 && total != 10) reach_error();
    return 0;
}
