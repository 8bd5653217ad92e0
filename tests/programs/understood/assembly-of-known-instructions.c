// claim: solved
extern void reach_error(void);
int main(void) {
    int x = 3, untouched = 7;
    unsigned bits = 0;
    __asm__ volatile("lock; incl %0" : "+m"(x) : : "memory");
    __asm__ volatile("lock; bts %1,%0" : "+m"(bits) : "Ir"(4) : "memory");
    __asm__ volatile("movl %1,%0" : "=r"(x) : "m"(bits) : "memory");
    if (untouched != 7) reach_error();
    return 0;
}
