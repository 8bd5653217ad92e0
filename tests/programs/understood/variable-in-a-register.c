// claim: unknown variable that is a register
extern void reach_error(void);
int main(void) {
    register int value __asm__("ecx") = 5;
    if (value != 5) reach_error();
    return 0;
}
