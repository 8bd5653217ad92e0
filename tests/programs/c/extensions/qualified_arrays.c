// Pointers to arrays may gain qualifiers.
#include "../check.h"

int sum(int n, const int (*m)[2]) { int s = 0; for (int i = 0; i < n; i++) s += m[i][0] * m[i][1]; return s; }

int main(void) {
  INPUT(x, 0, 9)
  int m[2][2] = {{1, 2}, {3, x}};
  const int (*p)[2] = m;
  CHECK(p[1][1] == x);
  TWIN(sum(2, m) == 2 + 3 * x, sum(2, m) != 14);
  return 0;
}
