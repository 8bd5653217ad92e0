// Numbers are rounded to the nearest.
#include "../check.h"
#include <fenv.h>

int main(void) {
  INPUT(n, 1, 3)
  CHECK(fesetround(FE_TONEAREST) == 0);
  volatile double x = n, y = 3;
  double quotient = x / y;
  TWIN(quotient == n / 3.0, quotient != 1);
}
