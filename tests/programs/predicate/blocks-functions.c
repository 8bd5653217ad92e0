// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* At calls only predicates are known: those that the proof needs must be found there, too. */
int state;
void set(int value) { state = value; }
int main(void) {
    int i = 0;
    set(1);
    while (i < 1000 && __VERIFIER_nondet_int()) { i++; set(1); }
    if (state != 1) reach_error();
    return 0;
}
