// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The inner loop changes what the outer one counts. */
int main(void) {
    int i = 0;
    while (i < 4) {
        int j = 0;
        while (j < 2) { j++; i++; }
        i++;
    }
    if (i == 6) reach_error();
    return 0;
}
