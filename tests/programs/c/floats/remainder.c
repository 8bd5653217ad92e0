// Functions that are exact: floor, fabs, sqrt of squares.
#include "../check.h"

#include <math.h>

int main(void) {
  INPUT(x, 0, 9)
  double d = x;
  CHECK(fabs(-d) == d && floor(d + 0.5) == d && ceil(d - 0.5) == d);
  CHECK(sqrt(d * d) == d && fmod(d, 4) == x % 4);
  TWIN(trunc(-d - 0.25) == -d, fmod(d, 4) != 3);
  return 0;
}
