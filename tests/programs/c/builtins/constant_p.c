// Whether a value is known when compiling.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  CHECK(__builtin_constant_p(3) && __builtin_constant_p("abc") && __builtin_constant_p(2 * 3 + 1));
  CHECK(__builtin_constant_p(x++) == 0 && x <= 3);
  int a[__builtin_constant_p(1) ? 3 : 4];
  CHECK(sizeof a == 12);
  TWIN(__builtin_constant_p(1.5), x != 3);
  return 0;
}
