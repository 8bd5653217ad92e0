// Checks for overflow without a result.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  struct { signed char c : 4; } f;
  CHECK(__builtin_add_overflow_p(2147483647, x, 0) == (x > 0));
  CHECK(!__builtin_mul_overflow_p(x, 3, (char)0));
  TWIN(!__builtin_sub_overflow_p(x, 9, 0), !__builtin_sub_overflow_p(x, 5, 0u));
  return 0;
}
