// A flexible array member with values.
#include "../check.h"

struct f { int n; int v[]; };
static struct f f = {3, {10, 20, 30}};
static struct { char c; short v[]; } g = {1, {5, 6}};

int main(void) {
  INPUT(x, 0, 2)
  CHECK(sizeof f == 4 && f.n == 3 && g.v[1] == 6 && sizeof g == 2);
  TWIN(f.v[x] == 10 * (x + 1), f.v[x] != 20);
  return 0;
}
