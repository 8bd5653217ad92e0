// A weak definition that nothing overrides.
#include "../check.h"

__attribute__((weak)) int given(int x) { return x + 1; }
__attribute__((weak)) int value = 3;
int strong(int x) __attribute__((weak, alias("given")));

int main(void) {
  INPUT(x, 0, 4)
  CHECK(value == 3 && strong(x) == x + 1);
  TWIN(given(x) == x + 1, given(x) != 4);
  return 0;
}
