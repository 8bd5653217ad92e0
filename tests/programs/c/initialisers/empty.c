// Empty braces make everything zero.
#include "../check.h"

struct s { int a; struct { int b[2]; } in; };
int g[3] = {};

int main(void) {
  INPUT(x, 0, 2)
  struct s s = {};
  int a[3] = {};
  struct s c = (struct s){};
  CHECK(s.a == 0 && s.in.b[1] == 0 && c.in.b[0] == 0);
  a[x] = 4;
  TWIN(a[0] + a[1] + a[2] + g[x] == 4, a[1] == 0);
  return 0;
}
