// Narrow operands compute as int.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 255)
  unsigned char a = x, b = 255;
  CHECK(a + b == x + 255);
  CHECK(~a < 0);
  CHECK(-a <= 0);
  signed char s = -128;
  CHECK(-s == 128);
  unsigned short u = 65535;
  CHECK(sizeof(+u) == sizeof(int) && sizeof(a << 1L) == sizeof(int));
  TWIN((a << 8) == x * 256, (a << 8) < 65000);
  return 0;
}
