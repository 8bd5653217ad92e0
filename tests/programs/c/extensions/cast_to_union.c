// A value is cast to a union that has a member of its type.
#include "../check.h"

union u { int i; double d; };
int first(union u u) { return u.i; }

int main(void) {
  INPUT(x, 0, 9)
  union u u = (union u)x;
  CHECK(u.i == x && first((union u)(x + 1)) == x + 1);
  u = (union u)2.5;
  CHECK(u.d == 2.5);
  TWIN(first((union u)x) < 10, first((union u)x) < 9);
  return 0;
}
