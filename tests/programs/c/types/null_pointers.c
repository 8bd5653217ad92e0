// Null pointers of all types.
#include "../check.h"

int *g;

int main(void) {
  INPUT(x, 0, 1)
  int *p = 0, *q = (void *)0, v = 3;
  CHECK(p == q && !g && (p ? 0 : 1));
  p = x ? &v : q;
  TWIN((p != 0) == x, !p);
  return 0;
}
