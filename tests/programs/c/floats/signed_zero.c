// Negative zero equals zero, and its sign is kept.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  double z = -0.0, p = x * 0.0;
  CHECK(z == p && 1 / z < 0 && 1 / p > 0 && __builtin_signbit(z) && !__builtin_signbit(p));
  CHECK(1 / (z + p) > 0 && 1 / -p < 0 && z == 0);
  TWIN(!z, 1 / (x == 2 ? z : p) > 0);
  return 0;
}
