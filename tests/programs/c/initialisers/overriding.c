// A later initialiser replaces an earlier one as a whole.
#include "../check.h"

struct s { int a, b; };
struct t { struct s s; int c; };
struct t g = {.s = {1, 2}, .s = {.b = 9}};

int main(void) {
  INPUT(x, 0, 5)
  struct t l = {.s = {x, 2}, .c = 4, .s.a = 7};
  CHECK(g.s.a == 0 && g.s.b == 9);
  CHECK(l.s.a == 7 && l.s.b == 2 && l.c == 4);
  int a[3] = {1, 2, 3, [0] = x};
  struct s base = {5, 6};
  struct t m = {.s = base, .s.b = x};
  CHECK(m.s.b == x);
  TWIN(a[0] == x && a[1] == 2, a[0] + a[1] != 4);
  return 0;
}
