// Pointers as wide integers.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  int v = x;
  int *p = &v;
  unsigned long long w = __builtin_extend_pointer(p);
  CHECK((int *)(__UINTPTR_TYPE__)w == p);
  TWIN(*p == x, *p != 2);
  return 0;
}
