// Structures that end in flexible arrays, initialised statically.
#include "../check.h"

static struct { int n; struct { char t; char s[]; } in; } g = {2, {'x', "yz"}};

int main(void) {
  INPUT(x, 0, 2)
  CHECK(g.n == 2 && g.in.t == 'x');
  TWIN(g.in.s[x] == (x == 2 ? 0 : 'y' + x), g.in.s[x] != 'z');
  return 0;
}
