// Comparisons that NaN does not disturb.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  double v[4] = {1, 2, 3, __builtin_nan("")}, d = v[x];
  CHECK(__builtin_isunordered(d, 2.0) == (x == 3) && !__builtin_isgreater(d, 3.0) && __builtin_isless(1.0, 2.0));
  CHECK(__builtin_islessgreater(d, 2.0) == (x == 0 || x == 2) && __builtin_isgreaterequal(2.0, 2.0));
  TWIN(__builtin_islessequal(d, 2.0) == (x < 2), !__builtin_isless(d, 2.0));
  return 0;
}
