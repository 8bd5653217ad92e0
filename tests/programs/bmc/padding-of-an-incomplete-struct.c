// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct pair { char a; int b; char name[6]; int c; };
int main(void) {
    struct pair q = {1, 2, "ab"};
    unsigned char *c = (unsigned char *)&q;
    if (c[1] || c[2] || c[3] || c[14] || q.c) reach_error();
    return __VERIFIER_nondet_int();
}
