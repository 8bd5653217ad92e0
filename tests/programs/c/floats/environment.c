// The rounding mode is asked for.
#include "../check.h"

#include <fenv.h>

int main(void) {
  INPUT(x, 0, 4)
  CHECK(fegetround() == FE_TONEAREST);
  double d = x / 4.0;
  TWIN(d * 4 == x, d != 0.75);
  return 0;
}
