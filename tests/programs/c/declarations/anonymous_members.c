// Members of unnamed structures and unions are members of the outer one.
#include "../check.h"

struct s { int kind; union { int i; struct { short low, high; }; }; struct { int last; }; };

int main(void) {
  INPUT(x, 0, 1000)
  struct s s = {1, {x}, {9}};
  CHECK(s.i == x && s.low == x && s.high == 0 && s.last == 9);
  s.high = 1;
  CHECK(s.i == 65536 + x);
  struct s t = {.low = 2, .last = 4};
  CHECK(t.kind == 0 && t.i == 2 && t.last == 4);
  TWIN(s.low == x, s.low != 500);
  return 0;
}
