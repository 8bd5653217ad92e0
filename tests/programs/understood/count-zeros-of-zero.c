// claim: unknown `__builtin_ctz` of zero, whose result is undefined
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x > 0) return 0;
    if (__builtin_ctz(x) == 5) reach_error();
    return 0;
}
