// Hexadecimal floating constants.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 8)
  double a = 0x1.8p1, b = 0x.1p4f;
  CHECK(a == 3.0 && b == 1.0 && 0x1p-2 == 0.25 && 0xap0 == 10);
  TWIN(x * a == 3 * x, x * a != 15);
  return 0;
}
