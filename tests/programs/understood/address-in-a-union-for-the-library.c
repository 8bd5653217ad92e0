// claim: unknown semctl is a function of the C library that is not followed
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
union semun { int val; unsigned short *array; };
extern int semctl(int, int, int, ...);
int main(void) {
    int a = __VERIFIER_nondet_int();
    unsigned short v[1] = {0};
    union semun u;
    u.array = v;
    semctl(0, 0, 13, u);
    if (v[0] == 3 && a == 1234567) reach_error();
    return 0;
}
