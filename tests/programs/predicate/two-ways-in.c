// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* Both ways into the loop keep their own value. */
int main(void) {
    int mode = __VERIFIER_nondet_int() ? 1 : 2;
    int x = mode;
    while (__VERIFIER_nondet_int()) x = mode;
    if (x != 1 && x != 2) reach_error();
    if (x != mode) reach_error();
    return 0;
}
