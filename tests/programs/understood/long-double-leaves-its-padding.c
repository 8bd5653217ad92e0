// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *memset(void *, int, __SIZE_TYPE__);
static union { long double v; unsigned char c[sizeof(long double)]; } u;
int main(void) {
    int n = __VERIFIER_nondet_int();
    memset(&u, n, sizeof u);
    u.v = 1.0L;
    if (n == 0x55 && u.c[11] == 0x55) reach_error();
    return 0;
}
