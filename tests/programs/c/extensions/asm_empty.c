// An empty assembly statement keeps a value.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int a = x;
  __asm__ volatile("" : "+r"(a));
  __asm__ volatile("" ::: "memory");
  asm("");
  TWIN(x >= 0, x < 9);
  return 0;
}
