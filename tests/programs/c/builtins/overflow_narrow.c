// The result has another type than the operands.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 300)
  signed char s; unsigned char u; unsigned long long l;
  CHECK(__builtin_add_overflow(x, 0, &u) == (x > 255) && u == x % 256);
  CHECK(__builtin_mul_overflow(x, 2, &s) == (x > 63));
  CHECK(__builtin_add_overflow(-1, x, &l) == (x == 0));
  CHECK(!__builtin_mul_overflow(0xffffffffu, 0xffffffffu, &l) && l == 0xfffffffe00000001ull);
  TWIN(__builtin_add_overflow(u, -x, &s) == (x > 255), !__builtin_add_overflow(x, 200, &u));
  return 0;
}
