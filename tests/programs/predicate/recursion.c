// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The caller's variable comes back after a call of the same function. */
int down(int n) {
    int own = n;
    int i = 0;
    while (i < 1) i++;
    if (n > 0) down(n - 1);
    if (own == 2) reach_error();
    return own;
}
int main(void) { down(3); return 0; }
