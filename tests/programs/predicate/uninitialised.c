// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* An uninitialised variable may have any value, a new one for each iteration. */
int main(void) {
    int i;
    for (i = 0; i < 2; i++) {
        int x = __VERIFIER_nondet_int();
        int y = x;
        if (i == 1 && y == 77) reach_error();
    }
    return 0;
}
