// claim: unknown call of `isdigit`, which the program defines, and which gcc may compute itself
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int isdigit(int c) { return 50; }
int main(void) {
    if (isdigit(__VERIFIER_nondet_int()) != 50) reach_error();
    return 0;
}
