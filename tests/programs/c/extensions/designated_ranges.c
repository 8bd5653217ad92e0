// A designator of a range, and the older forms.
#include "../check.h"

struct p { int x, y; };

int main(void) {
  INPUT(i, 0, 9)
  int a[10] = {[1 ... 3] = 4, [5 ... 9] = 6, [7] = 1};
  CHECK(a[i] == (i == 7 ? 1 : i >= 5 ? 6 : i >= 1 && i <= 3 ? 4 : 0));
  struct p p = {y: 5, x: i};
  CHECK(p.x == i && p.y == 5);
  int b[] = {[0 ... 2] = 1, 2};
  CHECK(sizeof b == 16 && b[3] == 2);
  TWIN(a[i] <= 6, a[i] != 1);
  return 0;
}
