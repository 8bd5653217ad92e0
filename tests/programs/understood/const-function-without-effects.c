// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static __attribute__((const)) int larger(int x, int y) {
    int most = x;
    if (y > most) most = y;
    return most;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    larger(n, 1);
    if (larger(n, 5) < 5) reach_error();
    return 0;
}
