// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The second loop alone is harmless, whatever the first one left. */
int main(void) {
    unsigned n = 0, m = 0;
    while (__VERIFIER_nondet_int()) n++;
    while (m < n && __VERIFIER_nondet_int()) m += 2;
    if (m == n + 1) reach_error();
    return 0;
}
