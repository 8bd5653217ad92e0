// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The loop changes variables through a pointer. */
int main(void) {
    int a[3] = {0, 0, 0}, x = 0;
    int *p = &x;
    while (__VERIFIER_nondet_int()) { *p += 1; p = __VERIFIER_nondet_int() ? a : &x; }
    if (a[0] == 2 && x == 3) reach_error();
    return 0;
}
