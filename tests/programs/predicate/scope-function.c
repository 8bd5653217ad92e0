// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* What the second loop needs to know was found for the first one. */
int main(void) {
    int i = 0, j = 0;
    while (i < 1000 && __VERIFIER_nondet_int()) { i++; j++; }
    while (i < 2000 && __VERIFIER_nondet_int()) { i++; j++; }
    if (i != j) reach_error();
    return 0;
}
