// Absolute values that gcc computes itself.
#include "../check.h"

#include <stdlib.h>

int main(void) {
  INPUT(x, -9, 9)
  CHECK(abs(x) == (x < 0 ? -x : x) && labs(x) == abs(x) && llabs(-5000000000LL) == 5000000000LL);
  CHECK(__builtin_abs(x) == abs(x) && __builtin_fabs(x) == abs(x));
  TWIN(abs(x) <= 9, abs(x) != 5 || x > 0);
  return 0;
}
