// An instruction that computes.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int a = 3;
  __asm__("addl %1, %0" : "+r"(a) : "r"(x) : "cc");
  TWIN(a == x + 3, a != 8);
  return 0;
}
