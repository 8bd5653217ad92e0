// One of two expressions, of its own type.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  CHECK(__builtin_choose_expr(1, x, reach_error()) == x);
  CHECK(sizeof __builtin_choose_expr(0, 1, 1LL) == 8);
  __builtin_choose_expr(sizeof(int) == 4, x, *(char *)0) = 2;
  TWIN(x == 2, x != 2);
  return 0;
}
