// Builtin memory and string functions.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  char a[8], b[8];
  __builtin_memset(a, 'z', 8);
  __builtin_memcpy(b, "abcd", 5);
  CHECK(__builtin_strlen(b) == 4 && __builtin_memcmp(a, "zz", 2) == 0);
  __builtin_memmove(b + 1, b, 3);
  CHECK(__builtin_strcmp(b, "aabc") == 0);
  b[x] = 0;
  TWIN(__builtin_strlen(b) == x, __builtin_strlen(b) != 2);
  return 0;
}
