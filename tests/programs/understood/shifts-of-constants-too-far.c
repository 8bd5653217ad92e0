// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int initial = 1 << 33;
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n != 1234567) return 0;
    int far = (1 << 32) + (5 >> 40) + (-8 >> 32) + (int)(1LL << 64) + (8 << -1);
    /* What is not constant, the machine shifts by the count modulo the width. */
    int one = n - 1234566;
    if (far == -1 && initial == 0 && one << 32 == 1) reach_error();
    return 0;
}
