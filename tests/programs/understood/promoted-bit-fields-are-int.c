// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct s { int b : 3; } s;
int main(void) {
    if (_Generic(1 ? s.b : s.b, int: 0, default: 1) || _Generic(+(+s.b), int: 0, default: 1)) return 0;
    if (__VERIFIER_nondet_int() == 1234567 && _Generic(+s.b, int: 1, default: 2) == 1) reach_error();
    return 0;
}
