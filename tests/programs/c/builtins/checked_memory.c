// Checked versions of memory functions.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  char a[8];
  __builtin___memset_chk(a, 'q', 8, __builtin_object_size(a, 0));
  __builtin___memcpy_chk(a, "abc", 4, __builtin_object_size(a, 0));
  __builtin___strcat_chk(a, "de", 8);
  CHECK(a[3] == 'd' && a[5] == 0 && a[6] == 'q');
  __builtin___strcpy_chk(a + 1, "xyz", 7);
  a[x] = 0;
  TWIN(__builtin_strlen(a) == x, __builtin_strlen(a) != 3);
  return 0;
}
