// Braces may be left out, and begin where a structure cannot be taken whole.
#include "../check.h"

struct p { int x, y; };
struct l { struct p a, b; int c[2]; };
struct l g = {1, 2, {3}, 4, 5};

int main(void) {
  INPUT(x, 0, 5)
  struct p q = {x, 8};
  struct l l = {q, 1, 2, {6}};
  CHECK(g.a.y == 2 && g.b.x == 3 && g.b.y == 0 && g.c[0] == 4 && g.c[1] == 5);
  CHECK(l.a.y == 8 && l.b.y == 2 && l.c[0] == 6 && l.c[1] == 0);
  TWIN(l.a.x == x, l.a.x != 4);
  return 0;
}
