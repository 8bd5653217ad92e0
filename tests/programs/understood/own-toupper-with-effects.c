// claim: unknown call of `toupper`, which promises to have no effects
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int calls;
int toupper(int c) {
    calls++;
    return c;
}
int main(void) {
    if (__VERIFIER_nondet_int() == 1234567) {
        toupper('a');
        if (calls == 0) reach_error();
    }
    return 0;
}
