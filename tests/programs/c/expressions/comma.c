// The comma operator evaluates left to right and has the value of its right side.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 10)
  int a = 0;
  int b = (a = x + 1, a *= 2, a - 1);
  CHECK(a == 2 * x + 2);
  TWIN(b == 2 * x + 1, b != 15);
  return 0;
}
