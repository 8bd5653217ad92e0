// Operators bind as the grammar says.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 7)
  CHECK((x & 1 == 1) == (x & (1 == 1)) && (1 << 2 + 1) == 8 && (-x * 2 == 0 - x * 2) && (!x == 0) == !(x == 0));
  CHECK((x ? 1 : 0, 2) == 2 && (10 - 4 - 3) == 3 && (x = 3, x) == 3 && - - 1 == 1 && ~-1 == 0);
  int *p = &x, a = 6 / *p /* not a comment */;
  TWIN(a == 2 && sizeof(int) - 1 > 0, a != 2);
  return 0;
}
