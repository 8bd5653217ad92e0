extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The loop writes through a pointer, but never to x. */
int main(void) {
    int x = 0, y = 0;
    int *p = &y, *q = &x;
    *q = 5;
    while (__VERIFIER_nondet_int()) *p = *p + 1;
    if (x != 5) reach_error();
    return 0;
}
