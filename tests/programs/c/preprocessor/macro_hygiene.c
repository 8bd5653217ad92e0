// Arguments are evaluated as often as they are named.
#include "../check.h"

#define TWICE(a) ((a) + (a))
#define EMPTY
#define FIRST(a, b) a

int main(void) {
  INPUT(x, 0, 3)
  int n = x, r = TWICE(n++ ? 1 : 2);
  CHECK(n == x + 2 && FIRST(x, EMPTY) == x && r >= 2);
#undef TWICE
#define TWICE(a) (2 * (a))
  TWIN(TWICE(n) == 2 * x + 4, TWICE(n) != 8);
  return 0;
}
