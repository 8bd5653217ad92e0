// claim: unknown errx runs code in ways that are not followed
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void errx(int, const char *, ...) __attribute__((noreturn));
extern int atexit(void (*)(void));
static void at_end(void) { reach_error(); }
int main(void) {
    if (__VERIFIER_nondet_int() == 1234567) {
        atexit(at_end);
        errx(1, "x");
    }
    return 0;
}
