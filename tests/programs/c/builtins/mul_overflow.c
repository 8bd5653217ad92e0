// Products with a check for overflow.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 100)
  int r;
  long long w;
  CHECK(__builtin_mul_overflow(x, 100000000, &r) == (x > 21));
  CHECK(!__builtin_mul_overflow(x, 100000000, &w) && w == x * 100000000LL);
  unsigned char c;
  TWIN(__builtin_mul_overflow(x, 3, &c) == (x > 85), !__builtin_mul_overflow(x, 3, &c));
  return 0;
}
