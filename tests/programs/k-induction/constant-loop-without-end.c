// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
    int x = 0;
    while (1) { x = x ^ 1; if (x > 1) reach_error(); }
    return 0;
}
