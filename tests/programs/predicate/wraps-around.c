// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* An unsigned counter that starts high passes zero. */
int main(void) {
    unsigned x = 0xfffffff0u;
    while (__VERIFIER_nondet_int()) {
        x = x + 4;
        if (x < 8) reach_error();
    }
    return 0;
}
