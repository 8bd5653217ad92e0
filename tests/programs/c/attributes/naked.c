// A function whose body is assembly.
#include "../check.h"

__attribute__((naked)) int twice(int x) {
#ifdef __x86_64__
  __asm__("leal (%rdi,%rdi), %eax\n\tret");
#else
  __asm__("movl 4(%esp), %eax\n\taddl %eax, %eax\n\tret");
#endif
}

int main(void) {
  INPUT(x, 0, 4)
  TWIN(twice(x) == 2 * x, twice(x) != 6);
  return 0;
}
