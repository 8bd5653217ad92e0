// Comparisons of vectors give -1 and 0.
#include "../check.h"

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
  INPUT(x, 0, 4)
  v4 a = {0, 1, 2, 3}, b = {x, x, x, x};
  v4 m = a < b;
  CHECK(m[0] + m[1] + m[2] + m[3] == -x);
  v4 s = a == b;
  a[x % 4] = 9;
  TWIN(s[2] == (x == 2 ? -1 : 0), s[2] == 0);
  return 0;
}
