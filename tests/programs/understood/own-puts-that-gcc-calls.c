// claim: unknown printf may call `puts`, which the program defines
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int printf(const char *, ...);
static int n;
int puts(const char *s) {
    n++;
    return 0;
}
int main(void) {
    if (__VERIFIER_nondet_int() == 1234567) {
        printf("hello\n");
        if (n == 1) reach_error();
    }
    return 0;
}
