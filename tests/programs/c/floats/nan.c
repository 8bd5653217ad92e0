// A value that is not a number is unequal to itself.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 2)
  double zero = x - x, nan = zero / zero;
  CHECK(nan != nan && !(nan < 1) && !(nan >= 1) && !(nan == nan));
  CHECK(__builtin_isnan(nan) && !__builtin_isnan(zero) && (nan ? 1 : 0));
  double d = x == 2 ? nan : x;
  TWIN((d == d) == (x != 2), d == d);
  return 0;
}
