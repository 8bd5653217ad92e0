// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 3, y = 5, z, v = __VERIFIER_nondet_int();
    long w = 0;
    __asm__ volatile("" : : : "memory");
    __asm__("" : "+r"(x));
    __asm__("" : "=r"(z) : "0"(y));
    __asm__("" : [out] "=r"(w) : "[out]"(v > 0));
    __asm__ volatile("nop" : : : "memory");
    if (x != 3 || z != 5 || w < 0 || w > 1) reach_error();
    return 0;
}
