// Arrays and copies of structures with bit-fields.
#include "../check.h"

struct b { unsigned k : 2, v : 6; } t[4];

int main(void) {
  INPUT(x, 0, 3)
  for (int i = 0; i < 4; i++) { t[i].k = i; t[i].v = 10 * i; }
  struct b c = t[x], *p = &t[x];
  p->v++;
  CHECK(c.k == x && c.v == 10 * x && t[x].v == 10 * x + 1);
  TWIN(c.v <= 30, c.v != 20);
  return 0;
}
