// Signed and unsigned bit-fields keep their low bits.
#include "../check.h"

struct b { unsigned u : 3; int s : 3; _Bool f : 1; };

int main(void) {
  INPUT(x, -9, 9)
  struct b b;
  b.u = x; b.s = x; b.f = x;
  CHECK(b.u == (x & 7) && b.s >= -4 && b.s <= 3 && b.f == (x != 0));
  CHECK(((b.s - x) & 7) == 0);
  TWIN(b.u - 8 < 0, b.s != -3);
  return 0;
}
