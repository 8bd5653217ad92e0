// A local variable in a chosen register is an operand.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  register int value __asm__("eax") = x;
  int r;
  __asm__("movl %1, %0" : "=r"(r) : "r"(value));
  TWIN(r == x, r != 2);
  return 0;
}
