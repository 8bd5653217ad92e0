// Types of arrays, functions and expressions without evaluation.
#include "../check.h"

int f(int a) { return a + 1; }

int main(void) {
  INPUT(x, 0, 4)
  int a[3] = {0, x, 2};
  __typeof__(a) b = {[2] = x};
  __typeof__(f) *g = f;
  __typeof__(int *) p = a, q = b;
  __typeof__(x++) y = 3;
  CHECK(x <= 4 && sizeof b == 12 && y == 3 && *q == 0);
  TWIN(g(p[1]) == x + 1, g(b[2]) != 4);
  return 0;
}
