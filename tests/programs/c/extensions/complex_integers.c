// Complex numbers of integer type.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  _Complex int a = x + 3i, b = 1 - 1i;
  _Complex int p = a * b, s = a + b;
  CHECK(__real__ p == x + 3 && __imag__ p == 3 - x);
  CHECK(__real__ s == x + 1 && __imag__ s == 2 && (a == a) && a != b);
  TWIN(__real__ -a == -x, __real__ -a != -4);
  return 0;
}
