// Overflow of differences for each type.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 5)
  int i; unsigned u; long long l; unsigned char c;
  CHECK(!__builtin_sub_overflow(x, 3, &i) && i == x - 3);
  CHECK(__builtin_sub_overflow(x, 3, &u) == (x < 3) && u == (unsigned)x - 3);
  CHECK(__builtin_sub_overflow((-__LONG_LONG_MAX__ - 1), x, &l) == (x > 0));
  _Bool over = __builtin_sub_overflow(x, 1, &c);
  TWIN(over == (x == 0) && c == (x == 0 ? 255 : x - 1), !over);
  return 0;
}
