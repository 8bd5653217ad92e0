// claim: unknown inline assembly that changes how numbers are computed (`ldmxcsr`)
extern void reach_error(void);
int main(void) {
    unsigned upwards = 0x5f80;
    volatile double one = 1, three = 3;
    volatile double nearest = one / three;
    __asm__ volatile("ldmxcsr %0" : : "m"(upwards));
    volatile double other = one / three;
    if (other != nearest) reach_error();
    return 0;
}
