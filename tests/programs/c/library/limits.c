// The limits of the types.
#include "../check.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

int main(void) {
  INPUT(x, 0, 9)
  CHECK(INT_MAX == 2147483647 && CHAR_BIT == 8 && CHAR_MIN == -128 && SHRT_MIN == -32768 && UINT_MAX == ~0u);
  CHECK((LONG_MAX == INT_MAX) == (sizeof(long) == 4) && LLONG_MIN < 0 && SIZE_MAX == (size_t)-1);
  CHECK(sizeof(int_least16_t) == 2 && sizeof(intptr_t) == sizeof(void *) && INT64_C(1) << 40 > 0);
  TWIN(INT_MAX - x > 0, INT_MAX - x != 2147483640);
  return 0;
}
