// Constants in assembly.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int r = x;
  __asm__ __volatile__("xorl %1, %0" : "+rm"(r) : "i"(sizeof(int) * 2) : "cc");
  TWIN(r == (x ^ 8), r != 13);
  return 0;
}
