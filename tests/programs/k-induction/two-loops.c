// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
    int a = 0, b = 0;
    while (__VERIFIER_nondet_int()) a = 1 - a;
    while (__VERIFIER_nondet_int()) { b = a; if (b < 0 || b > 1) reach_error(); }
    if (a != 0 && a != 1) reach_error();
    return 0;
}
