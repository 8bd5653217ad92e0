// Classes of floating values.
#include "../check.h"

#include <math.h>

int main(void) {
  INPUT(x, 0, 2)
  double v[3] = {0.0, 1.5, INFINITY};
  double d = v[x];
  CHECK(isfinite(d) == (x != 2) && !!isinf(d) == (x == 2) && !isnan(d));
  CHECK(fpclassify(d) == (x == 0 ? FP_ZERO : x == 1 ? FP_NORMAL : FP_INFINITE));
  CHECK(fpclassify(0x1p-1070) == FP_SUBNORMAL && fpclassify(NAN) == FP_NAN);
  TWIN(!signbit(d), !isnormal(d));
  return 0;
}
