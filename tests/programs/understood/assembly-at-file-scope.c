// claim: unknown assembly at file scope
extern void reach_error(void);
int x;
__asm__(".globl f\nf: movl $1, x\n ret");
void f(void);
int main(void) {
    f();
    if (x) reach_error();
    return 0;
}
