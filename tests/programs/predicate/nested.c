// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* What the outer loop knows holds inside the inner one, which does not change it. */
int main(void) {
    int i = 0;
    while (i < 100) {
        int j = 0;
        while (j < 10) {
            if (i >= 100) reach_error();
            j++;
        }
        i++;
    }
    if (i != 100) reach_error();
    return 0;
}
