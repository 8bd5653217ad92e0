// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int word __attribute__((mode(word)));
typedef unsigned int address __attribute__((mode(pointer)));
int main(void) {
    if (_Generic((address)0, unsigned: 0, default: 1) || !__builtin_types_compatible_p(word, int)) return 0;
    if (__VERIFIER_nondet_int() == 1234567 && _Generic((word)0, int: 1, default: 2) == 1) reach_error();
    return 0;
}
