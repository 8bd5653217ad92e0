// Classes of floating values by builtins.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  float v[4] = {0, -1, __builtin_inff(), 0x1p-140f}, f = v[x];
  CHECK(__builtin_fpclassify(10, 20, 30, 40, 50, f) == (x == 0 ? 50 : x == 1 ? 30 : x == 2 ? 20 : 40));
  CHECK(__builtin_isinf_sign(-__builtin_inf()) == -1 && __builtin_isinf_sign(f) == (x == 2));
  CHECK(!!__builtin_signbitf(f) == (x == 1) && __builtin_isfinite(f) == (x != 2) && !__builtin_isnan(f));
  TWIN(__builtin_isnormal(f) == (x == 1), !__builtin_isnormal(f));
  return 0;
}
