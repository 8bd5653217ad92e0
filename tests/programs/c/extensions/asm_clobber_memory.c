// Assembly reaches memory by a pointer.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int v = 1;
  int *p = &v;
  __asm__ volatile("movl %1, (%0)" : : "r"(p), "r"(x) : "memory");
  TWIN(v == x, v != 6);
  return 0;
}
