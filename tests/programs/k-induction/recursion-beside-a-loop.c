extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The callee has the loop's variables under the same names. */
int f(int n) {
    int i = 0;
    while (i < n) { i++; if (n > 0) { int r = f(n - 1); if (r + i == 5) return 5; } }
    return i;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 4) return 0;
    if (f(n) == 5) reach_error();
    return 0;
}
