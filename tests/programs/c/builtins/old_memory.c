// The BSD names of memory functions.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  char a[4] = "abc", b[4];
  __builtin_bcopy(a, b, 4);
  CHECK(__builtin_bcmp(a, b, 4) == 0);
  __builtin_bzero(b + 1, 2);
  CHECK(b[0] == 'a' && b[1] == 0);
  TWIN((b[x] == 0) == (x != 0), b[x] != 'a');
  return 0;
}
