// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
enum { number = 4 };
struct point { int x, y; };
int main(void) {
    int a = __VERIFIER_nondet_int();
    struct point p = {a, a};
    if (!__builtin_constant_p(7) || !__builtin_constant_p(1 + 2 * 3) || !__builtin_constant_p("abc")) reach_error();
    if (!__builtin_constant_p(number) || !__builtin_constant_p(sizeof a) || !__builtin_constant_p((char)3)) reach_error();
    if (__builtin_constant_p(a) || __builtin_constant_p(p.x) || __builtin_constant_p(a + 1)) reach_error();
    if (__builtin_constant_p(a++)) reach_error();
    return 0;
}
