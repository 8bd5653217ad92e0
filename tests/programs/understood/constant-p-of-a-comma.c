// claim: unknown `__builtin_constant_p` of an expression that gcc may fold
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a == 1234567 && !__builtin_constant_p((1, 2))) reach_error();
    return 0;
}
