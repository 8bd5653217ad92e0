// Variable-length arrays of two dimensions, as parameters and in type names.
#include "../check.h"

int trace(int n, int m[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i]; return s; }

int main(void) {
  INPUT(n, 1, 3)
  int m[n][n];
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = 10 * i + j;
  CHECK(sizeof m == n * n * sizeof(int) && sizeof m[0] == n * sizeof(int));
  int (*p)[n] = m;
  CHECK(p[n - 1][0] == 10 * (n - 1));
  CHECK(sizeof(int[n][2]) == n * 8);
  TWIN(trace(n, m) == 11 * n * (n - 1) / 2, trace(n, m) != 33);
  return 0;
}
