// Pointers as integers and back.
#include "../check.h"

#include <stdint.h>

int main(void) {
  INPUT(x, 0, 2)
  int a[3] = {4, 5, 6};
  uintptr_t n = (uintptr_t)a;
  int *p = (int *)(n + x * sizeof *a);
  CHECK(*p == 4 + x && (uintptr_t)&a[2] - n == 8);
  TWIN((void *)0 == (void *)(intptr_t)(x - x), *p != 5);
  return 0;
}
