// A weak function without a definition is null.
#include "../check.h"

extern int missing(int) __attribute__((weak));
__attribute__((weak)) int somebody(int x) { return x + 1; }

int main(void) {
  INPUT(x, 0, 4)
  CHECK(somebody(x) == x + 1);
  TWIN(missing == 0, x < 4 || missing);
  return 0;
}
