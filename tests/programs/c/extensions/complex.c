// Complex numbers and their parts.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  _Complex double z = x + 2.0i;
  CHECK(__real__ z == x && __imag__ z == 2);
  z = z * z;
  CHECK(__real__ z == x * x - 4 && __imag__ z == 4 * x);
  CHECK(__imag__ ~z == -4 * x);
  __real__ z = 1;
  _Complex float f = 3;
  CHECK(__imag__ f == 0 && f == 3 && sizeof f == 8);
  TWIN(__real__ z + __imag__ z == 1 + 4 * x, __imag__ z != 12);
  return 0;
}
