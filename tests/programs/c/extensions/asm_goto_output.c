// Assembly that jumps, with a result.
#include "../check.h"

int test(int x) {
  int r;
  __asm__ goto("movl %1, %0\n\ttestl %1, %1\n\tjz %l2" : "=&r"(r) : "r"(x) : "cc" : zero);
  return r + 1;
zero:
  return 50;
}

int main(void) {
  INPUT(x, 0, 9)
  TWIN(test(x) == (x ? x + 1 : 50), test(x) != 50);
  return 0;
}
