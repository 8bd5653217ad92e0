// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* Steps of two never meet an odd number, wherever they wrap around. */
int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_int()) x += 2;
    if (x % 2 == 1) reach_error();
    return 0;
}
