// Sums and products of doubles that are exact.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 100)
  double d = x;
  CHECK(d + 0.5 > d && (d * 4) / 4 == d && d - d == 0);
  CHECK((int)(d / 2) == x / 2);
  TWIN(d * 0.25 * 4 == x, d * 0.5 != 5);
  return 0;
}
