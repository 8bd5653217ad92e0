// Products and quotients of signed and unsigned operands.
#include "../check.h"

int main(void) {
  INPUT(x, -4, 4)
  unsigned u = 2;
  CHECK(x * u == (unsigned)(2 * x) && (x / 2u > 100) == (x < 0));
  CHECK((short)-1 / 2u == 2147483647u && -1 / 2 == 0 && -1LL / 2u == 0);
  long long w = x;
  TWIN(w * u == 2 * x, x * u / 2 <= 4);
  return 0;
}
