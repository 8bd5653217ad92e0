// Ordered comparisons, and the builtins that never trap.
#include "../check.h"

int main(void) {
  INPUT(x, -2, 2)
  double d = x, nan = __builtin_nan("");
  CHECK(__builtin_isgreater(d, -3.0) && !__builtin_isless(d, nan) && __builtin_isunordered(d, nan));
  CHECK(!__builtin_islessgreater(nan, d) && __builtin_islessequal(d, 2.0) && !__builtin_isunordered(d, 0.0));
  TWIN(__builtin_isgreaterequal(d, -2.0), __builtin_isless(d, 2.0));
  return 0;
}
