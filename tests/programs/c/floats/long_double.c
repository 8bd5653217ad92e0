// long double has 64 bits of precision.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  long double l = 9007199254740993.0L;
  CHECK(l - 9007199254740992.0L == 1);
  long double big = 1e300L;
  CHECK(big * big > 1e308L && big * big / big == big);
  long double s = x;
  TWIN(s + 0.5L > x, s + 0.5L != 2.5L);
  return 0;
}
