// A type that may alias any other.
#include "../check.h"

typedef int __attribute__((may_alias)) any;

int main(void) {
  INPUT(x, 0, 6)
  float f = 1.0f;
  any *p = (any *)&f;
  CHECK(*p == 0x3f800000);
  *p += 0x800000 * (x > 3);
  TWIN(f == (x > 3 ? 2.0f : 1.0f), f < 2);
  return 0;
}
