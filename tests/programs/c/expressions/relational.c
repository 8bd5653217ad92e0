// Comparisons have the type int, and their values are 0 and 1.
#include "../check.h"

int main(void) {
  INPUT(x, -4, 4)
  CHECK(sizeof(1LL < 2LL) == sizeof(int));
  CHECK((x < 0) + (x == 0) + (x > 0) == 1);
  CHECK((3 > 2 > 1) == 0);
  CHECK(!!x == (x != 0));
  TWIN((x >= 2) * 5 < 6, (x >= 2) * 5 < 5);
  return 0;
}
