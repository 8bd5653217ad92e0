// Declarations without a type, and functions without a declaration.
#include "../check.h"

static n = 4;
twice(a) { return 2 * a; }

int main(void) {
  INPUT(x, 0, 9)
  auto b = 2;
  register const r = 3;
  CHECK(n + b + r == 9 && sizeof n == sizeof(int));
  CHECK(later(x) == x + 1);
  TWIN(twice(x) == 2 * x, twice(x) != 6);
  return 0;
}

later(a) int a; { return a + 1; }
