// Reinterpretation by unions and by memcpy agree.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 100)
  float f = x;
  unsigned a;
  __builtin_memcpy(&a, &f, sizeof a);
  union { float f; unsigned u; } u = {f};
  TWIN(a == u.u, a != 0x42a00000);
  return 0;
}
