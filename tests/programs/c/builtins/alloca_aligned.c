// Memory on the stack with an alignment in bits.
#include "../check.h"

#include <stdint.h>

int main(void) {
  INPUT(x, 0, 5)
  char *p = __builtin_alloca_with_align(10, 256);
  CHECK((uintptr_t)p % 32 == 0);
  int *q = __builtin_alloca_with_align_and_max(4 * (x + 1), 128, 64);
  CHECK((uintptr_t)q % 16 == 0);
  q[x] = x;
  TWIN(q[x] == x, q[x] != 4);
  return 0;
}
