// Arithmetic of floats with integers of any size.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 50)
  unsigned u = 4294967295u;
  CHECK(u + 1.0 == 4294967296.0 && -1 * 1.0f < 0);
  float f = 0.5f;
  long long w = x;
  w += f;
  CHECK(w == x);
  x *= 1.5;
  TWIN(x <= 75, x != 15);
  return 0;
}
