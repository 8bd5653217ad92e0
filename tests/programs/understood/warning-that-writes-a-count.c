// claim: unknown warnx may write through %n
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void warnx(const char *, ...);
int main(void) {
    int a = __VERIFIER_nondet_int();
    int z = 0;
    warnx("abc%n", &z);
    if (z == 3 && a == 1234567) reach_error();
    return 0;
}
