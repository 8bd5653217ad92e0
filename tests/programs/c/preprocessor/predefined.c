// Predefined macros.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  CHECK(__STDC__ == 1 && __STDC_VERSION__ >= 201112L && __INT_MAX__ == 2147483647 && __CHAR_BIT__ == 8);
  CHECK(__SIZEOF_POINTER__ == sizeof(void *) && __SIZEOF_LONG__ == sizeof(long) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
#ifdef __LP64__
  CHECK(sizeof(long) == 8);
#else
  CHECK(sizeof(long) == 4);
#endif
  TWIN(sizeof __FILE__ > 1, __STDC__ + x != 3);
  return 0;
}
