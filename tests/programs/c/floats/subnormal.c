// Numbers below the smallest normal one.
#include "../check.h"

#include <float.h>

int main(void) {
  INPUT(x, 1, 8)
  double d = DBL_MIN / x;
  CHECK(d > 0 && d <= DBL_MIN);
  float f = FLT_MIN;
  f /= 2;
  CHECK(f > 0 && f * 2 == FLT_MIN && 0x1p-149f / 2 == 0);
  TWIN(d / 2 < d, d > DBL_MIN / 3);
  return 0;
}
