// Infinities compare and compute.
#include "../check.h"

int main(void) {
  INPUT(x, 1, 4)
  double zero = 0, inf = x / zero;
  CHECK(inf > 1e308 && -inf < -1e308 && inf == inf + 1 && inf - inf != inf - inf);
  CHECK(1 / inf == 0 && __builtin_isinf(inf) && inf == __builtin_inf());
  CHECK(1e308 * 10 == inf);
  TWIN(x / inf == 0, x * inf == x);
  return 0;
}
