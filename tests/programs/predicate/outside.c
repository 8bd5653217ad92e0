extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* An access outside of the array may do anything: no proof. */
int a[10];
int guard = 0;
int main(void) {
    int n = __VERIFIER_nondet_int();
    int i;
    for (i = 0; i < n; i++) a[i] = 1;
    if (guard) reach_error();
    return 0;
}
