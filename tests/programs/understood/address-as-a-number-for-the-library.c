// claim: unknown prctl is a function of the C library that is not followed
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int prctl(int option, ...);
int main(void) {
    int a = __VERIFIER_nondet_int();
    char n[16] = {0};
    prctl(15, (unsigned long)"hey");
    prctl(16, (unsigned long)n);
    if (n[0] == 'h' && a == 1234567) reach_error();
    return 0;
}
