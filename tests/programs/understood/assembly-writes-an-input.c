// claim: unknown inputs were found
extern void reach_error(void);
int main(void) {
    int x = 3;
    __asm__ volatile("movl %0,%1" : : "r"(5), "m"(x) : "memory");
    if (x == 5) reach_error();
    return 0;
}
