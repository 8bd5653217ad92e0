// claim: unknown inline assembly that may write any memory
extern void reach_error(void);
int x;
int main(void) {
    int *p = &x;
    __asm__ volatile("movl $1, (%0)" : : "r"(p) : "memory");
    if (x) reach_error();
    return 0;
}
