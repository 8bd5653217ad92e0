// Integer types and their constants.
#include "../check.h"

#include <inttypes.h>
#include <stdint.h>

int main(void) {
  INPUT(x, 0, 4)
  int_least8_t a = -1;
  uint_fast16_t b = UINT16_C(65535);
  intmax_t m = INTMAX_MAX;
  CHECK(sizeof(int8_t) == 1 && sizeof(intptr_t) == sizeof(void *) && INT64_C(1) << 40 == 1LL << 40 && UINT32_MAX == 4294967295u);
  CHECK(imaxabs(-5) == 5 && sizeof m == 8 && INT8_MIN == -128 && (uint8_t)-1 == UINT8_MAX && SIZE_MAX == (__SIZE_TYPE__)-1);
  CHECK(sizeof("" PRId64) > 1 && a < 0 && b == 65535);
  TWIN((uint8_t)(250 + x) == 250 + x, (int8_t)(126 + x) != -128);
  return 0;
}
