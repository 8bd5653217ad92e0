// Sums with a check for overflow, of any types.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 300)
  int r;
  unsigned char c;
  CHECK(__builtin_add_overflow(2147483647, x, &r) == (x > 0));
  CHECK(__builtin_add_overflow(x, 0, &c) == (x > 255) && c == x % 256);
  unsigned u;
  CHECK(__builtin_sub_overflow(x, 301, &u) && u == (unsigned)(x - 301));
  CHECK(!__builtin_sub_overflow(5u, 3u, &r) && r == 2);
  TWIN(!__builtin_add_overflow(x, x, &r) && r == 2 * x, !__builtin_add_overflow(x, 0, &c));
  return 0;
}
