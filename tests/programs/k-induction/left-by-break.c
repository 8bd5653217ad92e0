// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The way out of the loop is not its condition. */
int main(void) {
    int n = 0;
    for (;;) {
        n++;
        if (n == 9) break;
        if (__VERIFIER_nondet_int()) return 0;
    }
    if (n == 9) reach_error();
    return 0;
}
