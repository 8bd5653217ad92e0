// A variable-length array may have the memory of one whose block has ended.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), same = 0;
    unsigned long last = 0;
    if (n < 1 || n > 3) return 0;
    for (int i = 0; i < 2; i++) {
        int v[n];
        v[0] = i;
        same += last == (unsigned long)v;
        last = (unsigned long)v;
    }
    if (same) reach_error();
    return 0;
}
