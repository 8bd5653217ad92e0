// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The callee changes the caller's variable; what was known before the call is gone. */
void change(int *p) { *p = 7; }
int main(void) {
    int x = 1;
    change(&x);
    if (x == 7) reach_error();
    return 0;
}
