// claim: unknown `__builtin_constant_p` of an expression that gcc may fold
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    int is_constant = __builtin_constant_p(__builtin_strlen("abc"));
    if (a == 1234567 && is_constant) reach_error();
    return 0;
}
