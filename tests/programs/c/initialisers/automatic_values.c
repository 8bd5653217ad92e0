// Initialisers of automatic objects may be any expressions, evaluated in order.
#include "../check.h"

int n;
int tick(void) { return ++n; }
struct p { int a, b; };
struct p make(int a) { return (struct p){a, a + 1}; }

int main(void) {
  INPUT(x, 0, 5)
  int a[3] = {tick(), tick() + x, tick()};
  struct p p = make(x), q[2] = {make(2), make(x)};
  CHECK(a[0] == 1 && a[1] == 2 + x && a[2] == 3 && p.b == x + 1);
  struct { struct p p; int c; } o = {make(4), tick()};
  CHECK(o.p.b == 5 && o.c == 4);
  TWIN(q[1].b == x + 1, q[1].b != 4);
  return 0;
}
