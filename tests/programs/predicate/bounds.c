// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* Accesses must be inside the array for the proof to count. */
int a[10];
int main(void) {
    int i;
    for (i = 0; i < 10; i++) a[i] = i;
    if (i != 10) reach_error();
    return 0;
}
