// Values that pass through.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  int y = __builtin_speculation_safe_value(x);
  CHECK(__builtin_extract_return_addr(&x) == &x);
  TWIN(y == x, y != 2);
  return 0;
}
