// Conditions compute in the widest integers.
#include "../check.h"

#if -1 > 0u && (2147483647 + 1 > 0) && 'a' == 97 && (1 ? 2 : 1/0) == 2 && undefined_name == 0
#define A 1
#endif
#if (0x7fffffffffffffff / 3 > 1 << 30) && (-7 % 3 == -1) && ~0 == -1 && !0
#define B 2
#elif 1
#define B 0
#endif
#ifndef A
#define A 0
#endif

int main(void) {
  INPUT(x, 0, 4)
  TWIN(A + B + x == 3 + x, A + B + x != 5);
  return 0;
}
