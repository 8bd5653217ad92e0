// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The inner i is another variable than the one that predicates of the outer loop are about. */
int main(void) {
    int i = 0, last = 0;
    while (i < 3) {
        int j = 0;
        { int i = 5; while (j < 2) { j++; i++; } last = i; }
        i++;
    }
    if (i == 3 && last == 7) reach_error();
    return 0;
}
