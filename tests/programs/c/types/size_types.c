// size_t, ptrdiff_t and their conversions.
#include "../check.h"

#include <stddef.h>

int main(void) {
  INPUT(x, 0, 4)
  size_t s = x;
  ptrdiff_t d = -1;
  CHECK(s - 5 > 1000 && (size_t)d > s && sizeof(size_t) == sizeof(long) && d < (ptrdiff_t)s);
  char a[5];
  TWIN(&a[s] - a == x, s + d != 2);
  return 0;
}
