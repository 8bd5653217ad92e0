// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The loop changes an array by a library function. */
extern void *memset(void *to, int byte, unsigned long count);
int main(void) {
    unsigned char a[4] = {0, 0, 0, 0};
    unsigned char n = 0;
    while (__VERIFIER_nondet_int()) { n++; memset(a, n, sizeof(a)); }
    if (a[3] == 5) reach_error();
    return 0;
}
