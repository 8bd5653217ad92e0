// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* Two predicates in combination: locked just where old differs from new. */
int main(void) {
    int locked = 0, old = 0, new = 0;
    do {
        if (locked) reach_error();
        locked = 1;
        old = new;
        if (__VERIFIER_nondet_int()) { locked = 0; new++; }
    } while (new != old);
    if (!locked) reach_error();
    return 0;
}
