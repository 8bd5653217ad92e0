// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* Two calls of one loop: what the first one returned is not what the second one returns. */
int some(void) {
    int r = 0;
    while (r < 10 && __VERIFIER_nondet_int()) r++;
    return r;
}
int main(void) {
    int first = some();
    int second = some();
    if (first != second) reach_error();
    return 0;
}
