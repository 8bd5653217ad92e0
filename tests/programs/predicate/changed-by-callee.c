// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The loop changes a variable in a function that it calls. */
int g = 0;
void step(void) { g = g + 1; }
int main(void) {
    while (__VERIFIER_nondet_int()) step();
    if (g == 4) reach_error();
    return 0;
}
