// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* A narrow counter wraps around where the wide one does not. */
int main(void) {
    unsigned char c = 250;
    int i = 250;
    while (i < 260) { c++; i++; }
    if (c != i) reach_error();
    return 0;
}
