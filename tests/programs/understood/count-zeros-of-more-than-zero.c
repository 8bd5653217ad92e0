// The number is never zero here, so that nothing unsupported is reached.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x == 0) return 0;
    if (__builtin_ctz(x) > 31 || __builtin_clz(x) > 31) reach_error();
    return 0;
}
