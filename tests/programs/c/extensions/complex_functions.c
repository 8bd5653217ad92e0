// Complex parameters, results, comparisons.
#include "../check.h"

typedef float _Complex cf;
cf squared(cf z) { return z * z; }

int main(void) {
  INPUT(x, 0, 5)
  cf z = x + 2.0if;
  cf s = squared(z);
  CHECK(__imag__ s == 4 * x && s != z && ~z == x - 2.0if);
  __imag__ z = 1;
  CHECK(z == x + 1.0if && sizeof z == 8);
  TWIN(__real__ s == x * x - 4, __real__ s != 5);
  return 0;
}
