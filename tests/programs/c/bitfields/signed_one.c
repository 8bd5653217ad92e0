// A signed field of one bit is 0 or -1.
#include "../check.h"

struct b { int one : 1; signed two : 2; };

int main(void) {
  INPUT(x, 0, 3)
  struct b b = {x, x};
  CHECK(b.one == 0 || b.one == -1);
  CHECK(b.one == -(x & 1) && !b.one == !(x & 1));
  TWIN(b.two == (x > 1 ? x - 4 : x), b.two != -1);
  return 0;
}
