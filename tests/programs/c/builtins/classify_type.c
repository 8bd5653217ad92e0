// Classes of types.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  struct s { int i; } s;
  CHECK(__builtin_classify_type(x) == 1 && __builtin_classify_type(1.0) == 8 && __builtin_classify_type(&x) == 5);
  CHECK(__builtin_classify_type(s) == 12 && __builtin_classify_type('a') == 1);
  TWIN(__builtin_classify_type(x++) == 1 && x <= 3, x + __builtin_classify_type(x) != 3);
  return 0;
}
