// Unnamed bit-fields are passed over.
#include "../check.h"

struct b { unsigned a : 3; unsigned : 5; int c : 4; unsigned : 0; unsigned d : 9; };
struct b g = {7, -2, 300};

int main(void) {
  INPUT(x, 0, 7)
  struct b l = {x, 3, .d = 511};
  CHECK(g.a == 7 && g.c == -2 && g.d == 300 && sizeof(struct b) == 8);
  TWIN(l.a == x && l.c == 3 && l.d == 511, l.a != 6);
  return 0;
}
