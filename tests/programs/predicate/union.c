// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* A union's members share their bytes. */
union u { int i; unsigned char c[4]; };
int main(void) {
    union u v;
    v.i = 0;
    int n = 0;
    while (n < 2) { v.c[1] = 1; n++; }
    if (v.i == 256) reach_error();
    return 0;
}
