// Results are rounded to their type.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  float f = 16777216.0f;
  CHECK(f + 1.0f == f && f + 2.0f != f);
  double d = 16777216.0;
  CHECK(d + 1.0 != d && 0.1 + 0.2 != 0.3 && 0.1f != 0.1 && (float)0.1 == 0.1f);
  f += x;
  TWIN(f >= 16777216.0f, f != 16777220.0f);
  return 0;
}
