// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* As long as n is not 0, s ends one too high. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5) return 0;
    int i = 0, s = 1;
    while (i < n) { i++; s++; }
    if (s != n) reach_error();
    return 0;
}
