// Functions of the library with exact results.
#include "../check.h"

#include <math.h>

int main(void) {
  INPUT(x, 0, 4)
  CHECK(fabs(-1.5) == 1.5 && floor(-0.5) == -1 && ceil(0.5) == 1 && trunc(-1.9) == -1 && sqrt(25) == 5);
  CHECK(fmax(1, NAN) == 1 && isnan(sqrt(-1)) && copysign(1, -2) == -1 && nearbyint(0.5) == 0 && round(-0.5) == -1);
  CHECK(ldexp(0.75, 2) == 3 && fmod(-7, 3) == -1 && remainder(7, 4) == -1 && scalbn(1, -2) == 0.25);
  TWIN(sqrt((double)x * x) == x, sqrt(x) != 2);
  return 0;
}
