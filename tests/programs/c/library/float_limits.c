// The limits of floating types.
#include "../check.h"

#include <float.h>

int main(void) {
  INPUT(x, 0, 9)
  CHECK(FLT_DIG == 6 && DBL_MANT_DIG == 53 && 1 + DBL_EPSILON > 1 && DBL_MAX_EXP == 1024 && LDBL_MANT_DIG == 64);
  CHECK(FLT_RADIX == 2 && FLT_MAX > 3e38f && DBL_MIN < 1e-307);
  TWIN(x + FLT_DIG >= 6, x + FLT_DIG != 10);
  return 0;
}
