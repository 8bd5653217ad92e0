// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* The same function for two callers: what it returns to one is not what it returns to the other. */
int twice(int n) { return n + n; }
int main(void) {
    int a = twice(1);
    int b = twice(2);
    if (a == 2 && b == 4) reach_error();
    return 0;
}
