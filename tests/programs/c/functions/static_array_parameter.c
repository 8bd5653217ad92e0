// Array parameters with static and qualifiers.
#include "../check.h"

int sum(int a[static 2], int b[const], int n) { return a[0] + a[1] + b[n]; }
int row(int m[][3], int i) { return m[i][2]; }

int main(void) {
  INPUT(x, 0, 1)
  int a[2] = {x, 2}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  CHECK(sum(a, a, 1) == x + 4);
  TWIN(row(m, x) == 3 + 3 * x, row(m, x) == 3);
  return 0;
}
