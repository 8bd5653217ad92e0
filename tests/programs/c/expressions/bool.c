// Conversion to _Bool asks whether the value is not zero.
#include "../check.h"

int main(void) {
  INPUT(x, -2, 2)
  _Bool b = x;
  CHECK(b == (x != 0));
  b = 0.25;
  CHECK(b);
  b = &x;
  CHECK(b == 1 && sizeof b == 1);
  b += 5;
  CHECK(b == 1);
  b = 1; b--;
  CHECK(b == 0);
  b--;
  CHECK(b == 1);
  b = 256 * x;
  TWIN(b == (x != 0), !b);
  return 0;
}
