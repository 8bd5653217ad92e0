// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* s and i grow together: the program compares only i with n and s with n. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    int i = 0, s = 0;
    while (i < n) { i++; s++; }
    if (s != n) reach_error();
    return 0;
}
