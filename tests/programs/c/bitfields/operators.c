// Increments and compound assignments wrap in the field.
#include "../check.h"

struct b { unsigned u : 4; int s : 4; };

int main(void) {
  INPUT(x, 0, 15)
  struct b b = {x, 7};
  int old = b.u++;
  CHECK(old == x && b.u == (x + 1) % 16);
  CHECK(++b.s == -8 && b.s-- == -8 && b.s == 7);
  CHECK((b.u += 20) == (x + 21) % 16 && (b.s <<= 1) == -2);
  b.u |= 8;
  TWIN(b.u >= 8, b.u != 10);
  return 0;
}
