// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
    int i, j, found = 0;
    for (i = 0; i < 100; i++)
        for (j = 0; j < 100; j++)
            if (__VERIFIER_nondet_int() == i * j && i + j == 9) { found = i; goto out; }
out:
    if (found == 4) reach_error();
    return 0;
}
