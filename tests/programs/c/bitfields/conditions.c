// Bit-fields in conditions, switches and as arguments.
#include "../check.h"

struct b { int s : 2; unsigned u : 2; };
int id(int x) { return x; }

int main(void) {
  INPUT(x, 0, 3)
  struct b b = {x, x};
  int r;
  switch (b.s) { case -1: r = 1; break; case -2: r = 2; break; default: r = 3; }
  CHECK(r == (x == 3 ? 1 : x == 2 ? 2 : 3));
  CHECK(id(b.u) == x && (b.s < 0) == (x > 1) && (b.u ? b.u : 9) == (x ? x : 9));
  TWIN(b.s + b.u <= 2, b.s + b.u != 2);
  return 0;
}
