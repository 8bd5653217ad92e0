// Infinities and NaNs.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  CHECK(__builtin_inf() > 1e308 && __builtin_huge_valf() > 1e38f && __builtin_nan("") != __builtin_nan(""));
  CHECK(__builtin_isinf_sign(-__builtin_inf()) == -1 && __builtin_isfinite(1.0) && __builtin_isnormal(1.0f));
  double v[4] = {0, 1, __builtin_inf(), -2};
  TWIN(__builtin_copysign(1.0, v[x]) == (x == 3 ? -1 : 1), v[x] < __builtin_inf());
  return 0;
}
