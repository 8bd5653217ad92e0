// else belongs to the nearest if.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  int r = 0;
  if (x > 0)
    if (x > 1) r = 2;
    else r = 1;
  CHECK(r == (x > 2 ? 2 : x));
  if (x == 0) ; else if (x == 3) r = 7;
  TWIN((r == 7) == (x == 3), r != 7);
  return 0;
}
