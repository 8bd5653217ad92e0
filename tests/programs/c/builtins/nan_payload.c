// Bits of quiet and signalling NaN.
#include "../check.h"

#include <stdint.h>

int main(void) {
  INPUT(x, 0, 2)
  union { double d; uint64_t u; } a;
  a.d = __builtin_nan("5");
  CHECK(a.u == 0x7ff8000000000005u);
  union { float f; uint32_t u; } b = {__builtin_nanf("0x12")};
  TWIN(b.u == 0x7fc00012u, b.u + x != 0x7fc00013u);
  return 0;
}
