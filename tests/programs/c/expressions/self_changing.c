// The value of an increment is what was stored, even where the place moves.
#include "../check.h"

struct A { struct A *p; int v; };

int main(void) {
  INPUT(x, 0, 3)
  struct A a[3] = {{a, x}, {a + 1, 5}};
  struct A *r = ++(a[0].p->p);
  CHECK(r == a + 1);
  int *q = &a[1].v, **pp = &q;
  int s = (*pp)++ - &a[1].v;
  TWIN(s == 0 && a[0].p == a + 1, a[0].v != 2);
  return 0;
}
