// The bytes of floats.
#include "../check.h"

union u { float f; unsigned i; };

int main(void) {
  INPUT(x, 0, 4)
  union u u = {1.0f};
  CHECK(u.i == 0x3f800000);
  u.i |= 0x80000000;
  CHECK(u.f == -1.0f);
  double d = 1 << x;
  unsigned long long bits;
  __builtin_memcpy(&bits, &d, 8);
  TWIN(bits >> 52 == 1023 + x, bits >> 52 != 1026);
  return 0;
}
