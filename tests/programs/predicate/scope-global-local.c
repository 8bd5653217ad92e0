// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* Predicates about the n of one function say nothing of the n of the other. */
int count(int n) { int c = 0; while (c < n) c++; return c; }
int half(int n) { int c = 0; while (2 * c < n) c++; return c; }
int main(void) {
    int a = count(4), b = half(4);
    if (a == 4 && b == 2) reach_error();
    return 0;
}
