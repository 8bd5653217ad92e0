// The size of an expression with a bit-field.
#include "../check.h"

struct b { unsigned a : 5; unsigned long long w : 40; };

int main(void) {
  INPUT(x, 0, 9)
  struct b b = {x, x};
  CHECK(sizeof(b.a + 1) == 4 && sizeof(b.w + 0) == 8 && sizeof(+b.a) == 4);
  CHECK(sizeof(b.a += 1) == 1 && b.a == x);
  TWIN(b.w + b.a == 2 * x, b.w + b.a != 8);
  return 0;
}
