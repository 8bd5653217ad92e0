// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The loop changes x only through a pointer. */
int main(void) {
    int x = 0;
    int *p = &x;
    int i = 0;
    while (i < 3) { *p = *p + 1; i++; }
    if (x == 3) reach_error();
    return 0;
}
