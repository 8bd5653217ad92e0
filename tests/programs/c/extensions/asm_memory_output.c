// Assembly writes a variable in memory.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int a = 1;
  __asm__ volatile("movl %1, %0" : "=m"(a) : "ir"(x));
  TWIN(a == x, a != 5);
  return 0;
}
