// claim: unknown `environ`, a variable of the C library
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern char **environ;
extern int clearenv(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    char **before = environ;
    clearenv();
    if (before != 0 && environ == 0 && a == 1234567) reach_error();
    return 0;
}
