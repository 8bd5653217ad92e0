// Constants are rounded to nearest, with suffixes and exponents.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  CHECK(1e3 == 1000 && .5 == 0.5 && 1.f == 1 && 1e-3 < .0011 && 5e-1L == 0.5L);
  CHECK(sizeof 1.0f == 4 && sizeof 1.0 == 8 && 123456789.0f == 123456792.0f);
  CHECK(0.1 == 0x1.999999999999ap-4);
  TWIN(x + 1e0 >= 1, x * 1e1 != 30);
  return 0;
}
