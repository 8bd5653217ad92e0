// Functions with two results.
#include "../check.h"

int main(void) {
  INPUT(x, 1, 8)
  int e;
  double m = __builtin_frexp(x, &e), whole;
  CHECK(m >= 0.5 && m < 1 && __builtin_ldexp(m, e) == x);
  double part = __builtin_modf(x + 0.25, &whole);
  CHECK(part == 0.25 && whole == x);
  TWIN(e == (x < 2 ? 1 : x < 4 ? 2 : x < 8 ? 3 : 4), e != 2);
  return 0;
}
