// Decimal arithmetic is exact for decimal fractions.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  _Decimal64 a = 0.1dd, b = 0.2dd;
  CHECK(a + b == 0.3dd && sizeof(_Decimal32) == 4 && sizeof(_Decimal128) == 16);
  _Decimal32 c = 1.5df * x;
  TWIN(c == 1.5df * x, c != 4.5df);
  return 0;
}
