// claim: unknown ioctl is a function of the C library that is not followed
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int ioctl(int file, unsigned long request, ...);
static int count;
int main(void) {
    int a = __VERIFIER_nondet_int();
    unsigned long where = (unsigned long)&count;
    ioctl(0, 0x541BUL, where);
    if (count != 0 && a == 1234567) reach_error();
    return 0;
}
