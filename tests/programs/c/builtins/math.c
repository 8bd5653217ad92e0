// Mathematical functions whose result is exact.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  double d = x + 0.5;
  CHECK(__builtin_floor(d) == x && __builtin_ceil(d) == x + 1 && __builtin_trunc(-d) == -x && __builtin_fabs(-d) == d);
  CHECK(__builtin_round(d) == x + 1 && __builtin_rint(2.5) == 2 && __builtin_sqrt(16.0) == 4 && __builtin_fmax(d, -1) == d);
  CHECK(__builtin_fmin(1, __builtin_nan("")) == 1 && __builtin_fmod(7.5, 2) == 1.5 && __builtin_ldexp(1, 3) == 8);
  CHECK(__builtin_copysign(3, -0.0) == -3 && __builtin_fdim(3, 5) == 0 && __builtin_fma(2, 3, 4) == 10);
  CHECK(__builtin_lround(2.5) == 3 && __builtin_lrint(3.5) == 4 && __builtin_llround(-2.5) == -3 && __builtin_ilogb(8) == 3);
  TWIN(__builtin_powi(2, x) == 1 << x, __builtin_powi(2, x) != 8);
  return 0;
}
