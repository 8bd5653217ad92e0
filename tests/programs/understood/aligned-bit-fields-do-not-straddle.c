// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct t { _Bool m0 : 1; short : 0; int m2 : 28 __attribute__((aligned(2))); };
struct u { char a; int b : 31 __attribute__((aligned(1))); int c : 2; };
union { struct t s; unsigned char c[8]; } v;
int main(void) {
    v.s.m2 = -1;
    if (sizeof(struct u) != 12) return 0;
    if (__VERIFIER_nondet_int() == 1234567 && v.c[2] == 0) reach_error();
    return 0;
}
