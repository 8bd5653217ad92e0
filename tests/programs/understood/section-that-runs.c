// claim: unknown section `.fini_array`, whose contents run before or after `main`
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int n;
static void at_end(void) {
    if (n == 1234567) reach_error();
}
__attribute__((section(".fini_array"), used)) static void (*registered)(void) = at_end;
int main(void) {
    n = __VERIFIER_nondet_int();
    return 0;
}
