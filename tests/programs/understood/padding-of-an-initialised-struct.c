// Whether the error is reached depends on what stands in memory; a proof would be wrong.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct pair { char a; int b; };
static void dirty(int n) {
    volatile unsigned char a[256];
    for (int i = 0; i < 256; i++) a[i] = n;
}
static void check(void) {
    struct pair q[2] = {{1, 2}, {3, 4}};
    unsigned char *c = (unsigned char *)&q;
    if (c[9]) reach_error();
}
int main(void) {
    if (__VERIFIER_nondet_int() == 1234567) {
        dirty(0xff);
        check();
    }
    return 0;
}
