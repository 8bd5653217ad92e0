// Where functions are is for the linker to say, however their addresses are compared.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int later(int x);
int earlier(int x) { return x + later(x); }
int later(int x) { return x * 2; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 1 && (char *)earlier > (char *)later) reach_error();
    if (n == 2 && (char *)earlier < (char *)later) reach_error();
    return 0;
}
