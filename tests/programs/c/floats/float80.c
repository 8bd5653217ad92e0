// Extended precision.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  __float80 a = 1.0w + x;
  long double tiny = 0x1p-60L;
  CHECK(a + tiny > a && (double)(a + tiny) == (double)a);
  _Float64x f = 1.0f64x;
  CHECK(f + 0x1p-62f64x > f);
  TWIN((int)a == x + 1, (int)a != 3);
  return 0;
}
