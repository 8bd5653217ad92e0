// A function in assembly.
#include "../check.h"

__asm__(".globl doubled\ndoubled:\n"
#ifdef __x86_64__
        "leal (%rdi,%rdi), %eax\nret\n"
#else
        "movl 4(%esp), %eax\naddl %eax, %eax\nret\n"
#endif
);
int doubled(int x);

int main(void) {
  INPUT(x, 0, 9)
  TWIN(doubled(x) == 2 * x, doubled(x) != 8);
  return 0;
}
