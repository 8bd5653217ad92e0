// Addresses of different objects differ, of the same are equal.
#include "../check.h"

int a, b;
struct s { int x, y; } s;

int main(void) {
  INPUT(x, 0, 1)
  int *p = x ? &a : &b;
  CHECK(p != (x ? &b : &a) && &s.x < &s.y && (void *)&s == (void *)&s.x);
  TWIN((p == &a) == x, p != &a);
  return 0;
}
