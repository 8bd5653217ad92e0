// Quadruple precision.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  __float128 a = 1.0q + x;
  _Float128 b = 0x1p-100f128;
  CHECK(a + b > a && a + b - a == b && sizeof a == 16);
  TWIN((int)a == x + 1, (int)a != 4);
  return 0;
}
