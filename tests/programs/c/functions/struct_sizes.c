// Structures of each size pass by value.
#include "../check.h"

#define DEFINE(n) struct s##n { char a[n]; }; struct s##n f##n(struct s##n s, int i) { s.a[0]++; s.a[n - 1] += i; return s; }
DEFINE(1) DEFINE(2) DEFINE(3) DEFINE(5) DEFINE(8) DEFINE(12) DEFINE(16) DEFINE(17) DEFINE(33)

int main(void) {
  INPUT(x, 0, 4)
#define TRY(n) struct s##n v##n = {{1}}, w##n = f##n(v##n, x); CHECK(v##n.a[0] == 1 && w##n.a[n - 1] == (n == 1 ? 2 : 0) + x);
  TRY(1) TRY(2) TRY(3) TRY(5) TRY(8) TRY(12) TRY(16) TRY(17)
  struct s33 v = {{1}}, w = f33(v, x);
  TWIN(w.a[32] == x && w.a[0] == 2, w.a[32] != 3);
  return 0;
}
