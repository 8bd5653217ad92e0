// Sizes of objects that the compiler knows, or the answer for unknown ones.
#include "../check.h"

int size(char *p) { return __builtin_object_size(p, 0) == (__SIZE_TYPE__)-1; }

int main(void) {
  INPUT(x, 0, 3)
  char a[10];
  CHECK(size(a) == 1);
  CHECK(__builtin_object_size((char *)x, 2) == 0);
  TWIN(size(a + x), !size(a + x) || x != 2);
  return 0;
}
